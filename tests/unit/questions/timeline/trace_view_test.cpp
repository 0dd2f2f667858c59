// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/timeline/trace_view.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/thread_team.hpp"
#include "unit/questions/timeline/unwound_lane.hpp"

#include <map>
#include <set>
#include <string>
#include <thread>

namespace tracefold {
namespace {

std::vector<u32> all_rows(const TraceView& view) {
    std::vector<u32> rows(view.rows().rows.size());
    for (u32 row = 0; row < rows.size(); ++row) rows[row] = row;
    return rows;
}

TEST(TraceViewTest, RowsStandByRankWithTheirThreadsAndStreams) {
    SampleFile file("made-cuda-2", TimingLevel::exact);
    const TraceView view(std::make_unique<TraceFile>(file.path(), "made"), kViewRoom);
    u32 rank = 0;
    u32 streams = 0;
    for (const ViewRow& row : view.rows().rows) {
        EXPECT_GE(row.rank, rank);
        rank = row.rank;
        streams += row.stream ? 1 : 0;
        EXPECT_FALSE(row.label.empty());
        EXPECT_LT(row.node, view.rows().nodes.size());
        EXPECT_LT(row.rank_class, view.rows().classes);
        EXPECT_EQ(view.rows().rows[view.row_of(row.location)].location, row.location);
    }
    EXPECT_EQ(rank, 1U);
    EXPECT_EQ(streams, 4U);
}

TEST(TraceViewTest, TheProgramIsFromInitToFinalize) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    TraceView view(std::make_unique<TraceFile>(file.path(), "lu"), kViewRoom);
    TickWindow wanted{~u64{0}, 0};
    for (const u32 row : all_rows(view)) {
        const std::shared_ptr<const Lane> lane = view.lane(row);
        visit_calls(*lane, {0, lane->end() + 1}, [&](u64, const LaneItem& item) {
            const std::string name = view.name_of(lane->symbols()[item.symbol]);
            if (name == "MPI_Init") wanted.begin = std::min(wanted.begin, item.begin);
            if (name == "MPI_Finalize") wanted.end = std::max(wanted.end, item.end());
            return true;
        });
    }
    const TickWindow found = view.program_window(all_rows(view));
    EXPECT_EQ(found.begin, wanted.begin);
    EXPECT_EQ(found.end, wanted.end);
}

TEST(TraceViewTest, TheRunIsBetweenInitAndFinalize) {
    SampleFile file("micro-omphyb-4", TimingLevel::exact);
    TraceView view(std::make_unique<TraceFile>(file.path(), "hybrid"), kViewRoom);
    TickWindow wanted{~u64{0}, 0};
    std::map<std::string, std::set<TimeUse>> uses;
    for (const u32 row : all_rows(view)) {
        const std::shared_ptr<const Lane> lane = view.lane(row);
        const auto boxes = lane_boxes(*lane, {0, lane->end() + 1}, 1'000'000);
        for (const LaneBox& box : *boxes) {
            const std::string name = view.name_of(lane->symbols()[box.symbol]);
            uses[name].insert(box.use);
            if (name.starts_with("MPI_Init")) wanted.begin = std::min(wanted.begin, box.end);
            if (name == "MPI_Finalize") wanted.end = std::max(wanted.end, box.begin);
        }
    }
    EXPECT_EQ(view.run_window(all_rows(view)), wanted);
    for (const auto& [name, use] : view.uses_by_name(all_rows(view))) {
        EXPECT_TRUE(uses[name].contains(use)) << name;
        EXPECT_NE(use, TimeUse::computation) << name;
    }
}

/// What find() should find, looked for in everything.
std::optional<FoundCall> found_in_all(TraceView& view, const TraceView::CallSearch& search) {
    std::optional<FoundCall> best;
    for (const u32 row : all_rows(view)) {
        const std::shared_ptr<const Lane> lane = view.lane(row);
        const auto boxes = lane_boxes(*lane, {0, lane->end() + 1}, 1'000'000);
        for (const LaneBox& box : *boxes) {
            std::string name = view.name_of(lane->symbols()[box.symbol]);
            for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            if (name.find(search.name) == std::string::npos) continue;
            if (box.end - box.begin < search.least_ticks) continue;
            if (search.backwards ? box.begin >= search.tick : box.begin <= search.tick) continue;
            if (best &&
                (search.backwards ? box.begin <= best->item.begin : box.begin >= best->item.begin))
                continue;
            best = FoundCall{lane->location(), box.call, {0, box.begin, 0}, 0};
        }
    }
    return best;
}

TEST(TraceViewTest, FindsTheNextCallOfANameThatIsLongEnough) {
    for (const char* sample : {"npb-lu.S-4", "micro-user-4"}) {
        SampleFile file(sample, TimingLevel::exact);
        TraceView view(std::make_unique<TraceFile>(file.path(), sample), kViewRoom);
        const TickWindow run = view.program_window(all_rows(view));
        std::mt19937_64 random(3);
        int found_some = 0;
        for (int i = 0; i < 60; ++i) {
            TraceView::CallSearch search;
            search.name = i % 3 == 0 ? "recv" : i % 3 == 1 ? "mpi_" : "allreduce";
            search.tick = run.begin + random() % run.length();
            search.least_ticks = i % 2 == 0 ? 0 : random() % (run.length() / 500);
            search.backwards = i % 4 < 2;
            const auto found = view.find(all_rows(view), search);
            const auto wanted = found_in_all(view, search);
            ASSERT_EQ(found.has_value(), wanted.has_value()) << sample << " " << i;
            if (!found) continue;
            EXPECT_EQ(found->item.begin, wanted->item.begin) << sample << " " << i;
            ++found_some;
        }
        EXPECT_GT(found_some, 10) << sample;
        EXPECT_FALSE(view.find(all_rows(view), {"no such call", 0, 0, false}).has_value());
    }
}

TEST(TraceViewTest, NamesAreFoundInCapitalsToo) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    TraceView view(std::make_unique<TraceFile>(file.path(), "lu"), kViewRoom);
    EXPECT_TRUE(view.find({0}, {"MPI_BARRIER", 0, 0, false}).has_value());
}

