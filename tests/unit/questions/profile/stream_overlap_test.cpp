// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "questions/accelerators/accelerator_activity.hpp"
#include "questions/matrix/traffic_matrix.hpp"
#include "questions/profile/detail/thread_efficiency.hpp"
#include "questions/profile/trace_profile.hpp"
#include "questions/system/system_tree.hpp"
#include "support/folded_archive.hpp"
#include "support/stream_trace.hpp"

#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

using Trace = StreamTrace;
using Use = AcceleratorUse;

class StreamOverlapTest : public ::testing::Test {
  protected:
    TraceFile& fold() {
        trace_.write(directory_.path().string());
        file_.emplace((directory_ / "traces.otf2").string(), TimingLevel::exact);
        return **file_;
    }
    AcceleratorActivity activity() { return accelerator_activity(fold()); }

    static const AcceleratorActivity::Call& find(const AcceleratorActivity& activity,
                                                 const std::string& name) {
        for (const AcceleratorActivity::Call& call : activity.calls) {
            if (call.name == name) return call;
        }
        throw std::runtime_error("no call " + name);
    }

    /// Exclusive ticks of a call path of one region.
    u64 profiled(const std::string& name) {
        ProfileRequest request;
        request.selected.assign((*file_)->location_count(), true);
        SerialCommunicator alone;
        const TraceProfile profile = trace_profile(alone, **file_, request);
        for (u32 node = 0; node < profile.names.size(); ++node) {
            if (profile.path(node) != name) continue;
            return profile.profile.moments(node, ProfileMetric::time, false).total().value();
        }
        throw std::runtime_error("no call path " + name);
    }

    void copy(u64 begin, u64 end, u64 matching, EventType type = EventType::RmaGet) {
        trace_.event(Trace::kStream, begin, type, {0, 0, 100, matching});
        trace_.event(Trace::kStream, end, EventType::RmaOpCompleteBlocking, {0, matching});
    }

    Trace trace_;
    TestDirectory directory_;
    std::optional<FoldedArchive> file_;
};

TEST_F(StreamOverlapTest, KernelsThatDoNotNestHaveTheirOwnTimes) {
    for (u64 step = 0; step < 5; ++step) {
        const u64 at = 1000 + 100 * step;
        trace_.enter(Trace::kStream, at, Trace::kernel_a);
        trace_.enter(Trace::kStream, at + 10, Trace::kernel_b);
        trace_.leave(Trace::kStream, at + 30, Trace::kernel_a);
        trace_.leave(Trace::kStream, at + 50, Trace::kernel_b);
        trace_.call(Trace::kStream, at + 60, at + 60, Trace::kernel_z);
    }
    const AcceleratorActivity found = activity();
    EXPECT_EQ(find(found, "kernelA").calls, 5U);
    EXPECT_EQ(find(found, "kernelA").ticks, 5U * 30);
    EXPECT_EQ(find(found, "kernelB").ticks, 5U * 40);
    EXPECT_EQ(find(found, "kernelZ").calls, 5U);
    EXPECT_EQ(find(found, "kernelZ").ticks, 0U);
    EXPECT_EQ(found.streams[0].calls_of(Use::kernel), 15U);
    EXPECT_EQ(found.streams[0].ticks_of(Use::kernel), 5U * 50);
    EXPECT_EQ(found.streams[0].busy, 5U * 50);
    EXPECT_EQ(found.length, 460U);
    EXPECT_EQ(profiled("kernelA"), 5U * 30);
    EXPECT_EQ(profiled("kernelB"), 5U * 40);
    EXPECT_EQ(profiled("kernelZ"), 0U);
    const std::vector<DeviceTimes> devices = device_times(**file_, {{{0}, {{{0, 2000}}}}});
    ASSERT_FALSE(devices.empty());
    EXPECT_EQ(devices[0].kernels, 5U * 50);
}

