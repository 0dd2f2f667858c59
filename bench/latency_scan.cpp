// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction/timing_walk.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Whether the derivatives of a prediction are those of its run time: walks a program with 129
// latencies from 0 to 20 us, in one order of events, and looks for the break points between them
// (docs/results/predictions.md). Prints a row. Usage: bench_latency_scan FILE [LATENCY_NS]
namespace tracefold {
namespace {

constexpr i64 kStep = 20'000'000 / 128;  // picoseconds
constexpr i64 kBeside = 2'000;           // where a break is looked at from both sides

struct Point {
    i64 latency = 0;
    i64 time = 0;
    i64 slope = 0;

    [[nodiscard]] i64 tangent(i64 at) const { return time + slope * (at - latency); }
};

class Scan {
  public:
    Scan(const char* path, i64 latency) : file_(path), survey_(file_), latency_(latency) {}

    /// The function at these latencies. The first scenario, which decides the order, is always the
    /// same.
    std::vector<Point> at(const std::vector<i64>& latencies) {
        WalkRequest request;
        request.keeps_path = false;
        request.rendezvous = 65'535;
        request.scenarios.push_back(scenario(latency_));
        for (const i64 latency : latencies) request.scenarios.push_back(scenario(latency));
        for (u32 rank = 0; rank < file_.definitions().world_size(); ++rank)
            request.node_of_rank.push_back(rank);
        CallTree tree;
        const WalkResult result = walk_timing(file_, survey_, request, tree);
        std::vector<Point> points;
        for (std::size_t i = 0; i < latencies.size(); ++i) {
            const Clock& clock = result.ends[i + 1].clock;
            points.push_back({latencies[i], clock.time, static_cast<i64>(clock.latencies)});
        }
        return points;
    }

  private:
    /// Derivatives count the messages between nodes, so that those of a rank to itself stay as they
    /// are.
    [[nodiscard]] Scenario scenario(i64 latency) const {
        Scenario made;
        made.links.fill({latency_, 1'500'000, 1'000'000, 1'000, 0});
        made.links[static_cast<std::size_t>(LinkClass::between_nodes)].latency = latency;
        return made;
    }

    TraceFile file_;
    CommunicationSurvey survey_;
    i64 latency_;
};

struct Breaks {
    std::size_t intervals = 0;       ///< whose ends have different derivatives
    std::size_t meet_inside = 0;     ///< whose tangents meet in them
    std::vector<i64> candidates;     ///< where they do
    std::vector<Point> left, right;  ///< the ends of those
};

Breaks breaks_of(const std::vector<Point>& scan) {
    Breaks breaks;
    for (std::size_t i = 1; i < scan.size(); ++i) {
        const Point& left = scan[i - 1];
        const Point& right = scan[i];
        if (left.slope == right.slope) continue;
        ++breaks.intervals;
        const i64 gap = right.tangent(left.latency) - left.time;
        const i64 meet = left.latency + gap / (left.slope - right.slope);
        if (meet < left.latency || meet > right.latency) continue;
        ++breaks.meet_inside;
        breaks.candidates.push_back(meet);
        breaks.left.push_back(left);
        breaks.right.push_back(right);
    }
    return breaks;
}

bool is_on(const Point& point, const Point& line) {
    return point.time == line.tangent(point.latency) && point.slope == line.slope;
}

std::size_t single_breaks(Scan& scan, const Breaks& breaks) {
    std::vector<i64> looked_at;
    for (const i64 meet : breaks.candidates)
        for (const i64 at : {meet - kBeside, meet, meet + kBeside}) looked_at.push_back(at);
    if (looked_at.empty()) return 0;
    const std::vector<Point> points = scan.at(looked_at);
    std::size_t single = 0;
    for (std::size_t i = 0; i < breaks.candidates.size(); ++i) {
        const Point* three = &points[3 * i];
        const Point& left = breaks.left[i];
        const Point& right = breaks.right[i];
        const i64 top = std::max(left.tangent(three[1].latency), right.tangent(three[1].latency));
        single += is_on(three[0], left) && three[1].time == top && is_on(three[2], right);
    }
    return single;
}

/// Neighbours between whose derivatives their difference quotient is not.
std::size_t not_convex(const std::vector<Point>& scan) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < scan.size(); ++i) {
        const i64 rise = scan[i].time - scan[i - 1].time;
        count += rise < scan[i - 1].slope * kStep || rise > scan[i].slope * kStep;
    }
    return count;
}

void run(const char* path, i64 latency) {
    Scan scan(path, latency);
    const std::vector<Point> near = scan.at({latency, latency + 1, latency + 1'000'000});
    std::vector<i64> latencies;
    for (i64 at = 0; at <= 128 * kStep; at += kStep) latencies.push_back(at);
    const std::vector<Point> points = scan.at(latencies);
    const Breaks breaks = breaks_of(points);
    std::printf("%lld %lld %.3f %lld breaks %zu meet inside %zu single %zu not convex %zu\n",
                static_cast<long long>(near[0].slope),
                static_cast<long long>(near[1].time - near[0].time),
                static_cast<double>(near[2].time - near[0].time) / 1e6,
                static_cast<long long>(near[2].slope), breaks.intervals, breaks.meet_inside,
                single_breaks(scan, breaks), not_convex(points));
}

}  // namespace
}  // namespace tracefold

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_latency_scan FILE [LATENCY_NS]\n");
        return 2;
    }
    tracefold::run(argv[1], argc > 2 ? 1000 * std::atoll(argv[2]) : 2'500'000);
    return 0;
}
