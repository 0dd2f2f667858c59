// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/efficiency.hpp"
#include "support/accelerator_trace.hpp"
#include "support/folded_archive.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

using Step = AcceleratorStep;

/// From the end of MPI_Init at 900 to the begin of MPI_Finalize 500 before the end of the trace.
constexpr u64 kSpan = Step::kFirst + Step::kSteps * Step::kLength + 1'000 - 500 - 900;
/// Outside of MPI_Allreduce, which takes 300 in each step.
constexpr u64 kOutsideMpi = kSpan - Step::kSteps * 300;

class DeviceEfficiencyTest : public ::testing::TestWithParam<AcceleratorRecorder> {
  protected:
    DeviceEfficiencyTest() {
        write_accelerator_archive(GetParam(), directory_.path().string());
        FoldedArchive file((directory_ / "traces.otf2").string(), TimingLevel::exact);
        result_ = trace_efficiency(*file);
    }

    TestDirectory directory_;
    Efficiency result_;
};

TEST_P(DeviceEfficiencyTest, WhatTheHostSpendsOnAcceleratorsIsNotUseful) {
    ASSERT_EQ(result_.threads.threads.size(), Step::kRanks);
    double useful = 0;
    for (u32 rank = 0; rank < Step::kRanks; ++rank) {
        const ThreadTimes& host = result_.threads.threads[rank];
        const u64 wait = Step::kSteps * (Step::kHostWait + rank * Step::kLateBy);
        EXPECT_EQ(host.of(ThreadUse::device_wait), wait);
        EXPECT_EQ(host.of(ThreadUse::device_copy), Step::kSteps * 2 * Step::kCallLength);
        EXPECT_EQ(host.of(ThreadUse::device_call), Step::kSteps * 2 * Step::kCallLength);
        EXPECT_EQ(host.of(ThreadUse::barrier), 0U);
        EXPECT_EQ(host.computation(), kOutsideMpi);
        EXPECT_EQ(host.computation(), result_.ranks[rank].computation);
        useful += static_cast<double>(host.of(ThreadUse::work));
    }
    EXPECT_DOUBLE_EQ(*result_.device_offload, useful / (2 * kOutsideMpi));
    EXPECT_DOUBLE_EQ(*result_.host, *result_.parallel * *result_.device_offload);
    EXPECT_NEAR(*result_.host, useful / 2 / kSpan, 1e-12);
}

/// The kernel on the second stream runs while that on the first one does.
TEST_P(DeviceEfficiencyTest, StreamsOfAnAcceleratorAreLookedAtTogether) {
    ASSERT_EQ(result_.devices.size(), Step::kRanks);
    for (u32 rank = 0; rank < Step::kRanks; ++rank) {
        const DeviceTimes& device = result_.devices[rank];
        EXPECT_EQ(device.process, rank);
        EXPECT_EQ(device.streams, 2U);
        EXPECT_EQ(device.span, kSpan);
        EXPECT_EQ(device.kernels, Step::kSteps * Step::kStencil);
        EXPECT_EQ(device.copies, Step::kSteps * (Step::kToDevice + Step::kFromDevice));
    }
    constexpr double kKernels = Step::kSteps * Step::kStencil;
    constexpr double kBusy = kKernels + Step::kSteps * (Step::kToDevice + Step::kFromDevice);
    EXPECT_DOUBLE_EQ(*result_.device_load_balance, 1.0);
    EXPECT_DOUBLE_EQ(*result_.device_communication, kKernels / kBusy);
    EXPECT_DOUBLE_EQ(*result_.device_orchestration, kBusy / kSpan);
    EXPECT_DOUBLE_EQ(*result_.device_parallel, kKernels / kSpan);
}

TEST_P(DeviceEfficiencyTest, AProcessWithoutMpiHasItsFactorsTooForAllItsTime) {
    TestDirectory directory;
    write_accelerator_archive(GetParam(), directory.path().string(),
                              AcceleratorHost::single_process);
    FoldedArchive file((directory / "traces.otf2").string(), TimingLevel::exact);
    const Efficiency alone = trace_efficiency(*file);
    constexpr u64 kAll = Step::kFirst + Step::kSteps * Step::kLength + 1'000 - 100;
    constexpr double kOfHost = Step::kSteps * (Step::kHostWait + 4 * Step::kCallLength);
    EXPECT_FALSE(alone.has_mpi);
    ASSERT_EQ(alone.threads.threads.size(), 1U);
    EXPECT_EQ(alone.threads.threads[0].of(ThreadUse::device_wait), Step::kSteps * Step::kHostWait);
    EXPECT_DOUBLE_EQ(*alone.device_offload, (kAll - kOfHost) / kAll);
    ASSERT_EQ(alone.devices.size(), 1U);
    EXPECT_EQ(alone.devices[0].span, kAll);
    EXPECT_EQ(alone.devices[0].kernels, Step::kSteps * Step::kStencil);
    EXPECT_DOUBLE_EQ(*alone.device_parallel, 1.0 * Step::kSteps * Step::kStencil / kAll);
}

TEST_P(DeviceEfficiencyTest, WaitsForAcceleratorsAreToldByCallPath) {
    ASSERT_EQ(result_.threads.waits.size(), Step::kRanks);
    for (const ThreadEfficiency::Wait& wait : result_.threads.waits) {
        EXPECT_TRUE(wait.path.ends_with("StreamSynchronize")) << wait.path;
        EXPECT_EQ(wait.use, ThreadUse::device_wait);
        EXPECT_EQ(wait.count, Step::kSteps);
    }
    EXPECT_FALSE(result_.has_threads);
    EXPECT_FALSE(result_.hybrid.has_value());
}

INSTANTIATE_TEST_SUITE_P(Recorders, DeviceEfficiencyTest,
                         ::testing::Values(AcceleratorRecorder::cuda, AcceleratorRecorder::hip),
                         [](const auto& test) {
                             return test.param == AcceleratorRecorder::cuda ? "Cuda" : "Hip";
                         });

}  // namespace
}  // namespace tracefold::testing
