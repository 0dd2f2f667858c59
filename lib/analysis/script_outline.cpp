// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/script_outline.hpp"

#include "analysis/periodic_cursor.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

constexpr std::size_t kMostRuns = std::size_t{1} << 20U;
/// What repeats for less calls than this is walked through.
constexpr u64 kWorthwhile = u64{1} << 14U;

PeriodicPattern walk_of(StructureIndex& index, ExecutionCounts& counts, u32 location) {
    const Structure& structure = index.structure();
    const u32 script = index.script(Stream::events, location);
    const Pattern& pattern = structure.patterns[structure.scripts[script].pattern];
    std::vector<PeriodicCursor> cursors;
    for (u32 node = 0; node < pattern.node_count(); ++node) {
        const ExecutionCounts::Use use = counts.count(location, node);
        cursors.push_back(use.column == kNone ? PeriodicCursor::constant(use.value)
                                              : PeriodicCursor(index.source(), use.column));
    }
    return {pattern, std::move(cursors)};
}

class Outliner {
  public:
    Outliner(const PeriodicPattern& walk, const std::vector<u64>& weights)
        : walk_(walk), weights_(weights) {}

    std::optional<ScriptOutline> run(const Pattern& pattern) {
        outline_.leaves = pattern.leaf_count;
        PeriodicPattern::Run run{};
        while (walk_.next(run)) {
            if (outline_.runs.size() == kMostRuns) return std::nullopt;
            pass_repetitions(run);
            follow_iterations(pattern);
            add_weight(weights_[run.leaf] * run.count, levels_.size());
            outline_.runs.push_back({run.leaf, run.count, 1});
            position_ += run.count;
        }
        leave(0);
        if (!outline_.parts.empty()) outline_.parts.back().end = outline_.runs.size();
        return std::move(outline_);
    }

  private:
    /// A loop of which one period is walked through.
    struct Repetition {
        std::size_t level;
        u64 start;
        u64 length;
        std::size_t run;  ///< its first
    };
    /// A loop around the last run.
    struct Level {
        u32 loop;
        u64 left;
        u64 weight;  ///< of the present iteration
    };

    void pass_repetitions(const PeriodicPattern::Run& run) {
        for (std::size_t i = 0; i < repetitions_.size(); ++i) {
            const Repetition repetition = repetitions_[i];
            if (position_ < repetition.start + repetition.length) continue;
            repetitions_.resize(i);
            const Period period = walk_.period(repetition.level, run.count);
            if (period.length != repetition.length) continue;
            // Two stay behind: the last iterations may be asked for.
            const u64 times = (period.left - 1) / period.length;
            if (times > 1) pass(repetition, times - 1);
        }
        const std::size_t known = repetitions_.empty() ? 0 : repetitions_.back().level + 1;
        for (std::size_t level = known; level < walk_.depth(); ++level) {
            const Period period = walk_.period(level, run.count);
            if (period.length == 0 || period.left / period.length < 4) continue;
            if (period.left < kWorthwhile) continue;
            repetitions_.push_back({level, position_, period.length, outline_.runs.size()});
        }
    }

    void pass(const Repetition& repetition, u64 times) {
        walk_.skip(repetition.level, times * repetition.length);
        position_ += times * repetition.length;
        u64 weight = 0;
        for (std::size_t i = repetition.run; i < outline_.runs.size(); ++i) {
            ScriptOutline::Run& run = outline_.runs[i];
            weight += weights_[run.leaf] * run.count * run.times;
            run.times *= 1 + times;
        }
        add_weight(weight * times, repetition.level);
    }

    /// Adds to the iterations of the outer `levels` loops.
    void add_weight(u64 weight, std::size_t levels) {
        for (std::size_t i = 0; i < std::min(levels, levels_.size()); ++i) {
            levels_[i].weight += weight;
        }
    }

    void follow_iterations(const Pattern& pattern) {
        std::size_t same = 0;
        const bool other_part = outline_.parts.empty() || root_ != walk_.root_position();
        while (!other_part && same < std::min(levels_.size(), walk_.depth()) &&
               levels_[same].loop == walk_.loop(same) &&
               levels_[same].left == walk_.iterations_left(same)) {
            ++same;
        }
        const bool other_iteration = same == 0 && walk_.depth() > 0;
        leave(same);
        if (other_part) begin_part(pattern);
        if (other_iteration) outline_.parts.back().starts.push_back(outline_.runs.size());
        while (levels_.size() < walk_.depth()) {
            const std::size_t level = levels_.size();
            levels_.push_back({walk_.loop(level), walk_.iterations_left(level), 0});
        }
    }

    void begin_part(const Pattern& pattern) {
        if (!outline_.parts.empty()) outline_.parts.back().end = outline_.runs.size();
        root_ = walk_.root_position();
        ScriptOutline::Part part;
        part.node = pattern.root[root_];
        part.iterations = walk_.depth() == 0 ? 0 : walk_.iterations_left(0);
        part.begin = outline_.runs.size();
        outline_.parts.push_back(std::move(part));
    }

    void leave(std::size_t level) {
        for (; levels_.size() > level; levels_.pop_back()) {
            const Level& left = levels_.back();
            if (levels_.size() == 1) {
                end_iteration(left);
                continue;
            }
            const auto [found, fresh] = outline_.parts.back().inner.emplace(left.loop, left.weight);
            found->second = std::min(found->second, left.weight);
        }
    }

    void end_iteration(const Level& level) {
        ScriptOutline::Part& part = outline_.parts.back();
        if (level.left == 1 || part.starts.size() == 1) return;
        if (part.starts.size() == 2) weight_ = level.weight;
        part.even = part.even && weight_ == level.weight;
    }

    PeriodicPattern walk_;
    const std::vector<u64>& weights_;
    ScriptOutline outline_;
    u64 position_ = 0;  ///< calls before the last run
    std::size_t root_ = 0;
    std::vector<Repetition> repetitions_;  ///< outermost first
    std::vector<Level> levels_;            ///< outermost first
    u64 weight_ = 0;                       ///< of the second iteration of a loop of the root
};

}  // namespace

std::vector<u64> ScriptOutline::executions(std::size_t begin, std::size_t end) const {
    std::vector<u64> executions(leaves, 0);
    for (std::size_t i = begin; i < end; ++i) {
        executions[runs[i].leaf] += runs[i].count * runs[i].times;
    }
    return executions;
}

u64 weigh(const std::vector<u64>& numbers, const std::vector<u64>& weights) {
    return std::inner_product(numbers.begin(), numbers.end(), weights.begin(), u64{0});
}

std::optional<ScriptOutline> outline_script(StructureIndex& index, ExecutionCounts& counts,
                                            u32 location, const std::vector<u64>& weights) {
    const Structure& structure = index.structure();
    const u32 script = index.script(Stream::events, location);
    const Pattern& pattern = structure.patterns[structure.scripts[script].pattern];
    return Outliner(walk_of(index, counts, location), weights).run(pattern);
}

}  // namespace tracefold
