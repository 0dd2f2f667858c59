// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/error.hpp"

#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {

/// The Error that `work` throws. Fails the test if there is none, if its message is not one line,
/// or if anything was written to stderr.
inline Error expect_error(const std::function<void()>& work) {
    ::testing::internal::CaptureStderr();
    Error caught(ErrorKind::internal, "nothing was thrown");
    try {
        work();
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        caught = error;
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    const std::string message = caught.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return caught;
}

/// Runs `work`, which must throw an Error of this kind whose message contains `part`.
inline void expect_error(ErrorKind kind, const std::string& part,
                         const std::function<void()>& work) {
    const Error error = expect_error(work);
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
        << error.what() << "\ndoes not say: " << part;
}

}  // namespace tracefold
