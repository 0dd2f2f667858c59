// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/error.hpp"

#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace tracefold::testing {

/// The Error that `action` throws. Fails the test if there is none, if its message is not one line,
/// or if anything was written to stderr.
inline Error expect_error(const std::function<void()>& action) {
    ::testing::internal::CaptureStderr();
    Error caught(ErrorKind::internal, "nothing was thrown");
    try {
        action();
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        caught = error;
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    const std::string message = caught.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return caught;
}

inline void expect_error(ErrorKind kind, const std::string& part,
                         const std::function<void()>& action) {
    const Error error = expect_error(action);
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
}

}  // namespace tracefold::testing