TEST_F(StreamOverlapTest, TheFirstKernelOfANameEndsFirst) {
    trace_.enter(Trace::kStream, 0, Trace::kernel_a);
    trace_.enter(Trace::kStream, 10, Trace::kernel_a);
    trace_.enter(Trace::kStream, 20, Trace::kernel_a);
    trace_.leave(Trace::kStream, 30, Trace::kernel_a);
    trace_.leave(Trace::kStream, 50, Trace::kernel_a);
    trace_.leave(Trace::kStream, 100, Trace::kernel_a);
    const AcceleratorActivity found = activity();
    const AcceleratorActivity::Call& kernel = find(found, "kernelA");
    EXPECT_EQ(kernel.calls, 3U);
    EXPECT_EQ(kernel.shortest, 30U);
    EXPECT_EQ(kernel.longest, 80U);
    EXPECT_EQ(kernel.ticks, 30U + 40 + 80);
    EXPECT_EQ(found.streams[0].busy, 100U);
    EXPECT_EQ(profiled("kernelA"), 150U);
}

TEST_F(StreamOverlapTest, AKernelThatNeverEndsHasNoTime) {
    trace_.enter(Trace::kStream, 0, Trace::kernel_b);
    trace_.call(Trace::kStream, 10, 20, Trace::kernel_a);
    trace_.enter(Trace::kStream, 30, Trace::kernel_a);
    trace_.enter(Trace::kStream, 35, Trace::kernel_z);
    trace_.leave(Trace::kStream, 40, Trace::kernel_z);
    trace_.leave(Trace::kStream, 60, Trace::kernel_a);
    const AcceleratorActivity found = activity();
    EXPECT_EQ(found.streams[0].busy, 10U + 30);
    EXPECT_EQ(found.streams[0].calls_of(Use::kernel), 3U);
    EXPECT_EQ(profiled("kernelA"), 40U);
    EXPECT_EQ(profiled("kernelB"), 0U);
}

TEST_F(StreamOverlapTest, CopiesOverlapKernelsAndEachOther) {
    trace_.enter(Trace::kStream, 0, Trace::kernel_a);
    trace_.event(Trace::kStream, 10, EventType::RmaGet, {0, 0, 100, 7});
    trace_.event(Trace::kStream, 20, EventType::RmaPut, {0, 0, 40, 8});
    trace_.leave(Trace::kStream, 30, Trace::kernel_a);
    trace_.event(Trace::kStream, 40, EventType::RmaOpCompleteBlocking, {0, 8});
    trace_.event(Trace::kStream, 70, EventType::RmaOpCompleteBlocking, {0, 7});
    const AcceleratorActivity found = activity();
    EXPECT_EQ(find(found, "COPY TO DEVICE").ticks, 60U);
    EXPECT_EQ(find(found, "COPY FROM DEVICE").ticks, 20U);
    EXPECT_EQ(find(found, "kernelA").ticks, 30U);
    EXPECT_EQ(found.streams[0].ticks_of(Use::copy), 60U);
    EXPECT_EQ(found.streams[0].ticks_of(Use::kernel), 30U);
    EXPECT_EQ(found.streams[0].busy, 70U);
    EXPECT_EQ(found.streams[0].bytes, 140U);
    EXPECT_EQ(profiled("COPY TO DEVICE"), 60U);
    EXPECT_EQ(profiled("COPY FROM DEVICE"), 20U);
}

