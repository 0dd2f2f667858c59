// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/accelerators/accelerator_activity.hpp"

#include "questions/calls/tick_window.hpp"
#include "questions/metrics/metric_series.hpp"
#include "support/accelerator_trace.hpp"
#include "support/folded_archive.hpp"
#include "support/made_trace.hpp"
#include "support/sample_file.hpp"

#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

using Step = AcceleratorStep;
using Use = AcceleratorUse;

class AcceleratorActivityTest : public ::testing::TestWithParam<AcceleratorRecorder> {
  protected:
    AcceleratorActivityTest() {
        write_accelerator_archive(GetParam(), directory_.path().string());
        file_.emplace((directory_ / "traces.otf2").string(), TimingLevel::exact);
    }

    [[nodiscard]] bool is_cuda() const { return GetParam() == AcceleratorRecorder::cuda; }
    [[nodiscard]] static const AcceleratorActivity::Call& find(const AcceleratorActivity& activity,
                                                               const std::string& start) {
        for (const AcceleratorActivity::Call& call : activity.calls) {
            if (call.name.starts_with(start)) return call;
        }
        throw std::runtime_error("no call " + start);
    }

    TestDirectory directory_;
    std::optional<FoldedArchive> file_;
};

TEST_P(AcceleratorActivityTest, StreamsHaveKernelsAndCopies) {
    const AcceleratorActivity activity = accelerator_activity(**file_);
    ASSERT_EQ(activity.streams.size(), 4U);
    const AcceleratorActivity::Location& first = activity.streams[0];
    EXPECT_EQ(first.calls_of(Use::kernel), Step::kSteps);
    EXPECT_EQ(first.ticks_of(Use::kernel), Step::kSteps * Step::kStencil);
    EXPECT_EQ(first.calls_of(Use::copy), 2 * Step::kSteps);
    EXPECT_EQ(first.ticks_of(Use::copy), Step::kSteps * (Step::kToDevice + Step::kFromDevice));
    EXPECT_EQ(first.bytes, is_cuda() ? Step::kSteps * (Step::kBytesTo + Step::kBytesFrom) : 0);
    EXPECT_EQ(activity.streams[1].ticks_of(Use::kernel), Step::kSteps * Step::kReduce);
}

TEST_P(AcceleratorActivityTest, CallsAreTakenTogetherByName) {
    const AcceleratorActivity activity = accelerator_activity(**file_);
    const AcceleratorActivity::Call& stencil = find(activity, "stencil");
    EXPECT_EQ(stencil.use, Use::kernel);
    EXPECT_TRUE(stencil.on_stream);
    EXPECT_EQ(stencil.calls, Step::kRanks * Step::kSteps);
    EXPECT_EQ(stencil.ticks, Step::kRanks * Step::kSteps * Step::kStencil);
    EXPECT_EQ(stencil.shortest, Step::kStencil);
    EXPECT_EQ(stencil.longest, Step::kStencil);
    EXPECT_EQ(stencil.locations, Step::kRanks);
    const AcceleratorActivity::Call& wait =
        find(activity, is_cuda() ? "cudaStreamSynchronize" : "hipStreamSynchronize");
    EXPECT_EQ(wait.use, Use::wait);
    EXPECT_FALSE(wait.on_stream);
    EXPECT_EQ(wait.shortest, Step::kHostWait);
    EXPECT_EQ(wait.longest, Step::kHostWait + Step::kLateBy);
    EXPECT_EQ(wait.ticks, Step::kSteps * (2 * Step::kHostWait + Step::kLateBy));
}

