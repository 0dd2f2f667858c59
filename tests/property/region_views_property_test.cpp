// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "export/formats/rank_walk.hpp"
#include "file/common_clock.hpp"
#include "file/region_nesting.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "questions/calls/tick_window.hpp"
#include "questions/graph/build_graph.hpp"
#include "questions/graph/recover.hpp"
#include "questions/profile/detail/location_profiler.hpp"
#include "questions/profile/folded_profiler.hpp"
#include "questions/profile/path_walk.hpp"
#include "questions/stats/statistics.hpp"
#include "questions/timeline/detail/lane_window.hpp"
#include "support/made_trace.hpp"
#include "support/random_source.hpp"
#include "support/test_directory.hpp"
#include "support/time_uses.hpp"
#include "transform/cut_trace.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Path = std::vector<std::string>;

/// Spelled as Score-P does, and as TAU does.
const std::vector<std::string> kRegions = {"main",        "solve()",    "exchange",
                                           "MPI_Barrier", "MPI_Send()", "MPI_Recv()"};

bool is_mpi(const std::string& region) { return region.starts_with("MPI_"); }

/// A visit of a region. `left`: by a Leave of its own.
struct Visit {
    Path path;
    u64 begin = 0;
    u64 end = 0;
    bool is_over = false;
    bool left = false;
    u64 ran = 0;          ///< ticks while its task runs
    u64 interrupted = 0;  ///< ticks while an explicit task runs within a region of the implicit one

    bool operator==(const Visit&) const = default;
    auto operator<=>(const Visit&) const = default;
};

/// A record that only shows where it is.
struct Marker {
    u64 time = 0;
    Path path;

    bool operator==(const Marker&) const = default;
};

/// What the records of a location say, by the rule of RegionNesting, worked out in the plainest
/// way.
struct Expected {
    std::vector<Visit> visits;
    /// Those of explicit tasks from where the task goes on to where it is suspended, in the regions
    /// of the implicit task around.
    std::vector<Visit> pieces;
    std::vector<Marker> markers;
    /// Calls of MPI: from the Enter of a function until no task is within one.
    std::vector<Visit> mpi_calls;
    u64 calls_in_others = 0;  ///< that begin within a call of another task
    u64 mpi_ticks = 0;        ///< ticks while a task runs within a function of MPI
    u64 origin = 0;
    u64 last = 0;
    u64 other_leaves = 0;

    explicit Expected(TraceFile& file) {
        const MappingTables tables = file.mapping_tables(0);
        drain(*file.events(0), [&](const RecordBatch& batch) {
            for (const RecordBatch::Head& head : batch.heads()) {
                const auto type = static_cast<EventType>(head.type);
                const std::span<const u64> values = batch.values(head);
                std::string name;
                if (type == EventType::Enter || type == EventType::Leave) {
                    name =
                        file.definitions().region_name(tables.global(FieldKind::region, values[0]));
                }
                records_.push_back({type, head.time, name, {values.begin(), values.end()}});
            }
        });
        choose_rule();
        origin = last = records_.empty() ? 0 : records_.front().time;
        for (const Record& record : records_) take(record);
        for (const auto& [task, state] : tasks_) {
            for (const std::size_t visit : state.open) visits[visit].end = last;
        }
        if (in_call_) mpi_calls.back().end = last;
        suspend();
        if (running_ == 0) return;
        running_ = 0;
        suspend();
    }

  private:
    struct Record {
        EventType type;
        u64 time;
        std::string name;
        std::vector<u64> values;
    };
    struct Task {
        std::vector<std::size_t> open;
        std::size_t unpaired = 0;
        u64 interrupted = 0;
    };
    enum class Rule { position, name, name_or_position };

    /// The generation number of the task that runs after a record.
    u64 task_after(const Record& record, u64 running, std::map<u64, u64>& interrupted,
                   const std::map<u64, Task>& suspended) const {
        if (record.type == EventType::ThreadTaskSwitch) {
            const u64 next = record.values[2];
            if (next != running && next != 0) interrupted[next] = running;
            return next;
        }
        if (record.type != EventType::ThreadTaskComplete || record.values[2] != running) {
            return running;
        }
        return suspended.contains(interrupted[running]) ? interrupted[running] : 0;
    }