/// The second node's clock is 1000 s behind, and gains 1 % on the first one.
TEST_F(StreamOverlapTest, ClocksOfNodesAreCorrected) {
    constexpr u64 kSecond = 1'000'000'000;
    const i64 behind = 1000 * static_cast<i64>(kSecond);
    trace_.offsets[0] = {{2000 * kSecond, 0}};
    trace_.offsets[1] = {{1000 * kSecond, behind},
                         {1000 * kSecond + kSecond, behind - static_cast<i64>(kSecond / 100)}};
    trace_.call(Trace::kHost, 2000 * kSecond, 2000 * kSecond + 100, Trace::init);
    trace_.call(Trace::kHost, 2001 * kSecond - 100, 2001 * kSecond, Trace::finalize);
    trace_.call(Trace::kStream, 2000 * kSecond, 2000 * kSecond + kSecond / 5, Trace::kernel_a);
    // Without offsets of its own: the clock of the node counts.
    trace_.call(Trace::kStream + 1, 1000 * kSecond + kSecond / 2,
                1000 * kSecond + kSecond / 2 + kSecond / 10, Trace::kernel_a);
    trace_.call(Trace::kHost + 1, 1000 * kSecond, 1000 * kSecond + 100, Trace::init);
    const AcceleratorActivity found = activity();
    EXPECT_EQ(found.length, kSecond);
    EXPECT_EQ(found.streams[0].busy, kSecond / 5);
    EXPECT_EQ(found.streams[1].busy, kSecond / 10);
    // Of the second node's kernel, 0.495 s to 0.594 s on the common clock.
    const std::vector<DeviceTimes> devices = device_times(
        **file_,
        {{{0}, {{{2000 * kSecond, 2001 * kSecond}}}}, {{1}, {{{2000 * kSecond, 2001 * kSecond}}}}});
    ASSERT_EQ(devices.size(), 2U);
    EXPECT_EQ(devices[1].kernels, kSecond / 1000 * 99);
}

TEST_F(StreamOverlapTest, WindowsOfCopiesAreNotOfMpi) {
    for (const u64 rank : {0, 1}) {
        const u64 host = Trace::kHost + rank;
        const u64 stream = Trace::kStream + rank;
        trace_.call(host, 100, 200, Trace::init);
        trace_.event(host, 300, EventType::RmaWinCreate, {rank});
        trace_.enter(host, 1000, Trace::copy_call);
        trace_.event(host, 1100, EventType::RmaPut, {rank, 1, 50, 3});
        trace_.event(host, 1200, EventType::RmaOpCompleteBlocking, {rank, 3});
        trace_.leave(host, 1500, Trace::copy_call);
        trace_.enter(host, 1600, Trace::barrier);
        trace_.event(host, 1600, EventType::MpiCollectiveBegin);
        trace_.event(host, 1700, EventType::MpiCollectiveEnd, {0, 0, 0xFFFFFFFF, 0, 0});
        trace_.leave(host, 1700, Trace::barrier);
        trace_.event(host, 8900, EventType::RmaWinDestroy, {rank});
        trace_.call(host, 9000, 9100, Trace::finalize);
        trace_.event(stream, 1100, EventType::RmaGet, {rank, 0, 1000, 4});
        trace_.event(stream, 1400, EventType::RmaOpCompleteBlocking, {rank, 4});
    }
    TraceFile& file = fold();
    MpiCallReader calls(file, 0);
    std::vector<MpiFunction> functions;
    for (MpiCall call; calls.next(call);) functions.push_back(call.function);
    EXPECT_EQ(functions,
              (std::vector{MpiFunction::Init, MpiFunction::Barrier, MpiFunction::Finalize}));
    EXPECT_TRUE(file.definitions().is_mpi_window(7));
    EXPECT_FALSE(file.definitions().is_mpi_window(0));

    const ParticipantNames names(file.definitions());
    const RankGroups ranks = rank_groups(file, names, GroupBy::rank);
    ExecutionCounts counts(file.index());
    const TrafficMatrix copies =
        traffic_matrix(file, counts, ranks, std::vector<bool>(file.location_count(), true),
                       TrafficKind::one_sided);
    EXPECT_EQ(copies.unknown.calls, 0U);
    ASSERT_EQ(copies.cells.size(), 2U);
    for (const u32 rank : {0U, 1U}) {
        const TrafficMatrix::Cell& own = copies.cells.at({rank, rank});
        EXPECT_EQ(own.calls, 2U);
        EXPECT_EQ(own.bytes, 1050U);
    }
}

}  // namespace
}  // namespace tracefold::testing
