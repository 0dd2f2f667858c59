// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/serial.hpp"
#include "core/error.hpp"
#include "cut/cut_trace.hpp"
#include "exporters/region_walk.hpp"
#include "graph/call_nodes.hpp"
#include "profile/folded_profiler.hpp"
#include "profile/location_profiler.hpp"
#include "profile/path_walk.hpp"
#include "property/random_source.hpp"
#include "replay/mpi_call_reader.hpp"
#include "stats/statistics.hpp"
#include "support/made_trace.hpp"
#include "support/time_uses.hpp"
#include "unit/io/test_directory.hpp"

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

    bool operator==(const Visit&) const = default;
    auto operator<=>(const Visit&) const = default;
};

/// A record that only shows where it is.
struct Marker {
    u64 time = 0;
    Path path;

    bool operator==(const Marker&) const = default;
};

/// What the records of a location say, by the rule of RegionStack, worked out in the plainest way.
struct Expected {
    std::vector<Visit> visits;
    std::vector<Marker> markers;
    u64 last = 0;

    explicit Expected(TraceFile& file) {
        const MappingTables tables = file.mapping_tables(0);
        drain(*file.events(0), [&](const RecordBatch& batch) {
            for (const RecordBatch::Head& head : batch.heads()) {
                last = head.time;
                const u64 value = batch.values(head)[0];
                const auto name = [&] {
                    return file.definitions().region_name(tables.global(FieldKind::region, value));
                };
                switch (static_cast<EventType>(head.type)) {
                    case EventType::Enter:
                        enter(name());
                        break;
                    case EventType::Leave:
                        leave(name());
                        break;
                    default:
                        markers.push_back({last, here()});
                }
            }
        });
        for (const std::size_t visit : open_) visits[visit].end = last;
    }

    /// Visits of MPI functions that no other one is around.
    [[nodiscard]] std::vector<Visit> mpi_calls() const {
        std::vector<Visit> calls;
        std::ranges::copy_if(visits, std::back_inserter(calls), [](const Visit& visit) {
            return std::ranges::count_if(visit.path, is_mpi) == 1 && is_mpi(visit.path.back());
        });
        return calls;
    }

  private:
    [[nodiscard]] Path here() const { return open_.empty() ? Path() : visits[open_.back()].path; }

    void enter(const std::string& region) {
        Path path = here();
        path.push_back(region);
        open_.push_back(visits.size());
        visits.push_back({std::move(path), last});
    }

    void leave(const std::string& region) {
        std::size_t mpi = 0;
        while (mpi < open_.size() && !is_mpi(visits[open_[mpi]].path.back())) ++mpi;
        const std::size_t bottom = mpi == open_.size() ? 0 : mpi;
        std::size_t found = open_.size();
        while (found > bottom && visits[open_[found - 1]].path.back() != region) --found;
        if (found == bottom) return;
        visits[open_[found - 1]].left = true;
        for (std::size_t i = found - 1; i < open_.size(); ++i) {
            visits[open_[i]].is_over = true;
            visits[open_[i]].end = last;
        }
        open_.resize(found - 1);
    }

    std::vector<std::size_t> open_;
};

/// Calls, and ticks of those with a Leave of their own, by path.
using Figures = std::map<Path, std::pair<u64, u64>>;

class RegionViewsTest : public ::testing::TestWithParam<u64> {
  protected:
    RegionViewsTest() {
        RandomSource random(GetParam());
        testing::MadeTrace trace({.ranks = 1});
        for (int part = 0; part < 3; ++part) add_loop(random, trace);
        const std::string path = (directory_ / "trace.tfold").string();
        trace.fold(path);
        file_.emplace(path);
        expected_.emplace(*file_);
    }

    /// What may be in it: regions that nest, those that do not, and records around.
    void add_loop(RandomSource& random, testing::MadeTrace& trace) {
        struct Step {
            EventType type;
            u64 value;
        };
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
        for (u64 trips = random.between(1, 9); trips > 0; --trips) {
            for (const Step& step : body) trace.record(0, 0, step.type, {step.value});
        }
    }

    [[nodiscard]] std::vector<Visit> sorted_visits() const {
        std::vector<Visit> visits = expected_->visits;
        std::ranges::sort(visits);
        return visits;
    }

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
        const u64 calls = row.figures.of(Over::calls, Quantity::calls).total().value();
        if (calls == 0) continue;
        counted[row.path] = {calls, row.figures.of(Over::calls, Quantity::time).total().value()};
    }
    Figures wanted;
    for (const Visit& visit : expected_->visits) {
        ++wanted[visit.path].first;
        if (visit.left) wanted[visit.path].second += visit.end - visit.begin;
    }
    EXPECT_EQ(counted, wanted);
}

Path path_of(const TraceFile& file, const CallTree& tree, u32 node) {
    Path path;
    for (; node != kNone; node = tree[node].parent) {
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
        counted[path].first = node.values[index_of(ProfileMetric::visits)];
        for (; !path.empty(); path.pop_back()) {
            counted[path].second += node.values[index_of(ProfileMetric::time)];
        }
    }
    Figures wanted;
    for (const Visit& visit : expected_->visits) {
        ++wanted[visit.path].first;
        wanted[visit.path].second += visit.end - visit.begin;
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
    for (const Visit& call : expected_->mpi_calls()) {
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
}

TEST_P(RegionViewsTest, TheTimelineHasTheTimeOfMpi) {
    const testing::TimeUses uses = testing::time_uses(*file_, 0);
    const u64 counted = std::accumulate(uses.begin(), uses.end(), u64{0}) -
                        testing::ticks_of(uses, TimeUse::computation);
    u64 wanted = 0;
    for (const Visit& call : expected_->mpi_calls()) wanted += call.end - call.begin;
    EXPECT_EQ(counted, wanted);
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
    std::vector<Visit> wanted = sorted_visits();
    for (Visit& visit : wanted) visit.is_over = visit.left = false;
    EXPECT_EQ(visitor.visits, wanted);
}

TEST_P(RegionViewsTest, NodesOfGraphsHaveTheirPaths) {
    ListingSource source(*file_);
    SignatureParts parts;
    parts.regions = true;
    SignatureSource signatures(source, parts);
    CallNodes nodes(source.index(), signatures, 0);
    CallReader calls(*file_, 0);
    std::vector<Marker> markers;
    while (nodes.next() && calls.next()) {
        const Signature& signature = signatures.table().at(nodes.node());
        if (signature.kind != CallKind::record) continue;
        const auto regions = signatures.table().paths().regions(signature.path);
        markers.push_back({calls.records()[0].time, regions});
    }
    // Those within a call of its own symbol are none of their own.
    for (const Marker& marker : markers)
        EXPECT_TRUE(std::ranges::count(expected_->markers, marker));
}

TEST_P(RegionViewsTest, PartsHaveTheirRecordsInTheSameRegions) {
    RandomSource random(GetParam() + 1000);
    for (int round = 0; round < 6; ++round) {
        CutRequest request;
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
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RegionViewsTest, ::testing::Range(u64{0}, u64{30}));

}  // namespace
}  // namespace tracefold
