// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/location_profiler.hpp"

#include "file/call_reader.hpp"
#include "questions/profile/folded_profiler.hpp"
#include "questions/profile/trace_profile.hpp"
#include "support/sample_file.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TraceProfile profile_of(const std::string& sample, TimingLevel timing) {
    SampleFile file(sample, timing);
    SerialCommunicator comm;
    ProfileRequest request;
    request.selected.assign(file->location_count(), true);
    return trace_profile(comm, *file, request);
}

u64 total(const TraceProfile& profile, const std::string& path, ProfileMetric metric,
          bool inclusive = false) {
    for (u32 node = 0; node < profile.names.size(); ++node) {
        if (profile.path(node) == path) {
            return profile.profile.moments(node, metric, inclusive).total().value();
        }
    }
    ADD_FAILURE() << "no call path " << path;
    return 0;
}

TEST(LocationProfilerTest, RegionsWithinRegionsAreCallPaths) {
    const TraceProfile profile = profile_of("micro-user-4", TimingLevel::exact);
    EXPECT_EQ(profile.names.front(), "user");
    EXPECT_EQ(total(profile, "user", ProfileMetric::visits), 4U);
    EXPECT_EQ(total(profile, "user/timestep/MPI_Sendrecv", ProfileMetric::visits),
              total(profile, "user/timestep/MPI_Allreduce", ProfileMetric::visits));
    EXPECT_EQ(total(profile, "user/timestep/MPI_Sendrecv", ProfileMetric::sent),
              total(profile, "user/timestep/MPI_Sendrecv", ProfileMetric::received));
    EXPECT_EQ(total(profile, "user/timestep/MPI_Sendrecv", ProfileMetric::sent_collective), 0U);
    EXPECT_GT(total(profile, "user/timestep/MPI_Allreduce", ProfileMetric::sent_collective), 0U);
    EXPECT_EQ(total(profile, "user/timestep/MPI_Allreduce", ProfileMetric::sent_messages), 0U);
    EXPECT_EQ(total(profile, "user/timestep/rec/rec", ProfileMetric::visits),
              total(profile, "user/timestep/rec", ProfileMetric::visits));
}

/// From the first record to the last one, of all locations.
u64 spans(TraceFile& file) {
    u64 sum = 0;
    for (u32 location = 0; location < file.location_count(); ++location) {
        CallReader stream(file, location);
        u64 first = 0;
        u64 last = 0;
        for (bool begun = false; stream.next(); begun = true) {
            if (!begun) first = stream.records()[0].time;
            last = stream.records()[stream.records().size() - 1].time;
        }
        sum += last - first;
    }
    return sum;
}

TEST(LocationProfilerTest, TimeIsThatOfTheProgram) {
    SampleFile file("micro-user-4", TimingLevel::exact);
    const TraceProfile profile = profile_of("micro-user-4", TimingLevel::exact);
    EXPECT_EQ(total(profile, "user", ProfileMetric::time, true), spans(*file));
}

TEST(LocationProfilerTest, CountsDoNotDependOnWhatIsKeptOfTimes) {
    const TraceProfile exact = profile_of("npb-lu.S-4", TimingLevel::exact);
    for (const auto timing : {TimingLevel::none, TimingLevel::histogram, TimingLevel::quantized}) {
        const TraceProfile other = profile_of("npb-lu.S-4", timing);
        EXPECT_EQ(other.has_times, timing != TimingLevel::none);
        ASSERT_EQ(other.names, exact.names);
        for (u32 node = 0; node < exact.names.size(); ++node) {
            for (std::size_t i = 0; i < kProfileMetrics; ++i) {
                const auto metric = static_cast<ProfileMetric>(i);
                if (metric == ProfileMetric::time) continue;
                EXPECT_EQ(other.profile.moments(node, metric, true),
                          exact.profile.moments(node, metric, true));
            }
        }
    }
}

/// The folded form against unwinding, for every location that it tells all about.
void expect_equal_counts(const std::string& sample, u32 least) {
    SampleFile file(sample, TimingLevel::none);
    std::vector<u32> locations(file->location_count());
    std::iota(locations.begin(), locations.end(), 0U);
    CallTree tree;
    auto counted = FoldedProfiler(*file).run(locations, locations, tree);
    EXPECT_GE(counted.size(), least) << sample;
    for (const auto& [location, values] : counted) {
        CallTree other;
        TraceThreads threads(*file);
        const auto unwound =
            LocationProfiler(*file, location, location, false, other, threads).run();
        const std::vector<u32> numbers = tree.merge(other);
        ASSERT_EQ(values.size(), unwound.size()) << sample;
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_EQ(values[i].node, numbers[unwound[i].node]) << sample;
            EXPECT_EQ(values[i].values, unwound[i].values) << sample;
        }
    }
}

