// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline.hpp"

#include "analysis/iterations.hpp"
#include "analysis/node_clocks.hpp"
#include "listing/call_lister.hpp"
#include "names/participant_names.hpp"
#include "support/accelerator_trace.hpp"
#include "support/folded_archive.hpp"
#include "support/made_threads.hpp"
#include "support/sample_file.hpp"
#include "unit/io/test_directory.hpp"

#include <map>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

using Step = AcceleratorStep;

class TimelineTest : public ::testing::TestWithParam<const char*> {
  protected:
    TimelineTest() {
        for (u32 i = 0; i < file_->location_count(); ++i) {
            if (file_->index().script(Stream::events, i) != kNone) locations_.push_back(i);
        }
        window_ = recorded_window(*file_, locations_);
    }

    Timeline make(TickWindow window, std::size_t columns) {
        return make_timeline(*file_, locations_, window, columns,
                             iterations_.of(locations_.front()));
    }

    /// First and last tick of a location.
    TickWindow life_of(u32 location) {
        CallReader calls(*file_, location);
        TickWindow life{~u64{0}, 0};
        while (calls.next()) {
            const RecordSpan records = calls.records();
            if (life.begin > life.end) life.begin = records[0].time;
            life.end = records[records.size() - 1].time;
        }
        return life;
    }

    SampleFile file_{GetParam(), TimingLevel::exact};
    ListingSource source_{*file_};
    FoundSteps steps_{*file_};
    Iterations iterations_{*file_, source_, steps_};
    std::vector<u32> locations_;
    TickWindow window_;
};

u64 sum_of(const Timeline::Lane& lane) {
    u64 sum = 0;
    for (const Timeline::Column& column : lane.columns) {
        sum = std::accumulate(column.begin(), column.end(), sum);
    }
    return sum;
}

TEST_P(TimelineTest, LanesHoldAllOfTheirTimeAndNoMore) {
    for (const std::size_t columns : {1, 7, 300}) {
        const Timeline timeline = make(window_, columns);
        ASSERT_EQ(timeline.lanes.size(), locations_.size());
        for (const Timeline::Lane& lane : timeline.lanes) {
            EXPECT_EQ(sum_of(lane), life_of(lane.location).length()) << lane.location;
            for (const Timeline::Column& column : lane.columns) {
                EXPECT_LE(std::accumulate(column.begin(), column.end(), u64{0}),
                          column_width(window_, columns));
            }
        }
    }
}

TEST_P(TimelineTest, PartsOfTheWindowAddUp) {
    const u64 middle = window_.begin + window_.length() / 3;
    const Timeline all = make(window_, 1);
    const Timeline first = make({window_.begin, middle}, 11);
    const Timeline second = make({middle, window_.end}, 5);
    for (std::size_t lane = 0; lane < all.lanes.size(); ++lane) {
        EXPECT_EQ(sum_of(first.lanes[lane]) + sum_of(second.lanes[lane]), sum_of(all.lanes[lane]));
        for (std::size_t use = 0; use < kTimeUses; ++use) {
            u64 parts = 0;
            for (const Timeline::Column& column : first.lanes[lane].columns) parts += column[use];
            for (const Timeline::Column& column : second.lanes[lane].columns) parts += column[use];
            EXPECT_EQ(parts, all.lanes[lane].columns[0][use]);
        }
    }
}

TEST_P(TimelineTest, TimeInCallsIsThatOfTheListing) {
    const Timeline timeline = make(window_, 1);
    const u32 location = locations_.front();
    const CommonClock clock = common_clock(*file_);
    CallLister calls(*file_, source_.names(), clock, "", location);
    u64 inside = 0;
    u64 depth = 0;
    u64 since = 0;
    while (calls.next()) {
        const CallHead& head = calls.head();
        if (!head.name.starts_with("MPI_")) continue;
        if (head.kind == CallHead::Kind::call && depth == 0) inside += *head.ticks;
        if (head.kind == CallHead::Kind::enter && depth++ == 0) since = *head.begin;
        if (head.kind == CallHead::Kind::leave && --depth == 0) inside += *head.begin - since;
    }
    const Timeline::Column& column = timeline.lanes.front().columns[0];
    u64 outside = 0;
    for (const TimeUse use : {TimeUse::computation, TimeUse::thread_wait, TimeUse::idle}) {
        outside += column[static_cast<std::size_t>(use)];
    }
    EXPECT_EQ(sum_of(timeline.lanes.front()) - outside, inside);
}

