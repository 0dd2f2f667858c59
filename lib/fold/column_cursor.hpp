// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/memory.hpp"
#include "base/types.hpp"
#include "model/structure.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

/// The state of a set of cursors, for the detection of cycles: the fixed part determines the coming
/// values, stretches (runs, loops) have a remaining length. If two states differ only in these
/// lengths, the steps between them repeat for as long as the stretches last.
class CursorState {
  public:
    static constexpr u64 kForEver = ~u64{0};

    void clear() {
        fixed_.clear();
        stretches_.clear();
        taken_ = 0;
        before_ = nullptr;
        differs_ = false;
    }
    /// Clears this state, and compares additions with `before`, which must not change meanwhile.
    void clear_and_compare(const CursorState& before) {
        clear();
        before_ = &before;
    }
    /// True if an addition differs from the compared state: repeats_since() is then 0.
    [[nodiscard]] bool differs() const { return differs_; }
    [[nodiscard]] std::size_t size() const { return fixed_.size() + stretches_.size(); }

    /// Adds a value that must be equal.
    void add(u64 fixed) {
        if (before_ != nullptr) compare(fixed);
        *fixed_.extend(1) = fixed;
    }
    /// Adds a stretch with `left` equal steps remaining; `serial` identifies the stretch, and its
    /// last `reserve` steps differ (the last iteration of a loop ends it).
    void add_stretch(u64 left, u64 serial, u64 reserve) {
        *stretches_.extend(1) = {left, serial, reserve};
    }

    /// The remaining length of the next stretch in the compared state; `otherwise` without one.
    [[nodiscard]] u64 left_before(u64 otherwise) const {
        const std::size_t at = stretches_.size();
        const bool is_there = before_ != nullptr && at < before_->stretches_.size();
        return is_there ? before_->stretches_[at].left : otherwise;
    }

    /// How often the steps from `before` to this state can be repeated.
    [[nodiscard]] u64 repeats_since(const CursorState& before) const {
        if (differs_ || fixed_ != before.fixed_) return 0;
        if (stretches_.size() != before.stretches_.size()) return 0;
        u64 times = kForEver;
        for (std::size_t i = 0; i < stretches_.size(); ++i) {
            const Stretch& now = stretches_[i];
            const Stretch& was = before.stretches_[i];
            if (now.left == was.left) continue;
            if (now.serial != was.serial) return 0;
            times = std::min(times,
                             (now.left - std::min(now.left, now.reserve)) / (was.left - now.left));
        }
        return times;
    }

    /// Advances by `times` such repetitions. Precondition: times <= repeats_since(before).
    void go_on(const CursorState& before, u64 times) {
        if (times == 0) return;  // the states may then differ in more than lengths
        for (std::size_t i = 0; i < stretches_.size(); ++i) {
            stretches_[i].left -= times * (before.stretches_[i].left - stretches_[i].left);
        }
    }

    /// The remaining lengths, one per call in the order of add_stretch().
    u64 take() { return stretches_[taken_++].left; }

  private:
    struct Stretch {
        u64 left;
        u64 serial;
        u64 reserve;
    };

    void compare(u64 fixed) {
        const AppendBuffer<u64>& before = before_->fixed_;
        const std::size_t at = fixed_.size();
        if (at >= before.size() || before[at] != fixed) differs_ = true;
    }

    AppendBuffer<u64> fixed_;
    AppendBuffer<Stretch> stretches_;
    std::size_t taken_ = 0;
    const CursorState* before_ = nullptr;
    bool differs_ = false;
};

/// `count` numbers: start, start + stride, ...
struct ValueRun {
    u64 start = 0;
    u64 stride = 0;
    u64 count = 0;

    bool operator==(const ValueRun&) const = default;
    [[nodiscard]] u64 last() const { return start + stride * (count - 1); }
    /// The sum of counts; nothing if one is 0 or the sum is above `limit` (<= kMostRecords).
    [[nodiscard]] std::optional<u64> total(u64 limit) const;
    [[nodiscard]] u64 sum() const;
    [[nodiscard]] u64 occurrences(u64 value) const;
};

