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

/// Where a set of cursors stands, in a form that tells whether they go round in circles: what
/// decides about the values to come, and how much is left of the stretches (runs, loops) that they
/// are in the middle of. If two states differ in nothing but that, all that happened between them
/// happens again for as long as the stretches last.
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
    /// Clears this state, and from now on compares what is added with `before`, which must not
    /// change meanwhile.
    void clear_and_compare(const CursorState& before) {
        clear();
        before_ = &before;
    }
    /// What was added differs from that state: repeats_since() will be 0, whatever else is added.
    [[nodiscard]] bool differs() const { return differs_; }
    [[nodiscard]] std::size_t size() const { return fixed_.size() + stretches_.size(); }

    /// Something that must be equal.
    void add(u64 fixed) {
        if (before_ != nullptr) compare(fixed);
        *fixed_.extend(1) = fixed;
    }
    /// `left` more steps of the same; `serial` says of which stretch, `reserve` how many of them
    /// are not like the others (the last iteration of a loop ends it).
    void add_stretch(u64 left, u64 serial, u64 reserve) {
        *stretches_.extend(1) = {left, serial, reserve};
    }

    /// What was left of the stretch that is added next, in the state that this one is compared
    /// with; `otherwise` if it is compared with none.
    [[nodiscard]] u64 left_before(u64 otherwise) const {
        const std::size_t at = stretches_.size();
        const bool is_there = before_ != nullptr && at < before_->stretches_.size();
        return is_there ? before_->stretches_[at].left : otherwise;
    }

    /// How often the way from `before` to this state can be gone again. 0: not even once.
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

    /// Goes the way from `before` again. Precondition: times <= repeats_since(before).
    void go_on(const CursorState& before, u64 times) {
        if (times == 0) return;  // the states may differ in more than how far they are
        for (std::size_t i = 0; i < stretches_.size(); ++i) {
            stretches_[i].left -= times * (before.stretches_[i].left - stretches_[i].left);
        }
    }

    /// What is left of the stretches, one by one in the order of add_stretch().
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
    /// The sum of counts: none if one of them is 0 or their sum is above `limit`, which is at most
    /// kMostRecords.
    [[nodiscard]] std::optional<u64> total(u64 limit) const;
    [[nodiscard]] u64 sum() const;
    /// How often a number occurs in the run.
    [[nodiscard]] u64 occurrences(u64 value) const;
};

/// Where folded data is read from. The vectors must outlive the cursors and not change.
struct FoldedSource {
    const std::vector<Pattern>& patterns;
    const std::vector<Column>& columns;
};

/// Which loop of a pattern that is in no other loop a walk is in.
struct OutermostLoop {
    u32 item = kNone;  ///< of the pattern's root; kNone: in none
    u64 left = 0;      ///< iterations, this one included
};

/// A loop of a pattern of which one iteration is over and another one follows.
struct LoopTurn {
    u32 node = kNone;  ///< kNone: there is none
    u64 left = 0;      ///< iterations, with the one that is over
    u64 depth = 0;     ///< loops around what is in it: 1 for a loop in no other one
};

/// The count of a loop or run. Throws Error(corrupt) if it is 0.
u64 checked_count(u64 count);

class PatternCursor;

/// Walks a column value by value or run by run in O(depth) memory. Throws Error(corrupt) when asked
/// for more values than the column has. Cost of a value or run: amortised O(1).
class ColumnCursor {
  public:
    ColumnCursor(const FoldedSource& source, u32 column);
    /// Walks `value`, `value`, ... for ever.
    static ColumnCursor constant(u64 value);
    /// Walks the numbers of the leaves that a pattern comes to.
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

    /// The next value, and how often it comes in a row as far as that costs nothing to tell: at
    /// least once, at most `most` times. Precondition: `most` is not 0.
    ValueRun next_equal(u64 most) {
        const u64 value = next();
        const u64 more = stride_ == 0 ? std::min(left_, most - 1) : 0;
        left_ -= more;
        return {value, 0, more + 1};
    }
    /// How many values from here on are one run: at least 1.
    [[nodiscard]] u64 run_size() {
        if (left_ == 0) refill();
        return left_;
    }
    /// Passes so many values of that run. Precondition: 0 < count <= run_size(), which was called.
    ValueRun take_run(u64 count) {
        const ValueRun run{value_, stride_, count};
        left_ -= count;
        value_ += stride_ * count;
        return run;
    }
    /// All values are the same.
    [[nodiscard]] bool is_constant() const {
        return column_ == nullptr || column_->form == Column::Form::constant;
    }