TEST(ThreadTimelineTest, BarriersOfThreadsAreNoComputation) {
    const TestDirectory directory;
    const std::string path = (directory / "threads.tfold").string();
    Threads threads(2);
    add_late_thread(threads);
    threads.trace.fold(path);
    TraceFile file(path);
    const std::vector<u32> locations = {0, 1};
    const Timeline timeline =
        make_timeline(file, locations, recorded_window(file, locations), 1, nullptr);
    const auto ticks = [&timeline](u32 lane, TimeUse use) {
        return timeline.lanes[lane].columns[0][static_cast<std::size_t>(use)];
    };
    // Making and ending the team takes the first thread five ticks, and the second one two.
    EXPECT_EQ(ticks(0, TimeUse::thread_wait), 4U + 5);
    EXPECT_EQ(ticks(0, TimeUse::other_mpi), 2U);
    EXPECT_EQ(ticks(0, TimeUse::computation), 10U);
    EXPECT_EQ(ticks(1, TimeUse::thread_wait), 2U + 2);
    EXPECT_EQ(ticks(1, TimeUse::computation), 8U);
}

TEST_P(TimelineTest, IterationsFollowEachOther) {
    const Timeline timeline = make(window_, 1);
    for (std::size_t i = 0; i < timeline.iterations.size(); ++i) {
        const Timeline::Iteration& iteration = timeline.iterations[i];
        EXPECT_LE(iteration.span.begin, iteration.span.end);
        if (i == 0) continue;
        EXPECT_GT(iteration.number, timeline.iterations[i - 1].number);
        EXPECT_GE(iteration.span.begin, timeline.iterations[i - 1].span.end);
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, TimelineTest,
                         ::testing::Values("micro-stencil2d9p-isend-4", "micro-mpiio-4",
                                           "micro-omphyb-4", "npb-lu.S-4", "tau-colls-4"),
                         [](const auto& sample) {
                             std::string name = sample.param;
                             std::replace_if(
                                 name.begin(), name.end(),
                                 [](char c) { return std::isalnum(c) == 0; }, '_');
                             return name;
                         });

class AcceleratorTimelineTest : public ::testing::TestWithParam<AcceleratorRecorder> {
  protected:
    AcceleratorTimelineTest() {
        write_accelerator_archive(GetParam(), directory_.path().string());
        file_.emplace((directory_ / "traces.otf2").string(), TimingLevel::exact);
    }

    using Column = Timeline::Column;
    /// All of the run in one column, by name of the location.
    std::map<std::string, Column> columns() {
        std::vector<u32> locations;
        for (u32 i = 0; i < (*file_)->location_count(); ++i) locations.push_back(i);
        const Timeline timeline =
            make_timeline(**file_, locations, recorded_window(**file_, locations), 1, nullptr);
        const ParticipantNames names((*file_)->definitions());
        std::map<std::string, Column> columns;
        for (const Timeline::Lane& lane : timeline.lanes) {
            columns[names.label(lane.location)] = lane.columns[0];
        }
        return columns;
    }

    static u64 of(const Column& column, TimeUse use) {
        return column[static_cast<std::size_t>(use)];
    }

    TestDirectory directory_;
    std::optional<FoldedArchive> file_;
};

TEST_P(AcceleratorTimelineTest, StreamsRunKernelsAndCopies) {
    const std::string kind = GetParam() == AcceleratorRecorder::cuda ? "CUDA" : "HIP";
    const auto all = columns();
    for (const std::string rank : {"0", "1"}) {
        const Column& first = all.at(rank + " " + kind + "[0:7]");
        EXPECT_EQ(of(first, TimeUse::kernel), Step::kSteps * Step::kStencil);
        EXPECT_EQ(of(first, TimeUse::device_copy),
                  Step::kSteps * (Step::kToDevice + Step::kFromDevice));
        // From the first record of the stream to its last one.
        const u64 step = 100 + Step::kToDevice + Step::kStencil + Step::kFromDevice;
        EXPECT_EQ(of(first, TimeUse::idle),
                  (Step::kSteps - 1) * (Step::kLength - step) + Step::kSteps * 100);
        EXPECT_EQ(of(first, TimeUse::computation), 0U);
        EXPECT_EQ(of(all.at(rank + " " + kind + "[0:13]"), TimeUse::kernel),
                  Step::kSteps * Step::kReduce);
    }
}

TEST_P(AcceleratorTimelineTest, ThreadsWaitForThem) {
    const auto all = columns();
    for (const u32 rank : {0U, 1U}) {
        const Column& host = all.at(std::to_string(rank));
        EXPECT_EQ(of(host, TimeUse::device_wait),
                  Step::kSteps * (Step::kHostWait + rank * Step::kLateBy));
        EXPECT_EQ(of(host, TimeUse::device_copy), Step::kSteps * 2 * Step::kCallLength);
        EXPECT_EQ(of(host, TimeUse::device_call), Step::kSteps * 2 * Step::kCallLength);
        EXPECT_EQ(of(host, TimeUse::idle), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(Recorders, AcceleratorTimelineTest,
                         ::testing::Values(AcceleratorRecorder::cuda, AcceleratorRecorder::hip),
                         [](const auto& recorder) {
                             return recorder.param == AcceleratorRecorder::cuda ? "cuda" : "hip";
                         });

}  // namespace
}  // namespace tracefold::testing
