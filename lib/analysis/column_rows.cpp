// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/column_rows.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace tracefold {

namespace {

class RowWalker {
  public:
    RowWalker(std::vector<PeriodicCursor>& columns, const RowSink& sink)
        : columns_(columns), sink_(sink), runs_(columns.size()) {}

    void walk(u64 size, u64 times) {
        while (size > 0 && goes_on_) {
            const std::optional<Repeat> repeat = find_repeat(size);
            size -= repeat ? walk_repeat(*repeat, times) : walk_run(size, times);
        }
    }

  private:
    /// All columns repeat at these levels: `length` numbers, `count` times.
    struct Repeat {
        std::vector<std::size_t> levels;
        u64 length = 0;
        u64 count = 0;
    };

    /// Looks at the longest periods first; a column whose period is the longest gives way.
    std::optional<Repeat> find_repeat(u64 size) const {
        Repeat repeat{std::vector<std::size_t>(columns_.size(), 0), 0, 0};
        while (true) {
            if (measure(repeat, size)) return repeat;
            if (!give_way(repeat.levels)) return std::nullopt;
        }
    }

    bool measure(Repeat& repeat, u64 size) const {
        repeat.length = 1;
        u64 left = PeriodicCursor::kForEver;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const Period period = columns_[i].period(repeat.levels[i]);
            if (period.length == 0) return false;
            const u64 common = std::gcd(repeat.length, period.length);
            const u64 factor = period.length / common;
            if (factor > size / repeat.length) return false;
            repeat.length *= factor;
            left = std::min(left, period.left);
        }
        if (repeat.length == 1) return false;  // runs, which are passed as such
        // A period stays behind: it shows what follows the last number of the one that is walked,
        // and no column leaves the loop that it is in.
        repeat.count = std::min(size, left) / repeat.length;
        if (repeat.count != 0) --repeat.count;
        return repeat.count >= 2;
    }

    bool give_way(std::vector<std::size_t>& levels) const {
        std::size_t longest = columns_.size();
        u64 length = 0;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (levels[i] + 1 == columns_[i].levels()) continue;
            const u64 own = columns_[i].period(levels[i]).length;
            const u64 weight = own == 0 ? PeriodicCursor::kForEver : own;
            if (longest == columns_.size() || weight > length) {
                longest = i;
                length = weight;
            }
        }
        if (longest == columns_.size()) return false;
        ++levels[longest];
        return true;
    }

    u64 walk_repeat(const Repeat& repeat, u64 times) {
        walk(repeat.length, times * repeat.count);
        if (!goes_on_) return 0;
        const u64 rest = repeat.length * (repeat.count - 1);
        for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].skip(repeat.levels[i], rest);
        return repeat.length * repeat.count;
    }

    u64 walk_run(u64 size, u64 times) {
        u64 count = size;
        for (const PeriodicCursor& column : columns_) count = std::min(count, column.run().count);
        emit(count, times);
        return count;
    }

    void emit(u64 count, u64 times) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const ValueRun& run = columns_[i].run();
            runs_[i] = {run.start, run.stride, count};
            columns_[i].advance(count);
        }
        goes_on_ = sink_(runs_, times);
    }

    std::vector<PeriodicCursor>& columns_;
    const RowSink& sink_;
    std::vector<ValueRun> runs_;
    bool goes_on_ = true;
};

}  // namespace

void visit_rows(std::vector<PeriodicCursor> columns, u64 size, const RowSink& sink) {
    RowWalker(columns, sink).walk(size, 1);
}

}  // namespace tracefold