class FamilyColumns;

/// The storage of folded data. What it refers to must outlive the cursors and not change.
struct FoldedSource {
    const std::vector<Pattern>& patterns;
    const std::vector<Column>& columns;
    const FamilyColumns* families = nullptr;  ///< the columns beyond, if there are any

    [[nodiscard]] const Column& column(u32 id) const {
        return id < columns.size() ? columns[id] : family_column(id);
    }

  private:
    [[nodiscard]] const Column& family_column(u32 id) const;
};

/// The outermost loop that contains the position of a walk.
struct OutermostLoop {
    u32 item = kNone;  ///< of the pattern's root; kNone: outside of loops
    u64 left = 0;      ///< remaining iterations, including the current one
};

/// The end of a loop iteration that is not the last one.
struct LoopTurn {
    u32 node = kNone;  ///< kNone: no such end
    u64 left = 0;      ///< remaining iterations, including the finished one
    u64 depth = 0;     ///< nesting depth of its body: 1 for an outermost loop
};

/// Checks the count of a loop or run. Throws Error(corrupt) if it is 0.
u64 checked_count(u64 count);

class PatternCursor;

/// Iterates over a column by value or by run in O(depth) memory. Throws Error(corrupt) beyond the
/// end of the column. Cost per value or run: amortised O(1).
class ColumnCursor {
  public:
    ColumnCursor(const FoldedSource& source, u32 column);
    /// Repeats `value` without end.
    static ColumnCursor constant(u64 value);
    /// Iterates over the leaf numbers of a pattern.
    static ColumnCursor of_leaves(PatternCursor pattern);
    ~ColumnCursor();
    ColumnCursor(ColumnCursor&&) noexcept;
    ColumnCursor& operator=(ColumnCursor&&) noexcept;

    u64 next() {
        if (left_ == 0) refill();
        --left_;
        const u64 value = value_;
        value_ += stride_;
        return value;
    }

    /// Returns the next value and its repetition count, at most `most`, as far as it is known at no
    /// cost. Precondition: `most` is not 0.
    ValueRun next_equal(u64 most) {
        const u64 value = next();
        const u64 more = stride_ == 0 ? std::min(left_, most - 1) : 0;
        left_ -= more;
        return {value, 0, more + 1};
    }
    /// The number of values up to the end of the current run: at least 1.
    [[nodiscard]] u64 run_size() {
        if (left_ == 0) refill();
        return left_;
    }
    /// Consumes values of the current run. Precondition: 0 < count <= run_size(), which was called.
    ValueRun take_run(u64 count) {
        const ValueRun run{value_, stride_, count};
        left_ -= count;
        value_ += stride_ * count;
        return run;
    }
    [[nodiscard]] bool is_constant() const {
        return column_ == nullptr || column_->form == Column::Form::constant;
    }

    /// The loop of a folded column whose iteration ended with the last value; endless if periodic.
    [[nodiscard]] LoopTurn turn() const;
    /// Upper bound of the nodes in turn().
    [[nodiscard]] std::size_t node_count() const;

    /// Adds the position to a state, or restores it from an advanced one.
    void save(CursorState& state) const;
    void restore(CursorState& state);

  private:
    struct Folded;

    ColumnCursor();
    void refill();
    void restart() {
        index_ = 0;
        ++restarts_;
    }
    /// True in a run of known length, which can be skipped in one step.
    [[nodiscard]] bool in_stretch() const;
    [[nodiscard]] bool is_listed() const;
    [[nodiscard]] u64 repeated(u64 way) const;
    void save_place(CursorState& state) const;

    u64 value_ = 0;
    u64 stride_ = 0;
    u64 left_ = 0;                    ///< values until the next refill()
    const Column* column_ = nullptr;  ///< null: a constant
    std::size_t index_ = 0;           ///< index into a list
    u64 restarts_ = 0;                ///< of a periodic list
    bool started_ = false;            ///< differences: the first value was returned
    std::unique_ptr<Folded> folded_;
};

