// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/periodic_pattern.hpp"

#include "analysis/periodic_cursor.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace tracefold {

namespace {

/// Periods of more iterations than this are not looked for.
constexpr u64 kLongestPeriod = u64{1} << 16U;

}  // namespace

PeriodicPattern::PeriodicPattern(const FoldedSource& source, const Column& column,
                                 std::vector<u64> drifts)
    : shape_(std::make_shared<Shape>()) {
    const Pattern& pattern = source.patterns[column.pattern];
    *shape_ = {&pattern, std::move(drifts), std::vector<u32>(pattern.node_count(), kNone),
               std::vector<std::vector<u32>>(pattern.loops.size()),
               std::vector<u64>(pattern.node_count(), 0)};
    for (const NodeCount& count : column.counts) {
        shape_->counts_of[count.node] = static_cast<u32>(counts_.size());
        counts_.emplace_back(source, count.column);
    }
    frames_.push_back({kNone, &pattern.root});
}

PeriodicPattern::PeriodicPattern(const Pattern& pattern, const std::vector<u32>& nodes,
                                 std::vector<PeriodicCursor> counts)
    : shape_(std::make_shared<Shape>()), counts_(std::move(counts)) {
    *shape_ = {&pattern,
               {},
               std::vector<u32>(pattern.node_count(), kNone),
               std::vector<std::vector<u32>>(pattern.loops.size()),
               std::vector<u64>(pattern.node_count(), 0)};
    for (u32 i = 0; i < nodes.size(); ++i) shape_->counts_of[nodes[i]] = i;
    frames_.push_back({kNone, &pattern.root});
}

PeriodicPattern::~PeriodicPattern() = default;
PeriodicPattern::PeriodicPattern(const PeriodicPattern&) = default;

u64 PeriodicPattern::take_count(u32 node) {
    if (shape_->counts_of[node] == kNone) return 1;
    PeriodicCursor& counts = counts_[shape_->counts_of[node]];
    const u64 count = counts.run().start;
    counts.advance(1);
    return checked_count(count);
}

bool PeriodicPattern::next(Run& run) {
    while (true) {
        Frame& frame = frames_.back();
        if (frame.next == frame.body->size()) {
            if (frames_.size() == 1) return false;
            if (--frame.iterations_left == 0) {
                frames_.pop_back();
            } else {
                begin_iteration(frame);
            }
            continue;
        }
        const u32 item = (*frame.body)[frame.next++];
        const u64 count = take_count(item);
        if (item < shape_->pattern->leaf_count) {
            run = {item, count};
            total_ += count;
            merge_iterations(run);
            return true;
        }
        const u32 loop = item - shape_->pattern->leaf_count;
        frames_.push_back({loop, &shape_->pattern->loops[loop], 0, count});
        begin_iteration(frames_.back());
    }
}

/// Passes the iterations that consist of the run alone, from the innermost loop outwards.
void PeriodicPattern::merge_iterations(Run& run) {
    for (std::size_t level = depth(); level-- > 0;) {
        Frame& frame = frames_[level + 1];
        const u64 begin = total_ - run.count;
        if (frame.iterations_left == 1 && frame.length == 0) continue;
        if (frame.length != run.count || frame.begin != begin) return;
        const u64 more = (frame.end - begin) / frame.length - 1;
        skip(level, more * frame.length);
        run.count += more * frame.length;
        frame.length = 0;
    }
}

void PeriodicPattern::begin_iteration(Frame& frame) {
    frame.next = 0;
    frame.begin = total_;
    const bool goes_on =
        frame.length != 0 && frame.end - std::min(frame.end, total_) > frame.length;
    if (!goes_on && frame.iterations_left > 1) find_period(frame);
}

void PeriodicPattern::find_period(Frame& frame) {
    frame.length = 0;
    Extent extent;
    for (u64 iterations = 1; iterations <= frame.iterations_left / 2;) {
        const u64 more = measure(frame.loop, iterations, extent);
        if (more == 0 || iterations > kLongestPeriod) return;
        iterations *= more;
        if (more != 1) continue;
        const u64 times = std::min(extent.most, frame.iterations_left / iterations);
        if (times < 2 || extent.drift != 0) return;
        frame.length = extent.length;
        frame.iterations = iterations;
        frame.end = total_ + times * extent.length;
        frame.visits = std::move(extent.visits);
        return;
    }
}

u64 PeriodicPattern::measure(u32 loop, u64 iterations, Extent& extent) {
    extent = {};
    const std::vector<u32>& nodes = nodes_within(loop);
    for (const u32 node : nodes) shape_->visits[node] = 0;
    for (const u32 item : shape_->pattern->loops[loop]) shape_->visits[item] += iterations;
    for (const u32 node : nodes) {
        const u64 visits = shape_->visits[node];
        u64 executions = visits;
        if (shape_->counts_of[node] != kNone) {
            const auto steady = counts_[shape_->counts_of[node]].steady();
            if (!steady) return 0;
            if (visits % steady->length != 0)
                return steady->length / std::gcd(visits, steady->length);
            executions = visits / steady->length * steady->sum;
            if (steady->left != PeriodicCursor::kForEver) {
                // One stays behind: the next iteration begins with taking its first count.
                extent.most = std::min(extent.most, (steady->left - 1) / visits);
                extent.visits.push_back({node, steady->level, visits});
            }
        }
        if (node < shape_->pattern->leaf_count) {
            extent.length += executions;
            if (!shape_->drifts.empty()) extent.drift += executions * shape_->drifts[node];
        } else {
            for (const u32 item : shape_->pattern->loops[node - shape_->pattern->leaf_count]) {
                shape_->visits[item] += executions;
            }
        }
    }
    return 1;
}

/// Bodies hold loops of a lower index only: from the last loop down to the leaves, every node
/// stands behind all loops that hold it.
const std::vector<u32>& PeriodicPattern::nodes_within(u32 loop) {
    std::vector<u32>& nodes = shape_->nodes_within[loop];
    if (!nodes.empty()) return nodes;
    for (const u32 item : shape_->pattern->loops[loop]) {
        nodes.push_back(item);
        if (item < shape_->pattern->leaf_count) continue;
        const std::vector<u32>& inner = nodes_within(item - shape_->pattern->leaf_count);
        nodes.insert(nodes.end(), inner.begin(), inner.end());
    }
    std::sort(nodes.begin(), nodes.end(), std::greater<>());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

Period PeriodicPattern::period(std::size_t level, u64 ahead) const {
    const Frame& frame = frames_[level + 1];
    const u64 position = total_ - ahead;
    if (frame.length == 0 || position >= frame.end) return {};
    return {frame.length, frame.end - position};
}

void PeriodicPattern::skip(std::size_t level, u64 numbers) {
    Frame& frame = frames_[level + 1];
    const u64 periods = numbers / frame.length;
    frame.iterations_left -= periods * frame.iterations;
    frame.begin += numbers;
    total_ += numbers;
    for (const Visits& visits : frame.visits) {
        counts_[shape_->counts_of[visits.node]].skip(visits.level, periods * visits.count);
    }
    // What was known of the loops within held for counts that are passed now.
    for (std::size_t inner = level + 2; inner < frames_.size(); ++inner) {
        frames_[inner].begin += numbers;
        frames_[inner].length = 0;
    }
}

}  // namespace tracefold
