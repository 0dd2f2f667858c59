// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/interruption.hpp"

#include "core/error.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(InterruptionTest, NothingHappensWithoutASignal) {
    const Interruption interruption;
    EXPECT_NO_THROW(interruption.check());
}

TEST(InterruptionTest, ASignalWaitsForTheEndOfTheWork) {
    EXPECT_EXIT(
        {
            const Interruption interruption;
            std::raise(SIGTERM);
            EXPECT_THROW(interruption.check(), Error);
        },
        ::testing::KilledBySignal(SIGTERM), "");
}

TEST(InterruptionTest, TheSecondSignalEndsTheProcess) {
    EXPECT_EXIT(
        {
            const Interruption interruption;
            std::raise(SIGINT);
            std::raise(SIGINT);
            std::exit(0);
        },
        ::testing::KilledBySignal(SIGINT), "");
}

TEST(InterruptionTest, WhatIsIgnoredStaysIgnored) {
    EXPECT_EXIT(
        {
            std::signal(SIGHUP, SIG_IGN);
            const Interruption interruption;
            std::raise(SIGHUP);
            interruption.check();
            std::exit(0);
        },
        ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tracefold
