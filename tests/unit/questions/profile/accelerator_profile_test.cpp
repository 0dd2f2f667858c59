// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "questions/profile/metric_profile.hpp"
#include "questions/profile/trace_profile.hpp"
#include "support/accelerator_trace.hpp"
#include "support/folded_archive.hpp"

#include <bit>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

using Step = AcceleratorStep;

class AcceleratorProfileTest : public ::testing::TestWithParam<bool> {
  protected:
    AcceleratorProfileTest() {
        write_accelerator_archive(AcceleratorRecorder::cuda, directory_.path().string());
        file_.emplace((directory_ / "traces.otf2").string(), TimingLevel::exact);
        ProfileRequest request;
        request.selected.assign((*file_)->location_count(), true);
        request.times = GetParam();
        SerialCommunicator comm;
        profile_ = trace_profile(comm, **file_, request);
    }

    [[nodiscard]] u32 node(const std::string& path) const {
        for (u32 node = 0; node < profile_.names.size(); ++node) {
            if (profile_.path(node) == path) return node;
        }
        return kNone;
    }
    [[nodiscard]] Moments moments(const std::string& path, ProfileMetric metric) const {
        return profile_.profile.moments(node(path), metric, true);
    }
    /// The place of a metric.
    [[nodiscard]] u32 member(const std::string& name) const {
        for (u32 i = 0; i < profile_.metric_members.size(); ++i) {
            if (profile_.metric_members[i].name == name) return i;
        }
        return kNone;
    }

    TestDirectory directory_;
    std::optional<FoldedArchive> file_;
    TraceProfile profile_;
};

TEST_P(AcceleratorProfileTest, MeansAreOverThreadsOrStreams) {
    EXPECT_EQ(profile_.profile.locations, 6U);  // the power is none
    const Moments main = moments("main", ProfileMetric::visits);
    EXPECT_EQ(main.count(), Step::kRanks);
    EXPECT_GT(main.min(), 0U);
    const Moments stencil =
        moments("stencil<double>(double const*, double*, int)", ProfileMetric::visits);
    EXPECT_EQ(stencil.count(), 2 * Step::kRanks);
    EXPECT_EQ(stencil.max(), Step::kSteps);
}

TEST_P(AcceleratorProfileTest, CopiesAreCallPaths) {
    for (const char* name : {"COPY TO DEVICE", "COPY FROM DEVICE"}) {
        EXPECT_EQ(moments(name, ProfileMetric::visits).total(), Step::kRanks * Step::kSteps)
            << name;
    }
    if (!GetParam()) return;
    EXPECT_EQ(moments("COPY TO DEVICE", ProfileMetric::time).total(),
              Step::kRanks * Step::kSteps * Step::kToDevice);
}

TEST_P(AcceleratorProfileTest, CountersGrowWhereTheTimeGoes) {
    const u32 cycles = member("PAPI_TOT_CYC");
    const u32 wait = node("main/cudaStreamSynchronize");
    u64 found = 0;
    for (const MetricEntry& entry : profile_.metric_entries) {
        if (entry.member != cycles || entry.node != wait) continue;
        const u32 rank = entry.location == 0 ? 0 : 1;
        const u64 length = Step::kHostWait + rank * Step::kLateBy;
        EXPECT_EQ(entry.tally.count(), Step::kSteps);
        EXPECT_EQ(entry.tally.sum_text(), std::to_string(Step::kSteps * Step::kCycles * length));
        EXPECT_EQ(entry.tally.min_text(), std::to_string(Step::kCycles * length));
        EXPECT_EQ(entry.tally.max_text(), entry.tally.min_text());
        ++found;
    }
    EXPECT_EQ(found, Step::kRanks);
}

TEST_P(AcceleratorProfileTest, SamplesOfPowerAreInNoRegion) {
    const auto rows =
        metric_rows(profile_.metric_entries, [](const MetricEntry& entry) { return entry.node; });
    u64 found = 0;
    for (const MetricRow& row : rows) {
        if (row.member != member("power")) continue;
        EXPECT_EQ(row.place, kNone);
        EXPECT_EQ(row.locations, 1U);
        EXPECT_EQ(row.tally.min(), accelerator_power(0));
        EXPECT_EQ(row.tally.max(), accelerator_power(3));
        ++found;
    }
    EXPECT_EQ(found, 1U);
}

INSTANTIATE_TEST_SUITE_P(Times, AcceleratorProfileTest, ::testing::Bool());

TEST(MetricTallyTest, WholeNumbersAreExact) {
    constexpr auto kUint64 = ValueType::unsigned64;
    constexpr auto kInt64 = ValueType::signed64;
    MetricTally large;
    for (int i = 0; i < 3; ++i) large.add(kUint64, ~u64{0});
    EXPECT_EQ(large.sum_text(), "55340232221128654845");
    MetricTally negative;
    negative.add(kInt64, static_cast<u64>(i64{-5}));
    negative.add(kInt64, 2);
    EXPECT_EQ(negative.sum_text(), "-3");
    EXPECT_EQ(negative.min_text(), "-5");
    EXPECT_EQ(negative.max_text(), "2");
    EXPECT_EQ(negative.mean(), -1.5);
}

TEST(MetricTallyTest, TheMeanOfStatesIsThatOverTheirTime) {
    MetricTally tally;
    tally.add(ValueType::unsigned64, 10);
    tally.add(ValueType::unsigned64, 40);
    EXPECT_EQ(tally.mean(), 25);
    tally.add_state(10, 900);
    tally.add_state(40, 100);
    EXPECT_EQ(tally.mean(), 13);
    MetricTally both;
    both.merge(tally);
    both.merge(tally);
    EXPECT_EQ(both.mean(), 13);
}

TEST(MetricTallyTest, SumsOfRealNumbersDoNotDependOnTheOrder) {
    constexpr auto kDouble = ValueType::real64;
    const auto sum = [](std::initializer_list<double> values) {
        MetricTally tally;
        for (const double value : values) tally.add(kDouble, std::bit_cast<u64>(value));
        return tally.sum();
    };
    EXPECT_EQ(sum({1e16, 1, 1, -1e16}), 2);
    EXPECT_EQ(sum({1, 1e16, -1e16, 1}), 2);
}

}  // namespace
}  // namespace tracefold::testing
