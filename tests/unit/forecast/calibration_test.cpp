// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "forecast/network.hpp"
#include "support/written_program.hpp"

#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(CalibrationTest, ALineIsFoundBelowItsNoise) {
    std::mt19937 random(3);
    std::exponential_distribution<double> noise(1e6);
    TransferSamples samples;
    for (int i = 0; i < 20000; ++i) {
        const u64 bytes = u64{1} << (random() % 21);
        samples.add(bytes, 3e-6 + 1e-10 * static_cast<double>(bytes) + noise(random));
    }
    samples.overhead = 0.5e-6;
    const LinkParameters link = fit_link(samples);
    EXPECT_NEAR(static_cast<double>(link.latency), 2e6, 2e4);
    EXPECT_EQ(link.overhead, 500'000);
    EXPECT_NEAR(link.per_byte, 100, 1);
}

TEST(CalibrationTest, OneSizeTellsNothingOfBytes) {
    TransferSamples samples;
    samples.add(64, 5e-6);
    samples.add(64, 4e-6);
    samples.overhead = 1e-6;
    const LinkParameters link = fit_link(samples);
    EXPECT_EQ(link.latency, 2'000'000);
    EXPECT_EQ(link.per_byte, 0);
}

TEST(CalibrationTest, MessagesWhoseReceiversWaitedTell) {
    // The receiver waits, and 4 us after the send has begun it has the message.
    WrittenProgram program(2, [](EventRecorder& recorder, u64 rank) {
        recorder.compute(rank == 0 ? 10000 : 0);
        if (rank == 0) {
            recorder.send(1, 7, 64);
        } else {
            recorder.receive(0, 7, 64, 13800);
        }
    });
    const Network network = measure_network(*program, place_ranks(*program, 0));
    const LinkParameters& link = network.link(LinkClass::between_nodes);
    EXPECT_EQ(link.latency + 2 * link.overhead, 4'000'000);
    EXPECT_EQ(link.overhead, 200'000);  // of the send
}

TEST(CalibrationTest, NothingWaitedNothingTold) {
    WrittenProgram program(2, [](EventRecorder&, u64) {});
    EXPECT_THROW(measure_network(*program, place_ranks(*program, 0)), Error);
}

}  // namespace
}  // namespace tracefold
