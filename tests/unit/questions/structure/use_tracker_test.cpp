// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/participant_names.hpp"
#include "questions/calls/call_lister.hpp"
#include "questions/calls/tick_window.hpp"
#include "questions/structure/symbol_uses.hpp"
#include "support/accelerator_trace.hpp"
#include "support/folded_archive.hpp"
#include "support/made_threads.hpp"
#include "support/sample_file.hpp"
#include "support/test_directory.hpp"
#include "support/time_uses.hpp"

#include <map>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

using Step = AcceleratorStep;

/// Locations of a sample that record events.
class UseTrackerTest : public ::testing::TestWithParam<const char*> {
  protected:
    UseTrackerTest() {
        for (u32 i = 0; i < file_->location_count(); ++i) {
            if (file_->index().script(Stream::events, i) != kNone) locations_.push_back(i);
        }
    }

    SampleFile file_{GetParam(), TimingLevel::exact};
    std::vector<u32> locations_;
};

u64 sum_of(const TimeUses& uses) { return std::accumulate(uses.begin(), uses.end(), u64{0}); }

TEST_P(UseTrackerTest, StretchesFollowEachOtherFromTheFirstRecordToTheLast) {
    for (const u32 location : locations_) {
        SCOPED_TRACE(location);
        TickWindow life{~u64{0}, 0};
        for (CallReader calls(*file_, location); calls.next();) {
            life.begin = std::min(life.begin, calls.records()[0].time);
            life.end = calls.records()[calls.records().size() - 1].time;
        }
        u64 last = life.begin;
        const auto follow = [&last](u64 begin, u64 end, TimeUse) {
            EXPECT_EQ(begin, last);
            EXPECT_LE(begin, end);
            last = end;
        };
        EXPECT_EQ(sum_of(time_uses(*file_, location, follow)), life.length());
        EXPECT_EQ(last, life.end);
    }
}

TEST_P(UseTrackerTest, TimeInCallsIsThatOfTheListing) {
    const u32 location = locations_.front();
    ListingSource source(*file_);
    const CommonClock clock = common_clock(*file_);
    CallLister calls(*file_, source.names(), clock, "", location);
    u64 inside = 0;
    u64 depth = 0;
    u64 since = 0;
    while (calls.next()) {
        const CallHead& head = calls.head();
        if (!head.name.starts_with("MPI_")) continue;
        if (head.kind == CallKind::call && depth == 0) inside += head.span->ticks;
        if (head.kind == CallKind::enter && depth++ == 0) since = *head.begin;
        if (head.kind == CallKind::leave && --depth == 0) inside += *head.begin - since;
    }
    const TimeUses uses = time_uses(*file_, location);
    u64 outside = 0;
    for (const TimeUse use : {TimeUse::computation, TimeUse::thread_wait, TimeUse::idle}) {
        outside += ticks_of(uses, use);
    }
    EXPECT_EQ(sum_of(uses) - outside, inside);
}

TEST(ThreadUsesTest, BarriersOfThreadsAreNoComputation) {
    const TestDirectory directory;
    const std::string path = (directory / "threads.tfold").string();
    Threads threads(2);
    add_late_thread(threads);
    threads.trace.fold(path);
    TraceFile file(path);
    const auto ticks = [&file](u32 location, TimeUse use) {
        return ticks_of(time_uses(file, location), use);
    };
    // Making and ending the team takes the first thread five ticks, and the second one two.
    EXPECT_EQ(ticks(0, TimeUse::thread_wait), 4U + 5);
    EXPECT_EQ(ticks(0, TimeUse::other_mpi), 2U);
    EXPECT_EQ(ticks(0, TimeUse::computation), 10U);
    EXPECT_EQ(ticks(1, TimeUse::thread_wait), 2U + 2);
    EXPECT_EQ(ticks(1, TimeUse::computation), 8U);
}

INSTANTIATE_TEST_SUITE_P(Samples, UseTrackerTest,
                         ::testing::Values("micro-stencil2d9p-isend-4", "micro-mpiio-4",
                                           "micro-omphyb-4", "npb-lu.S-4", "tau-colls-4"),
                         [](const auto& sample) {
                             std::string name = sample.param;
                             std::replace_if(
                                 name.begin(), name.end(),
                                 [](char c) { return std::isalnum(c) == 0; }, '_');
                             return name;
                         });

class AcceleratorUsesTest : public ::testing::TestWithParam<AcceleratorRecorder> {
  protected:
    AcceleratorUsesTest() {
        write_accelerator_archive(GetParam(), directory_.path().string());
        file_.emplace((directory_ / "traces.otf2").string(), TimingLevel::exact);
    }

    /// By name of the location.
    std::map<std::string, TimeUses> all_uses() {
        const ParticipantNames names((*file_)->definitions());
        std::map<std::string, TimeUses> uses;
        for (u32 i = 0; i < (*file_)->location_count(); ++i) {
            uses[names.label(i)] = time_uses(**file_, i);
        }
        return uses;
    }

    TestDirectory directory_;
    std::optional<FoldedArchive> file_;
};

TEST_P(AcceleratorUsesTest, StreamsRunKernelsAndCopies) {
    const std::string kind = GetParam() == AcceleratorRecorder::cuda ? "CUDA" : "HIP";
    const auto all = all_uses();
    for (const std::string rank : {"0", "1"}) {
        const TimeUses& first = all.at(rank + " " + kind + "[0:7]");
        EXPECT_EQ(ticks_of(first, TimeUse::kernel), Step::kSteps * Step::kStencil);
        EXPECT_EQ(ticks_of(first, TimeUse::device_copy),
                  Step::kSteps * (Step::kToDevice + Step::kFromDevice));
        // From the first record of the stream to its last one.
        const u64 step = 100 + Step::kToDevice + Step::kStencil + Step::kFromDevice;
        EXPECT_EQ(ticks_of(first, TimeUse::idle),
                  (Step::kSteps - 1) * (Step::kLength - step) + Step::kSteps * 100);
        EXPECT_EQ(ticks_of(first, TimeUse::computation), 0U);
        EXPECT_EQ(ticks_of(all.at(rank + " " + kind + "[0:13]"), TimeUse::kernel),
                  Step::kSteps * Step::kReduce);
    }
}

TEST_P(AcceleratorUsesTest, ThreadsWaitForThem) {
    const auto all = all_uses();
    for (const u32 rank : {0U, 1U}) {
        const TimeUses& host = all.at(std::to_string(rank));
        EXPECT_EQ(ticks_of(host, TimeUse::device_wait),
                  Step::kSteps * (Step::kHostWait + rank * Step::kLateBy));
        EXPECT_EQ(ticks_of(host, TimeUse::device_copy), Step::kSteps * 2 * Step::kCallLength);
        EXPECT_EQ(ticks_of(host, TimeUse::device_call), Step::kSteps * 2 * Step::kCallLength);
        EXPECT_EQ(ticks_of(host, TimeUse::idle), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(Recorders, AcceleratorUsesTest,
                         ::testing::Values(AcceleratorRecorder::cuda, AcceleratorRecorder::hip),
                         [](const auto& recorder) {
                             return recorder.param == AcceleratorRecorder::cuda ? "cuda" : "hip";
                         });

}  // namespace
}  // namespace tracefold::testing