TEST(FoldedProfilerTest, CountsWhatUnwindingCounts) {
    expect_equal_counts("npb-lu.S-4", 4);
    expect_equal_counts("micro-stencil2d9p-isend-4", 4);
    for (const char* sample : {"micro-anysrc-4", "micro-mpiio-4", "micro-omphyb-4", "micro-pcoll-4",
                               "micro-rma-4", "micro-user-4", "tau-colls-4"}) {
        expect_equal_counts(sample, 0);
    }
}

TEST(ProcessAdviceTest, MoreProcessesTakeLessMemoryEach) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    const std::vector<bool> all(file->location_count(), true);
    const ProcessAdvice roomy = advise_processes(*file, all, true, u64{1} << 30U);
    EXPECT_EQ(roomy.processes, 1U);
    EXPECT_EQ(roomy.locations, 4U);
    EXPECT_EQ(roomy.call_paths, profile_of("npb-lu.S-4", TimingLevel::none).names.size());
    const u64 tight = roomy.bytes_per_process(3);
    const ProcessAdvice narrow = advise_processes(*file, all, true, tight);
    EXPECT_EQ(narrow.processes, 3U);
    EXPECT_LE(narrow.bytes_per_process(3), tight);
    EXPECT_GT(narrow.bytes_per_process(2), tight);
    EXPECT_EQ(advise_processes(*file, all, true, roomy.fixed_bytes).processes, 0U);
    EXPECT_LT(advise_processes(*file, all, false, tight).shared_bytes, roomy.shared_bytes);
}

TEST(ProcessAdviceTest, RowsAreNoMoreThanAdvised) {
    for (const char* sample : {"npb-lu.S-4", "micro-user-4", "micro-stencil2d9p-isend-4"}) {
        SampleFile file(sample, TimingLevel::exact);
        const std::vector<bool> all(file->location_count(), true);
        const ProcessAdvice advice = advise_processes(*file, all, true, u64{1} << 30U);
        const TraceProfile profile = profile_of(sample, TimingLevel::exact);
        if (!advice.complete) continue;
        EXPECT_LE(profile.profile.costs[0].row_bytes, advice.rows * advice.locations * 8);
        EXPECT_EQ(profile.names.size(), advice.call_paths);
    }
}

TEST(LocationProfilerTest, MeansOfHistogramsGiveAboutTheTimesThatWere) {
    const TraceProfile exact = profile_of("npb-lu.S-4", TimingLevel::exact);
    const TraceProfile means = profile_of("npb-lu.S-4", TimingLevel::histogram);
    const auto expected =
        static_cast<double>(exact.profile.moments(0, ProfileMetric::time, true).total().value());
    const auto found =
        static_cast<double>(means.profile.moments(0, ProfileMetric::time, true).total().value());
    // Means of a location are kept to seven bits.
    EXPECT_NEAR(found / expected, 1.0, 1.0 / 64);
}

TEST(LocationProfilerTest, WorkersAreBelowTheRegionThatForkedThem) {
    const TraceProfile profile = profile_of("micro-omphyb-4", TimingLevel::exact);
    std::vector<std::string> roots;
    for (u32 node = 0; node < profile.names.size(); ++node) {
        if (profile.profile.tree[node].parent == kNone) roots.push_back(profile.names[node]);
    }
    EXPECT_EQ(roots, (std::vector<std::string>{"omphyb", "TASKS"}));
    // Four ranks with three threads each, twenty times.
    EXPECT_EQ(total(profile, "omphyb/!$omp parallel @omphyb.c:8", ProfileMetric::visits), 240U);
}

TEST(TraceProfileTest, OnlySelectedLocationsCount) {
    SampleFile file("npb-lu.S-4", TimingLevel::none);
    SerialCommunicator comm;
    ProfileRequest request;
    request.selected = {true, false, false, true};
    request.by = ProfileGroups::rank;
    const TraceProfile profile = trace_profile(comm, *file, request);
    EXPECT_EQ(profile.profile.locations, 2U);
    EXPECT_EQ(profile.groups, (std::vector<std::string>{"0", "3"}));
    const auto visits = profile.profile.nodes[0].exclusive.groups(ProfileMetric::visits);
    EXPECT_EQ(std::vector<u64>(visits.begin(), visits.end()), (std::vector<u64>{1, 1}));
}

}  // namespace
}  // namespace tracefold