    void choose_rule() {
        std::map<u64, u64> depth;
        std::map<u64, u64> interrupted;
        std::map<u64, Task> alive{{0, {}}};
        u64 running = 0;
        u64 unended = 0;
        bool entered = false;
        bool late = false;
        for (const Record& record : records_) {
            if (record.type == EventType::Enter) {
                entered = true;
                ++depth[running];
            } else if (record.type == EventType::Leave) {
                if (depth[running] == 0) {
                    late = late || entered;
                } else {
                    --depth[running];
                }
            } else {
                if (record.type == EventType::ThreadTaskComplete) {
                    unended += depth[record.values[2]];
                    depth.erase(record.values[2]);
                    alive.erase(record.values[2]);
                }
                running = task_after(record, running, interrupted, alive);
                alive[running];
            }
        }
        for (const auto& [task, open] : depth) unended += open;
        rule_ = late ? Rule::name : unended != 0 ? Rule::name_or_position : Rule::position;
    }

    void take(const Record& record) {
        for (const std::size_t visit : tasks_[running_].open) {
            visits[visit].ran += record.time - last;
        }
        if (is_in_mpi(tasks_[running_])) mpi_ticks += record.time - last;
        for (const std::size_t visit : tasks_[0].open) {
            if (running_ != 0) visits[visit].interrupted += record.time - last;
        }
        last = record.time;
        switch (record.type) {
            case EventType::Enter:
                enter(record.name);
                break;
            case EventType::Leave:
                leave(record.name);
                break;
            case EventType::ThreadTaskSwitch:
            case EventType::ThreadTaskComplete:
                change_task(record);
                break;
            case EventType::ThreadTaskCreate:
                break;
            default:
                markers.push_back({last, here()});
        }
        end_call();
    }

    [[nodiscard]] bool is_in_mpi(const Task& task) const {
        return std::ranges::any_of(
            task.open, [this](std::size_t visit) { return is_mpi(visits[visit].path.back()); });
    }

    void end_call() {
        const bool goes_on = std::ranges::any_of(
            tasks_, [this](const auto& task) { return is_in_mpi(task.second); });
        if (!in_call_ || goes_on) return;
        mpi_calls.back().end = last;
        mpi_calls.back().left = true;
        in_call_ = false;
    }

    void change_task(const Record& record) {
        const u64 before = running_;
        const bool completed = record.type == EventType::ThreadTaskComplete;
        std::map<u64, Task> alive = tasks_;
        if (completed) alive.erase(record.values[2]);
        const u64 next = task_after(record, running_, interrupted_, alive);
        if (next != before && before != 0) suspend();
        if (completed) {
            for (const std::size_t visit : tasks_[record.values[2]].open) visits[visit].end = last;
            tasks_.erase(record.values[2]);
        }
        running_ = next;
        if (next != before) since_ = last;
        tasks_[running_];
    }

    /// Notes the pieces of what is open.
    void suspend() {
        for (const std::size_t visit : tasks_[running_].open) note_piece(visits[visit]);
    }

    void note_piece(const Visit& visit) {
        if (running_ == 0) {
            pieces.push_back({visit.path, visit.begin, last});
            return;
        }
        const std::vector<std::size_t>& around = tasks_[0].open;
        Path path = around.empty() ? Path() : visits[around.back()].path;
        path.insert(path.end(), visit.path.begin(), visit.path.end());
        pieces.push_back({std::move(path), std::max(visit.begin, since_), last});
    }

    [[nodiscard]] Path here() const {
        const std::vector<std::size_t>& open = tasks_.at(running_).open;
        return open.empty() ? Path() : visits[open.back()].path;
    }

    void enter(const std::string& region) {
        Path path = here();
        path.push_back(region);
        tasks_[running_].open.push_back(visits.size());
        visits.push_back({std::move(path), last});
        if (!is_mpi(region)) return;
        if (!in_call_) mpi_calls.push_back(visits.back());
        if (in_call_ && std::ranges::count_if(visits.back().path, is_mpi) == 1) ++calls_in_others;
        in_call_ = true;
    }