TEST(TraceViewTest, KnowsTheStepsOfARow) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    TraceView view(std::make_unique<TraceFile>(file.path(), "lu"), kViewRoom);
    const LocationSteps* steps = view.steps(0);
    ASSERT_NE(steps, nullptr);
    EXPECT_EQ(steps->count(), 50U);
    EXPECT_LT(steps->calls(0).first, steps->calls(1).first);
}

TEST(TraceViewTest, FindsTheEndOfAllRowsWhereverTheirLanesHaveRoom) {
    SampleFile file("micro-omphyb-4", TimingLevel::exact);
    TraceView all(std::make_unique<TraceFile>(file.path(), "all"), kViewRoom);
    u64 end = 0;
    for (const u32 row : all_rows(all)) end = std::max(end, all.lane(row)->end());
    ASSERT_GT(end, 0U);
    const std::size_t some = all.filling().bytes / 2;
    for (const std::size_t room : {std::size_t{0}, std::size_t{1}, some, kViewRoom}) {
        for (const u32 threads : {1U, 3U}) {
            TraceView view(std::make_unique<TraceFile>(file.path(), "found"), room);
            SerialCommunicator comm;
            view.find_end(comm, threads);
            EXPECT_EQ(view.end_so_far(), end) << room << " bytes, " << threads << " threads";
        }
    }
}

