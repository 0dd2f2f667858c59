// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/program_steps.hpp"

#include "model/mpi_function.hpp"
#include "support/made_trace.hpp"
#include "support/sample_file.hpp"
#include "support/step_messages.hpp"
#include "support/test_directory.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

struct Known {
    const char* archive;
    u64 steps;
};

class ProgramStepsTest : public ::testing::TestWithParam<Known> {};

/// The number is that of the command line, and what is sent in a step is received in it.
TEST_P(ProgramStepsTest, MessagesStayInTheirStep) {
    SampleFile file(GetParam().archive);
    const auto steps = find_program_steps(*file);
    ASSERT_TRUE(steps);
    EXPECT_EQ(steps->count, GetParam().steps);
    const StepMessages messages = read_step_messages(*file, *steps);
    EXPECT_EQ(messages.sent, messages.received);
    EXPECT_FALSE(messages.sent.empty());
}

INSTANTIATE_TEST_SUITE_P(Samples, ProgramStepsTest,
                         ::testing::Values(Known{"micro-stencil2d9p-isend-4", 50},
                                           Known{"npb-lu.S-4", 50}),
                         [](const auto& tested) {
                             std::string name = tested.param.archive;
                             std::replace(name.begin(), name.end(), '-', '_');
                             std::replace(name.begin(), name.end(), '.', '_');
                             return name;
                         });

/// Sends and receives of some ranks, folded.
class MadeProgram {
  public:
    explicit MadeProgram(u32 ranks) : ranks_(ranks), trace_({.ranks = ranks}) {
        for (u32 rank = 0; rank < ranks; ++rank) trace_.call(rank, "MPI_Init");
    }
    void message(u64 from, u64 to, u64 bytes, u64 tag = 0, u64 communicator = 0) {
        send(from, to, bytes, tag, communicator);
        receive(from, to, bytes, tag, communicator);
    }
    void send(u64 from, u64 to, u64 bytes, u64 tag = 0, u64 communicator = 0) {
        trace_.call(static_cast<u32>(from), "MPI_Send",
                    {{EventType::MpiSend, {to, communicator, tag, bytes}}});
    }
    void receive(u64 from, u64 to, u64 bytes, u64 tag = 0, u64 communicator = 0) {
        trace_.call(static_cast<u32>(to), "MPI_Recv",
                    {{EventType::MpiRecv, {from, communicator, tag, bytes}}});
    }
    void compute(u64 ticks) { trace_.pass(ticks); }
    void post_barrier(u64 rank) {
        trace_.call(static_cast<u32>(rank), "MPI_Ibarrier",
                    {{EventType::NonBlockingCollectiveRequest, {7}}});
    }
    void complete_barrier(u64 rank) {
        trace_.call(static_cast<u32>(rank), "MPI_Wait",
                    {{EventType::NonBlockingCollectiveComplete,
                      {static_cast<u64>(CollectiveKind::barrier), 0, kNone, 0, 0, 7}}});
    }
    /// An MPI_Allreduce of all ranks.
    void reduction() {
        for (u32 rank = 0; rank < ranks_; ++rank) {
            trace_.call(rank, "MPI_Allreduce",
                        {{EventType::MpiCollectiveBegin, {}},
                         {EventType::MpiCollectiveEnd,
                          {static_cast<u64>(CollectiveKind::allreduce), 0, kNone, 8, 8}}});
        }
    }
    /// Communicators `first` to `first` + `count` - 1 of the members of MPI_COMM_WORLD.
    void duplicates(u64 first, u64 count) {
        trace_.define([first, count](DefinitionWriter& out) {
            for (u64 i = first; i < first + count; ++i) {
                out.add(DefinitionType::Comm, {i, out.string(""), 1, 0, 0});
            }
        });
    }
    void all(EventType type, const std::string& region) {
        for (u32 rank = 0; rank < ranks_; ++rank) {
            trace_.record(rank, 0, type, {trace_.region(region)});
        }
    }
    /// Precondition: called once.
    TraceFile& fold() {
        for (u32 rank = 0; rank < ranks_; ++rank) trace_.call(rank, "MPI_Finalize");
        const std::string path = (directory_ / "made.tfold").string();
        trace_.fold(path);
        return file_.emplace(path);
    }

  private:
    u32 ranks_;
    testing::MadeTrace trace_;
    TestDirectory directory_;
    std::optional<TraceFile> file_;
};

/// As LU's: the first rank sends on the way down only, and the last one on the way up.
TEST(ProgramStepsTest, PlanesOfASweepAreNoSteps) {
    MadeProgram program(3);
    for (int step = 0; step < 3; ++step) {
        program.message(0, 1, 400, 7);
        program.message(2, 1, 400, 7);
        for (int plane = 0; plane < 30; ++plane) {
            program.message(0, 1, 80);
            program.message(1, 2, 80);
        }
        for (int plane = 0; plane < 30; ++plane) {
            program.message(2, 1, 80);
            program.message(1, 0, 80);
        }
    }
    const auto steps = find_program_steps(program.fold(), StepLevels::two);
    ASSERT_TRUE(steps);
    EXPECT_EQ(steps->count, 3U);
    EXPECT_FALSE(steps->within);
}