    void leave(const std::string& region) {
        Task& task = tasks_[running_];
        std::vector<std::size_t>& open = task.open;
        if (open.empty()) return;
        const auto name = [&](std::size_t i) { return visits[open[i]].path.back(); };
        if (name(open.size() - 1) != region) ++other_leaves;
        std::size_t mpi = 0;
        while (mpi < open.size() && !is_mpi(name(mpi))) ++mpi;
        const bool in_mpi = mpi < open.size();
        std::size_t first = open.size() - 1;
        if (rule_ != Rule::position) {
            const std::size_t bottom = in_mpi ? mpi : 0;
            std::size_t found = open.size();
            while (found > bottom && name(found - 1) != region) --found;
            if (found > bottom) {
                first = found - 1;
                task.unpaired += open.size() - found;
            } else if (rule_ == Rule::name || in_mpi) {
                return;
            } else if (task.unpaired > 0) {
                --task.unpaired;
                return;
            }
        }
        visits[open[first]].left = true;
        for (std::size_t i = first; i < open.size(); ++i) {
            visits[open[i]].is_over = true;
            visits[open[i]].end = last;
            note_piece(visits[open[i]]);
        }
        open.resize(first);
    }

    std::vector<Record> records_;
    Rule rule_ = Rule::position;
    std::map<u64, Task> tasks_{{0, {}}};
    std::map<u64, u64> interrupted_;
    u64 running_ = 0;
    u64 since_ = 0;  ///< when it began to run
    bool in_call_ = false;
};

/// Calls, and ticks of those with a Leave of their own, by path.
using Figures = std::map<Path, std::pair<u64, u64>>;

class RegionViewsTest : public ::testing::TestWithParam<u64> {
  protected:
    RegionViewsTest() {
        RandomSource random(GetParam());
        testing::MadeTrace trace({.ranks = 1});
        renames_ = GetParam() % 4 == 1;
        has_tasks_ = GetParam() % 4 >= 2;
        for (int part = 0; part < 3; ++part) add_loop(random, trace);
        const std::string path = (directory_ / "trace.tfold").string();
        trace.fold(path);
        file_.emplace(path);
        expected_.emplace(*file_);
    }

    /// What may be in it: regions that nest, those that do not, and records around; Leaves of other
    /// names that balance; tasks that go on in any order.
    void add_loop(RandomSource& random, testing::MadeTrace& trace) {
        struct Step {
            EventType type;
            u64 value;
        };
        if (has_tasks_) return add_tasks(random, trace);
        std::vector<Step> body;
        std::vector<u64> open;
        for (u64 left = random.between(2, 12); left > 0; --left) {
            if (random.one_in(4)) {
                body.push_back({EventType::OmpTaskCreate, left});
            } else if (!open.empty() && random.one_in(2)) {
                const u64 any = trace.region(random.pick(kRegions));
                body.push_back({EventType::Leave, random.one_in(3) ? any : open.back()});
                open.pop_back();
            } else {
                open.push_back(trace.region(random.pick(kRegions)));
                body.push_back({EventType::Enter, open.back()});
            }
        }
        for (; renames_ && !open.empty(); open.pop_back()) {
            body.push_back({EventType::Leave, trace.region(random.pick(kRegions))});
        }
        for (u64 trips = random.between(1, 9); trips > 0; --trips) {
            for (const Step& step : body) trace.record(0, 0, step.type, {step.value});
        }
    }

    void add_tasks(RandomSource& random, testing::MadeTrace& trace) {
        const bool call_mpi = GetParam() % 4 == 3;
        const std::vector<std::string> regions(kRegions.begin(),
                                               call_mpi ? kRegions.end() : kRegions.begin() + 3);
        std::map<u64, std::vector<u64>> open;
        u64 running = 0;
        const auto record = [&](EventType type, u64 task) {
            trace.record(0, 0, type, {0, 0, task});
        };
        const auto leave = [&] {
            const u64 any = trace.region(random.pick(regions));
            const u64 region = random.one_in(6) ? any : open[running].back();
            trace.record(0, 0, EventType::Leave, {region});
            open[running].pop_back();
        };
        // One of them has several blocks of a lane.
        for (u64 left = GetParam() == 2 ? 3000 : random.between(10, 60); left > 0; --left) {
            if (random.one_in(4)) {
                running = random.below(4);
                record(EventType::ThreadTaskSwitch, running);
            } else if (random.one_in(5)) {
                trace.record(0, 0, EventType::OmpTaskCreate, {left});
            } else if (!open[running].empty() && random.one_in(2)) {
                leave();
            } else {
                open[running].push_back(trace.region(random.pick(regions)));
                trace.record(0, 0, EventType::Enter, {open[running].back()});
            }
        }
        for (const u64 task : {3, 1, 2, 0}) {
            running = task;
            record(EventType::ThreadTaskSwitch, task);
            while (!open[task].empty()) leave();
            if (task != 0 && random.one_in(2)) record(EventType::ThreadTaskComplete, task);
        }
    }

