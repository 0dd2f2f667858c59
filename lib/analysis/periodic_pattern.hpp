// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"

#include <memory>
#include <vector>

namespace tracefold {

class PeriodicCursor;

/// From here on a sequence repeats: of its next `left` numbers every one equals the one `length`
/// places before it.
struct Period {
    u64 length = 0;  ///< 0: it does not
    u64 left = 0;
};

/// Walks a folded column's pattern like PatternCursor and knows which loops go on unchanged, so
/// that iterations can be passed at once: those whose counts are the same in every iteration, or
/// return after a few of them, for as long as they do. Throws Error(corrupt) when a count is 0.
class PeriodicPattern {
  public:
    using Run = PatternCursor::Run;

    /// `drifts`: by leaf, what a repetition adds to the numbers that the pattern stands for; a loop
    /// repeats only if it adds nothing. Empty: no leaf does. The source must outlive this object.
    PeriodicPattern(const FoldedSource& source, const Column& column, std::vector<u64> drifts);
    /// A pattern whose counts stand elsewhere: one cursor for each of `nodes`; others have count 1.
    /// The pattern must outlive this.
    PeriodicPattern(const Pattern& pattern, const std::vector<u32>& nodes,
                    std::vector<PeriodicCursor> counts);
    ~PeriodicPattern();
    PeriodicPattern(const PeriodicPattern&);
    PeriodicPattern& operator=(const PeriodicPattern&) = delete;

    /// The next run; false at the end. What a loop does in its iterations one after the other is
    /// one run if it is one in every iteration. Cost: amortised O(1).
    bool next(Run& run);

    /// Loops around the last run, outermost first.
    [[nodiscard]] std::size_t depth() const { return frames_.size() - 1; }
    /// The loop next to the last run. Precondition: depth() is not 0.
    [[nodiscard]] u32 innermost_loop() const { return frames_.back().loop; }
    /// Of a loop's numbers, if `ahead` of the last run's are still to come.
    [[nodiscard]] Period period(std::size_t level, u64 ahead) const;
    /// Passes numbers, to the same place in a later period. Preconditions: a multiple of the
    /// period's length, less than it has left.
    void skip(std::size_t level, u64 numbers);

  private:
    /// How often a node is come by in one period of a loop, for nodes whose count will change.
    struct Visits {
        u32 node;
        std::size_t level;  ///< of the counts' own period
        u64 count;
    };
    struct Frame {
        u32 loop;
        const std::vector<u32>* body;
        std::size_t next = 0;
        u64 iterations_left = 1;
        u64 begin = 0;       ///< total_ at the start of the present iteration
        u64 length = 0;      ///< numbers in a period; 0: none
        u64 iterations = 1;  ///< in a period
        u64 end = 0;         ///< total_ up to which the period holds
        std::vector<Visits> visits = {};
    };
    /// What a loop comes to in some of its iterations.
    struct Extent {
        u64 length = 0;
        u64 drift = 0;
        u64 most = ~u64{0};  ///< how often that holds
        std::vector<Visits> visits;
    };

    u64 take_count(u32 node);
    void merge_iterations(Run& run);
    void begin_iteration(Frame& frame);
    void find_period(Frame& frame);
    /// What a loop comes to in so many iterations; else how many times more are needed, 0: no
    /// number is known to do.
    u64 measure(u32 loop, u64 iterations, Extent& extent);
    const std::vector<u32>& nodes_within(u32 loop);

    /// What copies share.
    struct Shape {
        const Pattern* pattern;
        std::vector<u64> drifts;
        std::vector<u32> counts_of;  ///< by node: index into counts_, kNone for always 1
        std::vector<std::vector<u32>> nodes_within;  ///< by loop, falling; empty: not asked for yet
        std::vector<u64> visits;                     ///< by node: scratch of measure()
    };

    std::shared_ptr<Shape> shape_;
    std::vector<PeriodicCursor> counts_;
    std::vector<Frame> frames_;
    u64 total_ = 0;
};

}  // namespace tracefold
