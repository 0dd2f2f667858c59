// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/plugin.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(PluginTest, TellsWhereAMissingOneShouldBe) {
    try {
        plugin_function<void()>("no_such_plugin", "run");
        FAIL() << "it was found";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unsupported);
        const std::string message = error.what();
        EXPECT_NE(message.find("/tracefold/no_such_plugin"), std::string::npos) << message;
        EXPECT_NE(message.find(" is missing"), std::string::npos) << message;
    }
}

}  // namespace
}  // namespace tracefold
