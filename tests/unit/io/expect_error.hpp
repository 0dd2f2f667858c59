// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/error.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tracefold {

/// Runs `work`, which must throw an Error of this kind whose message contains `part`.
template <class Work>
void expect_error(ErrorKind kind, const std::string& part, const Work& work) {
    try {
        work();
        ADD_FAILURE() << "no error that says: " << part;
    } catch (const Error& error) {
        EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
            << error.what() << "\ndoes not say: " << part;
    }
}

}  // namespace tracefold
