// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/call_stream.hpp"
#include "profile/trace_profile.hpp"
#include "unit/pipeline/sample_file.hpp"

#include <map>

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
            return profile.profile.moments(node, metric, inclusive).total();
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
        CallStream stream(file, location);
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

TEST(LocationProfilerTest, MeansOfHistogramsGiveAboutTheTimesThatWere) {
    const TraceProfile exact = profile_of("npb-lu.S-4", TimingLevel::exact);
    const TraceProfile means = profile_of("npb-lu.S-4", TimingLevel::histogram);
    const auto expected =
        static_cast<double>(exact.profile.moments(0, ProfileMetric::time, true).total());
    const auto found =
        static_cast<double>(means.profile.moments(0, ProfileMetric::time, true).total());
    // Means of a location are kept to seven bits.
    EXPECT_NEAR(found / expected, 1.0, 1.0 / 64);
}

TEST(LocationProfilerTest, ThreadsOfARankHaveTreesOfTheirOwn) {
    const TraceProfile profile = profile_of("micro-omphyb-4", TimingLevel::exact);
    u64 roots = 0;
    for (u32 node = 0; node < profile.names.size(); ++node) {
        if (profile.profile.tree[node].parent == kNone) ++roots;
    }
    EXPECT_GT(roots, 1U);
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