    /// The loop of a folded column of which an iteration ends with the last value; a periodic
    /// column is a loop without end.
    [[nodiscard]] LoopTurn turn() const;
    /// turn() names nodes below this number.
    [[nodiscard]] std::size_t node_count() const;

    /// Adds the position to a state; leaps to the position of one that went on from there.
    void save(CursorState& state) const;
    void restore(CursorState& state);

  private:
    struct Folded;

    ColumnCursor();
    void refill();
    /// In a run of known length: it may be gone through in one step.
    [[nodiscard]] bool in_stretch() const;
    [[nodiscard]] bool is_listed() const;
    [[nodiscard]] u64 repeated(u64 way) const;
    void save_place(CursorState& state) const;

    u64 value_ = 0;
    u64 stride_ = 0;
    u64 left_ = 0;                    ///< values before the next refill()
    const Column* column_ = nullptr;  ///< null: a constant
    std::size_t index_ = 0;           ///< into a list
    bool started_ = false;            ///< of differences: the first value was given
    std::unique_ptr<Folded> folded_;
};

/// The counts of a pattern's nodes: how often each follows, one number per visit; always 1 for
/// nodes without.
class NodeCounts {
  public:
    explicit NodeCounts(const Pattern& pattern) : place_of_(pattern.node_count(), kNone) {}
    NodeCounts(const FoldedSource& source, const Pattern& pattern,
               const std::vector<NodeCount>& counts);
    void add(u32 node, ColumnCursor counts);
    /// The node takes its counts where another one does. Precondition: that one was added.
    void share(u32 node, u32 with) { place_of_[node] = place_of_[with]; }

    /// Whether a node's counts are all the same.
    [[nodiscard]] bool are_constant(u32 node) const {
        const u32 place = place_of_[node];
        return place == kNone || counts_[place].is_constant();
    }
    /// The next count of a node. Throws Error(corrupt) if it is 0.
    u64 next(u32 node) {
        const u32 place = place_of_[node];
        return place == kNone ? 1 : checked_count(counts_[place].next());
    }

    /// As those of a column.
    void save(CursorState& state) const;
    void restore(CursorState& state);

  private:
    std::vector<u32> place_of_;  ///< by node: in counts_, kNone for always 1
    std::vector<ColumnCursor> counts_;
};

/// Walks a pattern run by run, taking counts from one column per node. Throws Error(corrupt) when
/// a count is 0.
class PatternCursor {
  public:
    struct Run {
        u32 leaf;
        u64 count;
    };

    PatternCursor(const FoldedSource& source, u32 pattern, const std::vector<NodeCount>& counts);
    /// Walks a pattern whose counts are added one by one; nodes without have count 1.
    explicit PatternCursor(const Pattern& pattern) : PatternCursor(pattern, NodeCounts(pattern)) {}
    PatternCursor(const Pattern& pattern, NodeCounts counts);
    void add_counts(u32 node, ColumnCursor counts) { counts_.add(node, std::move(counts)); }

    /// The next run; false at the end.
    bool next(Run& run);
    /// The same, but a loop around one leaf that always has the same count is one run as a whole.
    bool next_whole(Run& run);

    [[nodiscard]] std::size_t node_count() const { return pattern_->node_count(); }
    /// Loops around the present run.
    [[nodiscard]] std::size_t depth() const { return frames_.size() - 1; }
    [[nodiscard]] OutermostLoop outermost() const {
        if (depth() == 0) return {};
        return {static_cast<u32>(frames_[0].place() - 1), frames_[1].trips_left};
    }

    /// Where the last run has ended.
    [[nodiscard]] LoopTurn turn() const;

    /// From now on knows the iterations of this loop, a node. Call before next().
    void follow(u32 loop) { followed_ = loop; }
    /// The iteration of that loop that the last run is in, counted from 0 over the whole walk;
    /// nothing outside of the loop.
    [[nodiscard]] std::optional<u64> iteration() const {
        if (followed_frame_ == 0) return std::nullopt;
        return followed_end_ - frames_[followed_frame_].trips_left;
    }

    /// As those of a column.
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
        u64 serial;  ///< no two frames have the same
    };

    const Pattern* pattern_;
    NodeCounts counts_;
    std::vector<Frame> frames_;
    u64 pushes_ = 0;
    u32 followed_ = kNone;
    std::size_t followed_frame_ = 0;  ///< of the followed loop; 0: the walk is not in it
    u64 followed_end_ = 0;            ///< its iterations, with all that it is about to make
};

/// The first `size` values of a column.
std::vector<u64> unwind(const FoldedSource& source, u32 column, u64 size);

}  // namespace tracefold
