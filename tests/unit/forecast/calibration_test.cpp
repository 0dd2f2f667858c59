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
    const FittedLink fit = fit_link(samples);
    const LinkParameters& link = fit.parameters;
    EXPECT_TRUE(fit.knows_per_byte);
    EXPECT_LT(fit.excess, 0.01);
    EXPECT_NEAR(static_cast<double>(link.latency), 2e6, 2e4);
    EXPECT_EQ(link.overhead, 500'000);
    EXPECT_NEAR(link.per_byte, 100, 1);
}

TEST(CalibrationTest, OneSizeTellsNothingOfBytes) {
    TransferSamples samples;
    samples.add(64, 5e-6);
    samples.add(64, 4e-6);
    samples.overhead = 1e-6;
    const FittedLink fit = fit_link(samples);
    EXPECT_EQ(fit.parameters.latency, 2'000'000);
    EXPECT_EQ(fit.parameters.per_byte, 0);
    EXPECT_FALSE(fit.knows_per_byte);
}

TEST(CalibrationTest, SmallMessagesTellNothingOfBytes) {
    TransferSamples samples;
    for (u64 bytes = 8; bytes <= 256; bytes *= 2)
        samples.add(bytes, 3e-6 + 1e-10 * static_cast<double>(bytes));
    EXPECT_FALSE(fit_link(samples).knows_per_byte);
    samples.add(u64{1} << 20U, 3e-6 + 1e-10 * (1U << 20U));
    EXPECT_TRUE(fit_link(samples).knows_per_byte);
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
    const LinkParameters& link = network.levels[1].link;
    EXPECT_EQ(link.latency + 2 * link.overhead, 4'000'000);
    EXPECT_EQ(link.overhead, 200'000);  // of the send
}

TEST(CalibrationTest, BarriersTellTheLatencyOfTheirRounds) {
    // Each barrier takes 200 ns: one round of two ranks, three of eight.
    for (const auto& [ranks, latency] : {std::pair(2, 200'000), std::pair(8, 66'667)}) {
        WrittenProgram program(ranks, [](EventRecorder&, u64) {});
        const Network network = measure_network(*program, place_ranks(*program, 0));
        EXPECT_EQ(network.levels[1].link.latency, latency) << ranks;
        EXPECT_EQ(network.unknown, (Network::Unknown{false, true, true, true}));
    }
}

TEST(CalibrationTest, ASendThatTakesAsLongAsTheMessageTellsNoOverhead) {
    TransferSamples samples;
    samples.add(64, 4e-6);
    samples.overhead = 3e-6;
    const FittedLink fit = fit_link(samples);
    EXPECT_FALSE(fit.knows_overhead);
    EXPECT_EQ(fit.parameters.latency, 4'000'000);
    EXPECT_EQ(fit.parameters.overhead, 0);
}

TEST(CalibrationTest, LargeMessagesTellNoLatency) {
    TransferSamples several;
    for (u64 bytes = u64{1} << 20U; bytes <= u64{1} << 30U; bytes *= 2)
        several.add(bytes, 1e-6 + 1e-10 * static_cast<double>(bytes));
    EXPECT_FALSE(fit_link(several).knows_latency);
    EXPECT_NEAR(fit_link(several).parameters.per_byte, 100, 0.1);
    TransferSamples samples;
    samples.add(u64{1} << 30U, 0.1);
    samples.overhead = 1e-6;
    const FittedLink fit = fit_link(samples);
    EXPECT_FALSE(fit.knows_latency);
    EXPECT_EQ(fit.parameters.latency, 0);
    EXPECT_NEAR(fit.parameters.per_byte, 93.1, 0.1);
}

TEST(CalibrationTest, OneRankTellsNothing) {
    WrittenProgram program(1, [](EventRecorder&, u64) {});
    EXPECT_THROW(measure_network(*program, place_ranks(*program, 0)), Error);
}

}  // namespace
}  // namespace tracefold