TEST(ProgramStepsTest, IterationsWithinStepsAreCountedAndNamed) {
    MadeProgram program(2);
    program.all(EventType::Enter, "main");
    for (const int iterations : {8, 9, 11, 8}) {
        program.message(0, 1, 4000);
        program.message(1, 0, 4000);
        for (int i = 0; i < iterations; ++i) {
            program.all(EventType::Enter, "iterate");
            program.message(0, 1, 8);
            program.message(1, 0, 8);
            program.all(EventType::Leave, "iterate");
        }
    }
    program.all(EventType::Leave, "main");
    TraceFile& file = program.fold();
    EXPECT_FALSE(find_program_steps(file)->within);
    const auto steps = find_program_steps(file, StepLevels::two);
    ASSERT_TRUE(steps);
    EXPECT_EQ(steps->count, 4U);
    ASSERT_TRUE(steps->within);
    EXPECT_EQ(steps->within->steps, 4U);
    EXPECT_EQ(steps->within->fewest, 8U);
    EXPECT_EQ(steps->within->most, 11U);
    EXPECT_EQ(steps->within->iterations.count(), 36U);
    EXPECT_EQ(find_step_region(file, steps->within->location, steps->within->iterations),
              (StepRegion{"iterate", true}));
}

/// As a sweep there and back: the rank that sends most is in the middle and begins with a receive.
TEST(ProgramStepsTest, StepsMayBeginWithAReceive) {
    MadeProgram program(3);
    for (int step = 0; step < 8; ++step) {
        program.message(0, 1, 80);
        program.message(1, 2, 80);
        program.message(2, 1, 80);
        program.message(1, 0, 80);
        if (step % 4 == 3) program.reduction();
    }
    const auto steps = find_program_steps(program.fold());
    ASSERT_TRUE(steps);
    ASSERT_EQ(steps->count, 8U);
    for (u32 rank = 0; rank < 3; ++rank) {
        const u64 calls = rank == 1 ? 4 : 2;  // after MPI_Init
        for (u64 step = 0; step < 8; ++step) {
            const LocationSteps::Calls own = steps->locations[rank].calls(step);
            EXPECT_EQ(own.first, 1 + step * calls + step / 4);
            EXPECT_EQ(own.end - own.first, calls + (step % 4 == 3 ? 1 : 0));
        }
    }
}

/// As a sparse exchange (Hoefler et al., 2010): rank 1 gets a message of the next round before it
/// sees that the barrier is over.
TEST(ProgramStepsTest, ABarrierCountsWhereItIsPosted) {
    MadeProgram program(3);
    for (u64 round = 0; round < 6; ++round) {
        program.message(0, 1, 8 * (round * 5 % 7));
        if (round > 0) program.complete_barrier(1);
        program.message(1, 2, 8 * (round * 3 % 7));
        for (u64 rank = 0; rank < 3; ++rank) program.post_barrier(rank);
        program.complete_barrier(0);
        program.complete_barrier(2);
    }
    program.complete_barrier(1);
    TraceFile& file = program.fold();
    const auto steps = find_program_steps(file);
    ASSERT_TRUE(steps);
    EXPECT_EQ(steps->count, 6U);
    const StepMessages messages = read_step_messages(file, *steps);
    EXPECT_EQ(messages.sent, messages.received);
}

/// A communicator for every `uses` steps.
TEST(ProgramStepsTest, CommunicatorsMadeInTheLoopAreAlike) {
    for (const u64 uses : {1, 5}) {
        MadeProgram program(4);
        program.duplicates(100, 20 / uses);
        for (u64 step = 0; step < 20; ++step) {
            for (u64 rank = 0; rank < 4; ++rank) {
                program.message(rank, (rank + 1) % 4, 80, 0, 100 + step / uses);
            }
        }
        const auto steps = find_program_steps(program.fold());
        ASSERT_TRUE(steps);
        EXPECT_EQ(steps->count, 20U);
    }
}

/// Communicators of other members are others, and so are two that are used in turn.
TEST(ProgramStepsTest, CommunicatorsUsedInTurnAreNotAlike) {
    MadeProgram program(2);
    program.duplicates(100, 2);
    for (int step = 0; step < 6; ++step) {
        program.message(0, 1, 80, 0, 100);
        program.message(0, 1, 80, 0, 101);
        program.message(1, 0, 80, 0, 100);
    }
    const auto steps = find_program_steps(program.fold());
    ASSERT_TRUE(steps);
    EXPECT_EQ(steps->count, 6U);
}

/// A trace without times, or whose times differ, does not show whether four reductions are one
/// step; a region in each of them does.
TEST(ProgramStepsTest, ExchangesEveryFewSteps) {
    for (const bool has_region : {false, true}) {
        MadeProgram program(2);
        for (int step = 0; step < 40; ++step) {
            if (has_region) program.all(EventType::Enter, "timestep");
            if (step % 4 == 0) {
                program.message(0, 1, 80);
                program.message(1, 0, 80);
            }
            program.reduction();
            if (has_region) program.all(EventType::Leave, "timestep");
        }
        const auto steps = find_program_steps(program.fold());
        ASSERT_TRUE(steps);
        EXPECT_EQ(steps->count, has_region ? 40U : 10U);
        EXPECT_EQ(steps->exchange_every, has_region ? 4U : 1U);
    }
}