TEST_P(AcceleratorActivityTest, MetricsOverTimeKeepTheirSums) {
    const CommonClock clock = common_clock(**file_);
    const TickWindow window{0, accelerator_activity(**file_).length};
    const std::vector<MetricSeries> series = metric_series(**file_, clock, window, 100);
    ASSERT_EQ(series.size(), 4U);
    // Cycles grow by the same number every tick: so they do in every column.
    for (const MetricSeries::Column& column : series[0].columns) {
        EXPECT_EQ(column.locations, Step::kRanks);
        EXPECT_NEAR(column.mean, 1e9 * Step::kCycles, 1);
    }
    EXPECT_EQ(series[0].locations, Step::kRanks);
    EXPECT_EQ(series[2].locations, 1U);
    for (const MetricSeries::Column& column : series[2].columns) {
        if (column.locations == 0) continue;
        EXPECT_GE(column.mean, accelerator_power(0));
        EXPECT_LE(column.mean, accelerator_power(3));
    }
}

/// A call is suspended with its task, and the calls of other tasks meanwhile are not within it.
TEST(AcceleratorTasksTest, CallsLastWhileTheirTaskRuns) {
    MadeTrace trace({.ranks = 1});
    const auto record = [&](u64 time, EventType type, const std::vector<u64>& fields) {
        trace.at(time);
        trace.record(0, 0, type, fields);
    };
    const u64 wait = trace.region("cudaDeviceSynchronize");
    const u64 call = trace.region("cudaMalloc");
    record(0, EventType::ThreadTaskSwitch, {0, 0, 1});
    record(10, EventType::Enter, {wait});
    record(20, EventType::ThreadTaskSwitch, {0, 0, 0});
    record(30, EventType::Enter, {call});
    record(40, EventType::Leave, {call});
    record(100, EventType::ThreadTaskSwitch, {0, 0, 1});
    record(110, EventType::Leave, {wait});
    const TestDirectory directory;
    const std::string path = (directory / "made.tfold").string();
    trace.fold(path);
    TraceFile file(path);
    const AcceleratorActivity activity = accelerator_activity(file);
    ASSERT_EQ(activity.threads.size(), 1U);
    EXPECT_EQ(activity.threads[0].ticks_of(Use::wait), 20U);
    EXPECT_EQ(activity.threads[0].calls_of(Use::wait), 1U);
    EXPECT_EQ(activity.threads[0].ticks_of(Use::call), 10U);
    EXPECT_EQ(activity.threads[0].calls_of(Use::call), 1U);
}

INSTANTIATE_TEST_SUITE_P(Recorders, AcceleratorActivityTest,
                         ::testing::Values(AcceleratorRecorder::cuda, AcceleratorRecorder::hip),
                         [](const auto& recorder) {
                             return recorder.param == AcceleratorRecorder::cuda ? "cuda" : "hip";
                         });

TEST(AcceleratorUseTest, NamesOfInterfaces) {
    constexpr auto kFunction = RegionRole::function;
    const auto on_host = [](const char* name, bool of_accelerator) {
        return use_on_host(name, kFunction, of_accelerator);
    };
    EXPECT_EQ(on_host("cudaMemcpy", true), Use::copy);
    EXPECT_EQ(on_host("hipMemcpyAsync", false), Use::copy);
    EXPECT_EQ(on_host("cudaStreamWaitEvent", true), Use::call);
    EXPECT_EQ(on_host("cuCtxSynchronize", true), Use::wait);
    EXPECT_EQ(on_host("clWaitForEvents", true), Use::wait);
    EXPECT_EQ(on_host("zeFenceHostSynchronize", true), Use::wait);
    EXPECT_EQ(on_host("cudaLaunchKernel", false), Use::call);
    EXPECT_EQ(on_host("hippo", false), Use::none);
    EXPECT_EQ(on_host("memcpy", false), Use::none);
    EXPECT_EQ(on_host("cut_edges", false), Use::none);
    EXPECT_EQ(use_on_stream("MEMORY_COPY_HOST_TO_DEVICE", kFunction), Use::copy);
    EXPECT_EQ(use_on_stream("GPU IDLE", kFunction), Use::idle);
    EXPECT_EQ(use_on_stream("hipMallocAsync", RegionRole::allocate), Use::call);
    EXPECT_EQ(use_on_stream("MEMORY_ALLOCATION_FREE", kFunction), Use::call);
    EXPECT_EQ(use_on_stream("saxpy", kFunction), Use::kernel);
}

}  // namespace
}  // namespace tracefold::testing
