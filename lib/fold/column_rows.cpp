// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_rows.hpp"

#include "fold/repeat_finder.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Walks the columns side by side; RepeatFinder asks it where loops turn and compares its states.
class RowWalker {
  public:
    struct Cycle {
        u64 times = 0;
    };

    RowWalker(std::vector<ColumnCursor>&& columns, u64 size, const RowSink& sink)
        : columns_(std::move(columns)), sink_(sink), left_(size) {
        u32 nodes = 0;
        for (const ColumnCursor& column : columns_) {
            first_node_.push_back(nodes);
            nodes += static_cast<u32>(column.node_count());
        }
    }

    void walk() {
        while (left_ > 0 && goes_on_) {
            pass_row();
            if (left_ > 0) find_repeats();
        }
    }

    [[nodiscard]] LoopTurn turn() const { return turn_; }
    [[nodiscard]] u32 steps() const { return rows_; }
    [[nodiscard]] std::size_t watched() const { return watched_.size(); }
    void watch() {
        noted_.clear();
        left_at_mark_ = left_;
        watched_.clear();
        save(watched_);
    }
    Cycle cycle() {
        now_.clear_and_compare(watched_);
        save(now_);
        const u64 length = left_at_mark_ - left_;
        return {std::min(now_.repeats_since(watched_), left_ / length)};
    }

  private:
    /// Iterations that are tried as a period of all columns.
    static constexpr u64 kLongestPeriod = 256;
    /// Runs of numbers that are kept of a period.
    static constexpr std::size_t kMostNoted = 1'000'000;

    void pass_row() {
        u64 count = left_;
        for (ColumnCursor& column : columns_) count = std::min(count, column.run_size());
        row_.clear();
        for (ColumnCursor& column : columns_) row_.push_back(column.take_run(count));
        left_ -= count;
        ++rows_;
        goes_on_ = sink_(row_, 1);
        if (!finder_.is_looking()) return;
        noted_.insert(noted_.end(), row_.begin(), row_.end());
        if (noted_.size() > kMostNoted) finder_.give_up();
    }

    /// The columns have loops of their own: all count, but while one is looked at only those of
    /// its column.
    void find_repeats() {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (finder_.is_looking() && i != leader_) continue;
            turn_ = columns_[i].turn();
            turn_.node += turn_.node == kNone ? 0 : first_node_[i];
            const Repeat repeat = finder_.at_turn();
            if (repeat == Repeat::marked) leader_ = i;
            if (repeat == Repeat::again) leave_out(finder_.cycle().times);
            if (repeat != Repeat::none) return;
        }
    }

    void leave_out(u64 times) {
        finder_.accept();
        const std::span<const ValueRun> noted = noted_;
        for (std::size_t i = 0; i < noted.size() && goes_on_; i += columns_.size()) {
            goes_on_ = sink_(noted.subspan(i, columns_.size()), times);
        }
        left_ -= times * (left_at_mark_ - left_);
        now_.go_on(watched_, times);
        for (ColumnCursor& column : columns_) column.restore(now_);
    }

    void save(CursorState& state) const {
        for (const ColumnCursor& column : columns_) {
            if (state.differs()) return;
            column.save(state);
        }
    }

    std::vector<ColumnCursor> columns_;
    const RowSink& sink_;
    u64 left_;  ///< numbers of each column
    bool goes_on_ = true;
    u32 rows_ = 0;
    std::vector<ValueRun> row_;
    std::vector<ValueRun> noted_;  ///< rows since the mark
    u64 left_at_mark_ = 0;
    std::size_t leader_ = 0;  ///< column of the loop that is looked at
    LoopTurn turn_;
    std::vector<u32> first_node_;  ///< by column
    CursorState watched_;
    CursorState now_;
    RepeatFinder<RowWalker> finder_{*this, kLongestPeriod};
};

}  // namespace

void visit_rows(std::vector<ColumnCursor> columns, u64 size, const RowSink& sink) {
    RowWalker(std::move(columns), size, sink).walk();
}

}  // namespace tracefold
