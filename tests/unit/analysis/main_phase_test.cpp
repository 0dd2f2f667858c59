// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Iterations of the loop in which ranks talk most, and those that folding left outside of it.
#include "analysis/findings.hpp"
#include "analysis/repeating_stretch.hpp"
#include "support/written_program.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u64 kRanks = 6;
constexpr u64 kTag = 7;
constexpr u64 kBytes = 64;

std::optional<TimeSteps> steps_of(const WrittenProgram::Rank& body) {
    WrittenProgram program(kRanks, body, TimingLevel::none);
    ListingSource source(*program);
    return find_out(*program, source, nullptr).steps;
}

/// To both neighbours in a row, and from them.
void exchange(EventRecorder& recorder, u64 rank, u64 bytes = kBytes) {
    if (rank + 1 < kRanks) recorder.send(rank + 1, kTag, bytes);
    if (rank > 0) recorder.receive(rank - 1, kTag, bytes);
    if (rank > 0) recorder.send(rank - 1, kTag, bytes);
    if (rank + 1 < kRanks) recorder.receive(rank + 1, kTag, bytes);
}

/// To one neighbour and from the other one.
void sweep(EventRecorder& recorder, u64 rank, bool up) {
    const u64 from = up ? rank - 1 : rank + 1;
    const u64 to = up ? rank + 1 : rank - 1;
    if (from < kRanks) recorder.receive(from, kTag, kBytes);
    if (to < kRanks) recorder.send(to, kTag, kBytes);
}

void reduce(EventRecorder& recorder) {
    recorder.collective("MPI_Allreduce", EventRecorder::kAllreduce, 8 * kRanks, 8 * kRanks);
}

void broadcast(EventRecorder& recorder) {
    recorder.collective("MPI_Bcast", EventRecorder::kBcast, 8, 8, 0, 0);
}

void barrier(EventRecorder& recorder) {
    recorder.collective("MPI_Barrier", EventRecorder::kBarrier);
}

constexpr TimeSteps in_stencil(u64 count, u64 in_loop) { return {count, in_loop, true}; }
constexpr TimeSteps in_phase(u64 count, u64 in_loop) { return {count, in_loop, false}; }

TEST(MainPhaseTest, AFirstStepWithoutTheReductionIsOne) {
    const auto program = [](u64 steps) {
        return [steps](EventRecorder& recorder, u64 rank) {
            barrier(recorder);
            for (u64 step = 0; step < steps; ++step) {
                if (step > 0) reduce(recorder);
                exchange(recorder, rank);
            }
        };
    };
    EXPECT_EQ(steps_of(program(10)), in_stencil(10, 9));
    EXPECT_EQ(steps_of(program(10000)), in_stencil(10000, 9999));
}

TEST(MainPhaseTest, ALastStepWithAReductionMoreIsOne) {
    EXPECT_EQ(steps_of([](EventRecorder& recorder, u64 rank) {
                  for (int step = 0; step < 10; ++step) {
                      for (int plane = 0; plane < 20; ++plane) sweep(recorder, rank, true);
                      broadcast(recorder);
                      if (step == 9) reduce(recorder);
                      for (int plane = 0; plane < 20; ++plane) sweep(recorder, rank, false);
                  }
                  reduce(recorder);
              }),
              in_phase(10, 9));
}

/// What comes before a barrier that the loop has not is preparation.
TEST(MainPhaseTest, AStepBeforeABarrierIsNone) {
    const auto steps = steps_of([](EventRecorder& recorder, u64 rank) {
        exchange(recorder, rank);
        barrier(recorder);
        for (int step = 0; step < 10; ++step) {
            exchange(recorder, rank);
            reduce(recorder);
        }
    });
    ASSERT_TRUE(steps);
    EXPECT_EQ(steps->count, 10U);
}

TEST(MainPhaseTest, OtherMessagesBesideTheLoopAreNoStep) {
    EXPECT_EQ(steps_of([](EventRecorder& recorder, u64 rank) {
                  for (int step = 0; step < 10; ++step) {
                      exchange(recorder, rank);
                      reduce(recorder);
                  }
                  broadcast(recorder);
                  sweep(recorder, rank, true);
              }),
              in_stencil(10, 10));
}

/// A sweep's plane reaches one neighbour, the sweeps together both.
TEST(MainPhaseTest, SweepsThroughPlanesAreStepsTogether) {
    EXPECT_EQ(steps_of([](EventRecorder& recorder, u64 rank) {
                  for (int step = 0; step < 300; ++step) {
                      for (int plane = 0; plane < 62; ++plane) sweep(recorder, rank, true);
                      for (int plane = 0; plane < 62; ++plane) sweep(recorder, rank, false);
                      reduce(recorder);
                  }
              }),
              in_stencil(300, 300));
}