    bool renames_ = false;
    bool has_tasks_ = false;
    TestDirectory directory_;
    std::optional<TraceFile> file_;
    std::optional<Expected> expected_;
};

TEST_P(RegionViewsTest, StatisticsCountTheVisits) {
    SampleRequest request;
    request.rows.by = RowRequest::By::path;
    SerialCommunicator alone;
    Figures counted;
    for (const Statistics::Row& row : collect_statistics(alone, *file_, request).rows) {
        const u64 calls = row.figures.of(SampleScope::calls, Quantity::calls).total().value();
        if (calls == 0) continue;
        counted[row.path] = {calls,
                             row.figures.of(SampleScope::calls, Quantity::time).total().value()};
    }
    Figures wanted;
    for (const Visit& visit : expected_->visits) {
        ++wanted[visit.path].first;
        if (visit.left) wanted[visit.path].second += visit.ran + visit.interrupted;
    }
    EXPECT_EQ(counted, wanted);
}

Path path_of(const TraceFile& file, const CallTree& tree, u32 node) {
    Path path;
    for (; node != kNone; node = tree[node].parent) {
        if (tree[node].kind != CallTree::Kind::region) continue;
        path.insert(path.begin(), file.definitions().region_name(tree[node].ref));
    }
    return path;
}

TEST_P(RegionViewsTest, ProfilesHaveTheirPathsAndTimes) {
    CallTree tree;
    TraceThreads threads(*file_);
    const auto values = LocationProfiler(*file_, 0, 0, true, tree, threads).run();
    Figures counted;
    for (const NodeValues& node : values) {
        Path path = path_of(*file_, tree, node.node);
        if (path.empty()) continue;
        counted[path].first += node.values[index_of(ProfileMetric::visits)];
        for (; !path.empty(); path.pop_back()) {
            counted[path].second += node.values[index_of(ProfileMetric::time)];
        }
    }
    Figures wanted;
    for (const Visit& visit : expected_->visits) {
        ++wanted[visit.path].first;
        wanted[visit.path].second += visit.ran;
    }
    EXPECT_EQ(counted, wanted);
}

TEST_P(RegionViewsTest, TheFoldedProfileIsTheSame) {
    CallTree tree;
    for (const auto& [location, values] : FoldedProfiler(*file_).run({0}, {0}, tree)) {
        std::map<Path, u64> counted;
        for (const NodeValues& node : values) {
            counted[path_of(*file_, tree, node.node)] +=
                node.values[index_of(ProfileMetric::visits)];
        }
        std::map<Path, u64> wanted;
        for (const Visit& visit : expected_->visits) ++wanted[visit.path];
        EXPECT_EQ(counted, wanted);
    }
}

TEST_P(RegionViewsTest, CallsOfMpiAreTheOutermostOnes) {
    CallTree tree;
    TraceThreads threads(*file_);
    PathWalk paths(*file_, 0, 0, Times::skip, tree, threads);
    MpiCallReader program(*file_, 0);
    for (const Visit& call : expected_->mpi_calls) {
        MpiCall mpi_call;
        ASSERT_TRUE(program.next(mpi_call));
        EXPECT_EQ(file_->definitions().region_name(mpi_call.region), call.path.back());
        EXPECT_EQ(mpi_call.begin, call.begin);
        if (call.left) {
            EXPECT_EQ(mpi_call.end, call.end);
        }
        EXPECT_EQ(path_of(*file_, tree, paths.next_mpi_call()), call.path);
    }
    MpiCall more;
    EXPECT_FALSE(program.next(more));
    EXPECT_EQ(paths.next_mpi_call(), kNone);
    EXPECT_EQ(file_->nesting().counts().calls, expected_->calls_in_others);
}