/// The owner of a panel, another rank in each step, sends it to all others. Rounds without
/// computation between them are one step.
TEST(ProgramStepsTest, RolesMayChangeFromStepToStep) {
    for (const bool computes : {false, true}) {
        MadeProgram program(4);
        for (u64 step = 0; step < 40; ++step) {
            program.compute(step % 4 == 0 || computes ? 1000 : 1);
            for (u64 other = 1; other < 4; ++other) {
                program.message(step % 4, (step + other) % 4, 80);
            }
        }
        TraceFile& file = program.fold();
        const auto steps = find_program_steps(file);
        ASSERT_TRUE(steps);
        EXPECT_EQ(steps->count, computes ? 40U : 10U);
        const StepMessages messages = read_step_messages(file, *steps);
        EXPECT_EQ(messages.sent, messages.received);
    }
}

/// The exchanges of pairs that never meet have no order: the loops of all ranks show the steps.
TEST(ProgramStepsTest, PairsThatStayApartHaveTheStepsOfTheirLoops) {
    MadeProgram program(4);
    for (int step = 0; step < 20; ++step) {
        for (const u64 even : {0, 2}) {
            program.message(even, even + 1, 8);
            program.message(even + 1, even, 8);
        }
    }
    TraceFile& file = program.fold();
    const auto steps = find_program_steps(file);
    ASSERT_TRUE(steps);
    EXPECT_EQ(steps->count, 20U);
    const StepMessages messages = read_step_messages(file, *steps);
    EXPECT_EQ(messages.sent, messages.received);
}

/// Each step sends twice to both neighbours, then reduces: half of a step repeats as well, but only
/// every other one has the reduction.
TEST(ProgramStepsTest, LoopsOfAllRanksDecideWhereStepsAreIrregular) {
    MadeProgram program(3);
    for (int step = 0; step < 20; ++step) {
        for (int piece = 0; piece < 2; ++piece) {
            program.message(1, 0, 8);
            program.message(1, 2, 8);
        }
        program.reduction();
    }
    const auto steps = find_program_steps(program.fold());
    ASSERT_TRUE(steps);
    EXPECT_EQ(steps->count, 20U);
}

/// Eight questions and answers without computation between them are one step; if the ranks compute
/// between them, each is a step of its own.
TEST(ProgramStepsTest, ComputationPartsTheSteps) {
    for (const bool computes : {false, true}) {
        MadeProgram program(2);
        for (u64 exchange = 0; exchange < 80; ++exchange) {
            const bool is_first = exchange % 8 == 0;
            program.compute(is_first || computes ? 1000 : 1);
            program.message(0, 1, 8);
            program.message(1, 0, 8);
        }
        const auto steps = find_program_steps(program.fold());
        ASSERT_TRUE(steps);
        EXPECT_EQ(steps->count, computes ? 80U : 10U);
    }
}

TEST(ProgramStepsTest, PhasesAreTold) {
    MadeProgram program(2);
    for (const u64 bytes : {8, 80, 800}) {
        for (int step = 0; step < 12; ++step) {
            program.message(0, 1, bytes, bytes);
            program.message(1, 0, bytes, bytes);
        }
    }
    StepsMissing none;
    EXPECT_FALSE(find_program_steps(program.fold(), StepLevels::one, 1, &none));
    EXPECT_EQ(none.why, NoSteps::several_phases);
    EXPECT_EQ(no_steps_text(none),
              "phases of 12, 12 and 12 steps follow each other, none with half of the messages");
}

TEST(ProgramStepsTest, LimitsOfTheSearchAreTold) {
    EXPECT_EQ(no_steps_text({NoSteps::too_large, {}}),
              "steps and stencils are not searched in more than 64 million events or 16 million "
              "operations");
}

TEST(ProgramStepsTest, AReasonIsGivenWhereThereAreNone) {
    const auto reason = [](MadeProgram& program) {
        StepsMissing none;
        EXPECT_FALSE(find_program_steps(program.fold(), StepLevels::one, 1, &none));
        return none.why;
    };
    MadeProgram silent(2);
    EXPECT_EQ(reason(silent), NoSteps::no_operations);
    MadeProgram growing(2);
    for (u64 bytes = 1; bytes < 4096; bytes *= 2) {
        for (int i = 0; i < 50; ++i) growing.message(0, 1, bytes);
    }
    EXPECT_EQ(reason(growing), NoSteps::no_repetition);
    MadeProgram few(6);
    for (int i = 0; i < 20; ++i) few.message(0, 1, 80);
    EXPECT_EQ(reason(few), NoSteps::few_ranks);
}

TEST(ProgramStepsTest, ThereAreNoneInBenchmarksOfManyPhases) {
    for (const char* name : {"micro-rma-4"}) {
        SampleFile file(name);
        EXPECT_FALSE(find_program_steps(*file)) << name;
    }
}

}  // namespace
}  // namespace tracefold