/// Every rank sends one message in an iteration; its size comes back after seven.
TEST(MainPhaseTest, IterationsThatDifferInTheirArgumentsAreOneStep) {
    const auto ring = [](u64 iterations, u64 period) {
        return [=](EventRecorder& recorder, u64 rank) {
            const u64 partner = rank ^ 1U;
            for (u64 i = 0; i < iterations; ++i) {
                const u64 bytes = kBytes + (i % period == 0 ? 8 : i % period == 3 ? 16 : 0);
                recorder.send(partner, kTag, bytes);
                recorder.receive(partner, kTag, bytes);
            }
        };
    };
    EXPECT_EQ(steps_of(ring(15 * 7, 7)), in_phase(15, 15));
    EXPECT_EQ(steps_of(ring(15 * 7 + 1, 7)), std::nullopt);
    EXPECT_EQ(steps_of(ring(7, 7)), std::nullopt);
}

TEST(MainPhaseTest, MessagesThatNeverComeBackAreNoSteps) {
    EXPECT_EQ(steps_of([](EventRecorder& recorder, u64 rank) {
                  const u64 partner = rank < 3 ? rank + 3 : rank - 3;
                  for (u64 i = 0; i < 20; ++i) {
                      recorder.send(partner, kTag, kBytes + 8 * i * i);
                      recorder.receive(partner, kTag, kBytes + 8 * i * i);
                      if (rank == 0) recorder.send(1, kTag, kBytes);
                      if (rank == 1) recorder.receive(0, kTag, kBytes);
                      reduce(recorder);
                  }
              }),
              std::nullopt);
}

/// Five equal exchanges in a row, and nobody knows which of both is a step.
TEST(MainPhaseTest, IterationsThatRepeatThemselvesAreNoSteps) {
    EXPECT_EQ(steps_of([](EventRecorder& recorder, u64 rank) {
                  for (int step = 0; step < 10; ++step) {
                      for (int part = 0; part < 5; ++part) {
                          recorder.send((rank + 1) % kRanks, kTag, kBytes);
                          recorder.send((rank + kRanks - 1) % kRanks, kTag, kBytes);
                      }
                      for (int part = 0; part < 5; ++part) {
                          recorder.receive((rank + 1) % kRanks, kTag, kBytes);
                          recorder.receive((rank + kRanks - 1) % kRanks, kTag, kBytes);
                      }
                      reduce(recorder);
                  }
              }),
              std::nullopt);
}

TEST(MainPhaseTest, ALoopOfCollectiveOperationsHasIterations) {
    EXPECT_EQ(steps_of([](EventRecorder& recorder, u64) {
                  for (int step = 0; step < 6; ++step) {
                      reduce(recorder);
                      broadcast(recorder);
                  }
              }),
              in_phase(6, 6));
}

/// Most transfers stand outside of any loop.
TEST(MainPhaseTest, ALoopOfFewIsNoMainPhase) {
    EXPECT_EQ(steps_of([](EventRecorder& recorder, u64) {
                  for (int step = 0; step < 3; ++step) {
                      reduce(recorder);
                      barrier(recorder);
                  }
                  for (int i = 0; i < 20; ++i) broadcast(recorder);
              }),
              std::nullopt);
}

TEST(RepeatingStretchTest, TheShortestPeriodNeedNotDivide) {
    EXPECT_EQ(shortest_period({}), 0U);
    EXPECT_EQ(shortest_period({4}), 1U);
    EXPECT_EQ(shortest_period({4, 4, 4}), 1U);
    EXPECT_EQ(shortest_period({1, 2, 1, 2, 1}), 2U);
    EXPECT_EQ(shortest_period({1, 2, 1, 2, 2}), 5U);
    EXPECT_EQ(shortest_period({1, 2, 3, 1, 2, 4}), 6U);
}

TEST(RepeatingStretchTest, ReachesBackWhileThePeriodHolds) {
    EXPECT_EQ(reaches_back({9, 2, 3, 1, 2, 3}, 3, 3), 2U);
    EXPECT_EQ(reaches_back({1, 2, 3, 1, 2, 3}, 3, 3), 3U);
    EXPECT_EQ(reaches_back({1, 2, 3}, 0, 3), 0U);
    EXPECT_EQ(reaches_back({3, 2, 1}, 2, 1), 0U);
}

}  // namespace
}  // namespace tracefold