TEST_P(RegionViewsTest, TheTimelineHasTheTimeOfMpi) {
    const testing::TimeUses uses = testing::time_uses(*file_, 0);
    const u64 counted = std::accumulate(uses.begin(), uses.end(), u64{0}) -
                        testing::ticks_of(uses, TimeUse::computation);
    EXPECT_EQ(counted, expected_->mpi_ticks);
}

TEST_P(RegionViewsTest, ExportsHaveTheVisits) {
    struct Visitor {
        u64 enter(u64 region, u64 ticks) {
            Path path = open.empty() ? Path() : open.back().path;
            path.push_back(file.definitions().region_name(region));
            open.push_back({std::move(path), ticks});
            return ticks;
        }
        void leave(const VisitedRegion& it, u64 ticks) {
            EXPECT_EQ(file.definitions().region_name(it.region), open.back().path.back());
            EXPECT_EQ(it.mark, open.back().begin);
            EXPECT_EQ(it.depth + 1, open.size());
            open.back().end = ticks;
            visits.push_back(open.back());
            open.pop_back();
        }
        void record(const RecordSpan&, const RecordBatch::Head&, const MappingTables&) {}

        TraceFile& file;
        std::vector<Visit> open = {};
        std::vector<Visit> visits = {};
    } visitor{*file_};
    walk_regions(*file_, 0, visitor);
    std::ranges::sort(visitor.visits);
    std::vector<Visit> wanted = expected_->pieces;
    std::ranges::sort(wanted);
    EXPECT_EQ(visitor.visits, wanted);
}

TEST_P(RegionViewsTest, LeavesOfOtherRegionsAreCounted) {
    EXPECT_EQ(file_->nesting().counts().other, expected_->other_leaves);
}