TEST(TraceViewTest, ProcessesMakeLanesForEachOther) {
    SampleFile file("micro-omphyb-4", TimingLevel::exact);
    TraceView all(std::make_unique<TraceFile>(file.path(), "all"), kViewRoom);
    u64 end = 0;
    for (const u32 row : all_rows(all)) end = std::max(end, all.lane(row)->end());
    const std::size_t some = all.filling().bytes / 2;
    for (const std::size_t room : {std::size_t{0}, some, kViewRoom}) {
        std::vector<std::unique_ptr<TraceView>> views;
        for (int i = 0; i < 3; ++i) {
            views.push_back(std::make_unique<TraceView>(
                std::make_unique<TraceFile>(file.path(), "found"), room));
        }
        run_as_team(3, [&](Communicator& team) {
            views[static_cast<std::size_t>(team.rank())]->find_end(team, 1);
        });
        for (const auto& view : views) {
            EXPECT_EQ(view->end_so_far(), end) << room;
            EXPECT_EQ(view->filling().lanes == all.filling().lanes, room == kViewRoom);
            for (const u32 row : all_rows(*view)) {
                EXPECT_EQ(to_bytes(*view->lane(row)), to_bytes(*all.lane(row)));
            }
        }
    }
}

TEST(TraceViewTest, MakesLanesAsLongAsThereIsRoom) {
    SampleFile file("micro-omphyb-4", TimingLevel::exact);
    TraceView all(std::make_unique<TraceFile>(file.path(), "all"), kViewRoom);
    all.make_lanes();
    EXPECT_EQ(all.filling().lanes, all.rows().rows.size());
    const std::size_t some = all.filling().bytes / 2;
    TraceView few(std::make_unique<TraceFile>(file.path(), "few"), some);
    few.make_lanes();
    EXPECT_GT(few.filling().lanes, 0U);
    EXPECT_LE(few.filling().bytes, some);
}

TEST(TraceViewTest, LanesThatWereReleasedMakeRoom) {
    SampleFile file("micro-omphyb-4", TimingLevel::exact);
    TraceView all(std::make_unique<TraceFile>(file.path(), "all"), kViewRoom);
    for (const u32 row : all_rows(all)) all.lane(row);
    const std::size_t some = all.filling().bytes / 2;
    for (const std::size_t room : {std::size_t{0}, some, kViewRoom}) {
        TraceView view(std::make_unique<TraceFile>(file.path(), "in order"), room);
        for (const u32 row : all_rows(view)) {
            EXPECT_EQ(view.lane(row)->end(), all.lane(row)->end());
            view.release(row);
            EXPECT_LE(view.filling().bytes, std::max(room, view.lane(row)->memory()));
        }
    }
}

TEST(TraceViewTest, LanesThatAreMadeAheadAreTheSame) {
    SampleFile file("micro-omphyb-4", TimingLevel::exact);
    TraceView ahead(std::make_unique<TraceFile>(file.path(), "ahead"), kViewRoom);
    TraceView alone(std::make_unique<TraceFile>(file.path(), "alone"), kViewRoom);
    ahead.make_ahead();
    for (const u32 row : all_rows(alone)) {
        EXPECT_EQ(ahead.lane(row)->calls(), alone.lane(row)->calls());
        EXPECT_EQ(ahead.lane(row)->end(), alone.lane(row)->end());
    }
    EXPECT_EQ(ahead.end_so_far(), alone.end_so_far());
}

TEST(TraceViewTest, APauseLeavesExpectedLanesOnlyAndEnds) {
    SampleFile file("micro-omphyb-4", TimingLevel::exact);
    TraceView view(std::make_unique<TraceFile>(file.path(), "paused"), kViewRoom);
    const auto wait_for = [&view](std::size_t lanes) {
        while (view.filling().lanes < lanes) std::this_thread::yield();
    };
    {
        const TraceView::Pause pause(view);
        view.expect({1});
        view.make_ahead();
        wait_for(1);
        view.expect({2, 3});
        wait_for(3);
        EXPECT_EQ(view.filling().lanes, 3U);
    }
    wait_for(view.rows().rows.size());
}

}  // namespace
}  // namespace tracefold
