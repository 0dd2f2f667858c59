// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/trace_profile.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

enum Context : u64 { in_main, in_solve, in_recursion, in_io };

/// Call stacks main, main/solve, main/solve/solve and main/write.
void define_contexts(MadeTrace& trace) {
    const u64 main = trace.region("main");
    const u64 solve = trace.region("solve");
    const u64 write = trace.region("write");
    trace.define([=](DefinitionWriter& out) {
        const auto context = [&out](u64 id, u64 region, u64 parent) {
            out.add(DefinitionType::CallingContext, {id, region, kNone, parent});
        };
        context(in_main, main, kNone);
        context(in_solve, solve, in_main);
        context(in_recursion, solve, in_solve);
        context(in_io, write, in_main);
    });
}

void sample(MadeTrace& trace, Context context, u64 times = 1) {
    for (u64 i = 0; i < times; ++i) {
        trace.record(0, 0, EventType::CallingContextSample, {context, 1, 0});
    }
}

class SamplesTest : public ::testing::TestWithParam<TimingLevel> {
  protected:
    TraceProfile profile(MadeTrace& trace) {
        const std::string path = folder_ / "made.tfold";
        trace.fold(path, GetParam());
        TraceFile file(path);
        SerialCommunicator comm;
        ProfileRequest request;
        request.selected.assign(file.location_count(), true);
        return trace_profile(comm, file, request);
    }

    /// Exclusive and inclusive samples of a call path.
    static std::pair<u64, u64> samples(const TraceProfile& profile, const std::string& path) {
        for (u32 node = 0; node < profile.names.size(); ++node) {
            if (profile.path(node) != path) continue;
            const auto of = [&](bool inclusive) {
                return *profile.profile.moments(node, ProfileMetric::samples, inclusive).total();
            };
            return {of(false), of(true)};
        }
        ADD_FAILURE() << "no call path " << path;
        return {};
    }

  private:
    TestDirectory folder_;
};

using Pair = std::pair<u64, u64>;

TEST_P(SamplesTest, CountForTheCallPathsOfTheirStacks) {
    MadeTrace trace({.ranks = 1});
    define_contexts(trace);
    sample(trace, in_main, 2);
    sample(trace, in_solve, 3);
    sample(trace, in_recursion, 5);
    sample(trace, in_io, 7);
    const TraceProfile found = profile(trace);
    EXPECT_EQ(samples(found, "main"), (Pair{2, 17}));
    EXPECT_EQ(samples(found, "main/solve"), (Pair{3, 8}));
    EXPECT_EQ(samples(found, "main/solve/solve"), (Pair{5, 5}));
    EXPECT_EQ(samples(found, "main/write"), (Pair{7, 7}));
    EXPECT_EQ(found.names.size(), 4U);
}

/// Regions that are entered and regions on the stacks of samples are the same.
TEST_P(SamplesTest, StandBesideVisits) {
    MadeTrace trace({.ranks = 1});
    define_contexts(trace);
    const u64 main = trace.region("main");
    trace.record(0, 0, EventType::Enter, {main});
    sample(trace, in_solve, 4);
    trace.record(0, 0, EventType::Leave, {main});
    const TraceProfile found = profile(trace);
    EXPECT_EQ(samples(found, "main"), (Pair{0, 4}));
    EXPECT_EQ(samples(found, "main/solve"), (Pair{4, 4}));
    EXPECT_EQ(found.profile.moments(0, ProfileMetric::visits, false).total(), 1U);
}

TEST_P(SamplesTest, OfUndefinedStacksHaveNoCallPath) {
    MadeTrace trace({.ranks = 1});
    define_contexts(trace);
    sample(trace, static_cast<Context>(99));
    sample(trace, in_main);
    const TraceProfile found = profile(trace);
    EXPECT_EQ(samples(found, "main"), (Pair{1, 1}));
    EXPECT_EQ(found.names.size(), 1U);
    EXPECT_EQ(found.samples.without_context, 1U);
}

TEST_P(SamplesTest, AreCountedByInterruptGenerator) {
    MadeTrace trace({.ranks = 2});
    define_contexts(trace);
    trace.define([](DefinitionWriter& out) {
        out.add(DefinitionType::InterruptGenerator, {4, out.string("cycles"), 0, 0, 0, 1000});
        out.add(DefinitionType::InterruptGenerator, {5, out.string("timer"), 0, 0, 0, 1000});
    });
    for (const u64 generator : {5, 4, 5, 5, 9}) {
        trace.record(generator % 2, 0, EventType::CallingContextSample, {in_main, 1, generator});
    }
    const TraceProfile found = profile(trace);
    ASSERT_EQ(found.samples.generators.size(), 3U);
    EXPECT_EQ(found.samples.generators[0].name, "cycles");
    EXPECT_EQ(found.samples.generators[0].samples, 1U);
    EXPECT_EQ(found.samples.generators[1].name, "timer");
    EXPECT_EQ(found.samples.generators[1].samples, 3U);
    EXPECT_EQ(found.samples.generators[2].name, "") << "9 is not defined";
    EXPECT_EQ(found.samples.generators[2].samples, 1U);
    EXPECT_EQ(found.samples.without_context, 0U);
}

TEST(ProfileOverflowTest, NamesTheLocation) {
    const TestDirectory folder;
    MadeTrace trace({.ranks = 2});
    for (u64 tag = 0; tag < 3; ++tag) {
        trace.call(0, "MPI_Send", {{EventType::MpiSend, {1, 0, tag, 265}}});
        trace.call(1, "MPI_Recv", {{EventType::MpiRecv, {0, 0, tag, u64{1} << 63U}}});
    }
    trace.fold(folder / "made.tfold");
    TraceFile file(folder / "made.tfold");
    SerialCommunicator comm;
    ProfileRequest request;
    request.selected.assign(file.location_count(), true);
    const TraceProfile found = trace_profile(comm, file, request);
    ASSERT_EQ(found.overflows.size(), 1U);
    EXPECT_EQ(found.overflows[0].metric, ProfileMetric::received);
    EXPECT_EQ(found.overflows[0].label, "1");
    EXPECT_EQ(found.path(found.overflows[0].node), "MPI_Recv");
}

INSTANTIATE_TEST_SUITE_P(Levels, SamplesTest,
                         ::testing::Values(TimingLevel::exact, TimingLevel::none));

}  // namespace
}  // namespace tracefold