TEST_P(RegionViewsTest, TheTimelineHasTheVisits) {
    const RegionUses regions(*file_);
    const CommonClock clock = common_clock(*file_);
    const auto lane = make_lane(*file_, regions, clock, 0);
    std::vector<Visit> shown;
    const auto boxes = lane_boxes(*lane, {lane->begin(), lane->end() + 1}, 100'000);
    ASSERT_TRUE(boxes);
    Path path;
    for (const LaneBox& box : *boxes) {
        path.resize(box.depth);
        path.push_back(file_->definitions().region_name(lane->symbols()[box.symbol].use.region));
        shown.push_back({path, box.begin, box.end});
    }
    std::ranges::sort(shown);
    std::vector<Visit> wanted = expected_->pieces;
    for (Visit& visit : wanted) {
        visit.begin -= expected_->origin;
        visit.end -= expected_->origin;
    }
    std::ranges::sort(wanted);
    EXPECT_EQ(shown, wanted);
}

TEST_P(RegionViewsTest, NodesOfGraphsHaveTheirPaths) {
    ListingSource source(*file_);
    SignatureParts parts;
    parts.regions = true;
    SignatureSource signatures(source, parts);
    CallNodes nodes(source.index(), signatures, 0);
    CallReader calls(*file_, 0);
    std::vector<std::pair<Path, u64>> entered;
    while (nodes.next() && calls.next()) {
        const Signature& signature = signatures.table().at(nodes.node());
        const u64 time = calls.records()[0].time;
        Path path = signatures.table().paths().regions(signature.path);
        if (signature.kind == CallKind::enter || signature.kind == CallKind::call) {
            path.push_back(signature.name);
            entered.emplace_back(std::move(path), time);
        } else if (!concerns_tasks(calls.records()[0].type) || signature.name == "OmpTaskCreate") {
            EXPECT_TRUE(signature.kind == CallKind::leave ||
                        std::ranges::count(expected_->markers, Marker{time, path}));
        }
    }
    std::vector<std::pair<Path, u64>> wanted;
    for (const Visit& visit : expected_->visits) wanted.emplace_back(visit.path, visit.begin);
    EXPECT_EQ(entered, wanted);
    const FlowGraph graph =
        build_graph(*file_, source, signatures, flow_classes(source, signatures, {true}));
    EXPECT_EQ(first_difference(graph, source, signatures, 0), std::nullopt);
}

TEST_P(RegionViewsTest, PartsHaveTheirRecordsInTheSameRegions) {
    RandomSource random(GetParam() + 1000);
    for (int round = 0; round < 6; ++round) {
        CutRequest request;
        request.marks_edges = false;
        const auto tick = [&] { return static_cast<double>(random.below(expected_->last + 1)); };
        const double tick_of_second = 1e-9;
        request.from = tick() * tick_of_second;
        request.to = request.from + (tick() + 1) * tick_of_second;
        const std::string name = random.pick(kRegions);
        if (round % 2 != 0) request.regions = [&](std::string_view other) { return other == name; };
        const std::string path = (directory_ / ("part" + std::to_string(round))).string();
        CutOutput output;
        output.path = path;
        output.level = 1;
        try {
            cut_trace(*file_, request, output);
        } catch (const Error& error) {
            ASSERT_EQ(error.kind(), ErrorKind::usage);  // nothing is in the part
            continue;
        }
        TraceFile part(path);
        for (const Marker& marker : Expected(part).markers) {
            EXPECT_TRUE(std::ranges::count(expected_->markers, marker)) << marker.time;
        }
        if (!has_tasks_) continue;
        // The Leaves of tasks that began before the part have their Enters.
        EXPECT_LE(part.nesting().counts().outside, file_->nesting().counts().outside);
        EXPECT_LE(part.nesting().counts().other, expected_->other_leaves);
    }
}

/// A task that ends its region while the implicit one is within an MPI call does not end the call.
TEST(TasksInMpiCallsTest, LeaveTheCallOpen) {
    testing::MadeTrace trace({.ranks = 1});
    const u64 solve = trace.region("solve");
    const u64 barrier = trace.region("MPI_Barrier");
    const auto change = [&](u64 task) {
        trace.record(0, 0, EventType::ThreadTaskSwitch, {0, 0, task});
    };
    change(1);                                        // 0
    trace.record(0, 0, EventType::Enter, {solve});    // 1
    change(0);                                        // 2
    trace.record(0, 0, EventType::Enter, {barrier});  // 3
    change(1);                                        // 4
    trace.record(0, 0, EventType::Leave, {solve});    // 5
    change(0);                                        // 6
    trace.record(0, 0, EventType::Leave, {barrier});  // 7
    const TestDirectory directory;
    const std::string path = (directory / "trace.tfold").string();
    trace.fold(path);
    TraceFile file(path);
    MpiCallReader program(file, 0);
    MpiCall call;
    ASSERT_TRUE(program.next(call));
    EXPECT_EQ(call.end - call.begin, 4U);
    EXPECT_FALSE(program.next(call));
}

/// Calls of MPI while another task is suspended within such a call are counted.
TEST(TasksInMpiCallsTest, AreCountedIfTheyOverlap) {
    testing::MadeTrace trace({.ranks = 1});
    const auto change = [&](u64 task) {
        trace.record(0, 0, EventType::ThreadTaskSwitch, {0, 0, task});
    };
    const u64 barrier = trace.region("MPI_Barrier");
    trace.call(0, "MPI_Send");
    trace.record(0, 0, EventType::Enter, {barrier});
    change(1);
    trace.call(0, "MPI_Send");
    trace.record(0, 0, EventType::Enter, {barrier});
    change(0);
    trace.record(0, 0, EventType::Leave, {barrier});
    trace.call(0, "MPI_Recv");
    change(1);
    trace.record(0, 0, EventType::Leave, {barrier});
    trace.call(0, "MPI_Recv");
    const TestDirectory directory;
    const std::string path = (directory / "trace.tfold").string();
    trace.fold(path);
    TraceFile file(path);
    EXPECT_EQ(file.nesting().counts().calls, 3U)
        << "both of task 1 in that of the implicit one, which calls MPI_Recv within the latter";
}

INSTANTIATE_TEST_SUITE_P(Seeds, RegionViewsTest, ::testing::Range(u64{0}, u64{40}));

}  // namespace
}  // namespace tracefold
