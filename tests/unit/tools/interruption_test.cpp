// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/interruption.hpp"

#include "base/atomic_directory.hpp"
#include "base/file.hpp"
#include "support/test_directory.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace tracefold {
namespace {

void say(const InterruptedEnd& interrupted) { std::cerr << interrupted.sentence << std::endl; }

/// Begins two outputs, ends by a signal and never returns.
void be_interrupted_at_work(const TestDirectory& scratch, int signal) {
    const Interruption interruption(say);
    AtomicFile file(scratch / "out");
    const AtomicDirectory folder(scratch / "folder", false);
    put_file(folder.path() + "/inner/part", "part");
    std::raise(signal);
    // The work goes on for a while.
    for (int i = 0;; ++i) std::ofstream(folder.path() + "/inner/" + std::to_string(i)) << "part";
}

TEST(InterruptionTest, NothingHappensWithoutASignal) {
    EXPECT_EXIT(
        {
            { const Interruption interruption(say); }
            std::exit(0);
        },
        ::testing::ExitedWithCode(0), "^$");
}

TEST(InterruptionTest, TemporaryFilesAreRemoved) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const TestDirectory scratch;
        EXPECT_EXIT(be_interrupted_at_work(scratch, signal), ::testing::KilledBySignal(signal),
                    "interrupted by SIG.*; no output was written, temporary files are removed");
        EXPECT_EQ(scratch.entries(), 0);
    }
}

TEST(InterruptionTest, OutputsThatWaitAreRemoved) {
    const TestDirectory scratch;
    EXPECT_EXIT(
        {
            const Interruption interruption(say);
            Publication publication;
            AtomicFile(scratch / "out").commit();
            std::raise(SIGTERM);
            Interruption::wait_if_ending();
        },
        ::testing::KilledBySignal(SIGTERM), "no output was written");
    EXPECT_EQ(scratch.entries(), 0);
}

TEST(InterruptionTest, ItComesTooLateForWhatIsPublished) {
    const TestDirectory scratch;
    EXPECT_EXIT(
        {
            {
                const Interruption interruption(say);
                Publication publication;
                AtomicFile(scratch / "out").commit();
                publication.publish();
                std::raise(SIGTERM);
            }
            std::exit(0);
        },
        ::testing::ExitedWithCode(0), "^$");
    EXPECT_EQ(scratch.entries(), 1);
}

TEST(InterruptionTest, TheSecondSignalEndsTheProcess) {
    EXPECT_EXIT(
        {
            const Interruption interruption([](const InterruptedEnd&) { ::pause(); });
            std::raise(SIGINT);
            std::raise(SIGINT);
            std::exit(0);
        },
        ::testing::KilledBySignal(SIGINT), "");
}

TEST(InterruptionTest, ASignalOfAnotherRankIsKnownAndNoSecondOne) {
    EXPECT_EXIT(
        {
            const Interruption interruption([](const InterruptedEnd& interrupted) {
                ::sigqueue(::getpid(), SIGTERM, {});
                std::cerr << "forwarded: " << interrupted.forwarded << std::endl;
            });
            ::sigqueue(::getpid(), SIGTERM, {});
            Interruption::wait_if_ending();
        },
        ::testing::KilledBySignal(SIGTERM), "forwarded: 1");
}

TEST(InterruptionTest, TheLaunchersSignalAfterThatOfAnotherRankIsNoSecondOne) {
    EXPECT_EXIT(
        {
            const Interruption interruption([](const InterruptedEnd& interrupted) {
                std::raise(SIGTERM);
                std::cerr << "forwarded: " << interrupted.forwarded << std::endl;
            });
            ::sigqueue(::getpid(), SIGTERM, {});
            Interruption::wait_if_ending();
        },
        ::testing::KilledBySignal(SIGTERM), "forwarded: 1");
}

TEST(InterruptionTest, TheLaunchersSecondSignalEndsTheProcess) {
    EXPECT_EXIT(
        {
            const Interruption interruption([](const InterruptedEnd&) {
                std::raise(SIGTERM);
                std::raise(SIGTERM);
                std::exit(0);
            });
            ::sigqueue(::getpid(), SIGTERM, {});
            Interruption::wait_if_ending();
        },
        ::testing::KilledBySignal(SIGTERM), "");
}

TEST(InterruptionTest, AReasonThatWasToldIsEnough) {
    const TestDirectory scratch;
    EXPECT_EXIT(
        {
            const Interruption interruption(say);
            AtomicFile file(scratch / "out");
            Interruption::begin_reason();
            std::raise(SIGTERM);
            Interruption::wait_if_ending();
        },
        ::testing::KilledBySignal(SIGTERM), "^\n$");
    EXPECT_EQ(scratch.entries(), 0);
}

TEST(InterruptionTest, WhatIsIgnoredStaysIgnored) {
    EXPECT_EXIT(
        {
            std::signal(SIGHUP, SIG_IGN);
            {
                const Interruption interruption(say);
                std::raise(SIGHUP);
            }
            std::exit(0);
        },
        ::testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace tracefold