/// The counts of a pattern's nodes: one number per visit; always 1 for nodes without a column.
class NodeCounts {
  public:
    explicit NodeCounts(const Pattern& pattern) : place_of_(pattern.node_count(), kNone) {}
    NodeCounts(const FoldedSource& source, const Pattern& pattern,
               const std::vector<NodeCount>& counts);
    void add(u32 node, ColumnCursor counts);
    /// Lets a node take its counts from another one. Precondition: the other one was added.
    void share(u32 node, u32 with) { place_of_[node] = place_of_[with]; }

    /// True if all counts of a node are equal.
    [[nodiscard]] bool are_constant(u32 node) const {
        const u32 place = place_of_[node];
        return place == kNone || counts_[place].is_constant();
    }
    /// Returns the next count of a node. Throws Error(corrupt) if it is 0.
    u64 next(u32 node) {
        const u32 place = place_of_[node];
        return place == kNone ? 1 : checked_count(counts_[place].next());
    }

    /// Save and restore as in ColumnCursor.
    void save(CursorState& state) const;
    void restore(CursorState& state);

  private:
    std::vector<u32> place_of_;  ///< by node: index into counts_, kNone for always 1
    std::vector<ColumnCursor> counts_;
};

/// Iterates over a pattern run by run, with a count column per node. Throws Error(corrupt) on a 0.
class PatternCursor {
  public:
    struct Run {
        u32 leaf;
        u64 count;
    };

    PatternCursor(const FoldedSource& source, u32 pattern, const std::vector<NodeCount>& counts);
    /// Iterates over a pattern whose counts are added one by one; other nodes have count 1.
    explicit PatternCursor(const Pattern& pattern) : PatternCursor(pattern, NodeCounts(pattern)) {}
    PatternCursor(const Pattern& pattern, NodeCounts counts);
    void add_counts(u32 node, ColumnCursor counts) { counts_.add(node, std::move(counts)); }

    /// Advances to the next run; false at the end.
    bool next(Run& run);
    /// As next(), but merges a loop around a single leaf with a constant count into one run.
    bool next_whole(Run& run);

    [[nodiscard]] std::size_t node_count() const { return pattern_->node_count(); }
    /// Nesting depth of the current run.
    [[nodiscard]] std::size_t depth() const { return frames_.size() - 1; }
    [[nodiscard]] OutermostLoop outermost() const {
        if (depth() == 0) return {};
        return {static_cast<u32>(frames_[0].place() - 1), frames_[1].trips_left};
    }

    /// The loop iteration that the last run ended.
    [[nodiscard]] LoopTurn turn() const;

    /// Tracks the iterations of this loop, given by its node. Call before next().
    void follow(u32 loop) { followed_ = loop; }
    /// The iteration of the tracked loop that contains the last run, counted from 0 over the whole
    /// walk; nothing outside of the loop.
    [[nodiscard]] std::optional<u64> iteration() const {
        if (followed_frame_ == 0) return std::nullopt;
        return followed_end_ - frames_[followed_frame_].trips_left;
    }

    /// Save and restore as in ColumnCursor.
    void save(CursorState& state) const;
    void restore(CursorState& state);

  private:
    struct Frame {
        Frame(const std::vector<u32>& body, u64 trips, u32 of_node, u64 number)
            : begin(body.data()),
              next(begin),
              end(begin + body.size()),
              trips_left(trips),
              node(of_node),
              serial(number) {}

        [[nodiscard]] u64 place() const { return static_cast<u64>(next - begin); }

        const u32* begin;  ///< of the body
        const u32* next;
        const u32* end;
        u64 trips_left;
        u32 node;    ///< kNone: the root
        u64 serial;  ///< unique per frame
    };

    const Pattern* pattern_;
    NodeCounts counts_;
    std::vector<Frame> frames_;
    u64 pushes_ = 0;
    u32 followed_ = kNone;
    std::size_t followed_frame_ = 0;  ///< of the tracked loop; 0: outside of it
    u64 followed_end_ = 0;            ///< its iterations, including all of the current execution
};

/// Returns the first `size` values of a column.
std::vector<u64> unwind(const FoldedSource& source, u32 column, u64 size);

}  // namespace tracefold
