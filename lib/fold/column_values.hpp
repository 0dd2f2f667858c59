// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Questions about the numbers of columns that the folded form answers: sums and sets of values,
/// without walking through them one by one. Sums of folded columns are remembered. The vectors
/// behind the source must outlive this object. Throws Error(corrupt) when a column does not have
/// the size that its user expects.
class ColumnValues {
  public:
    using Sink = std::function<void(const ValueRun&)>;

    explicit ColumnValues(const FoldedSource& source) : source_(source) {}

    /// Passes the first `size` numbers as runs, by first appearance but otherwise in any order.
    /// Cost: the folded size; for folded differences their runs.
    void visit(u32 column, u64 size, const Sink& sink);

    /// Sum of the first `size` numbers, modulo 2^64. Cost: as visit(), once per column.
    u64 sum(u32 column, u64 size);

    /// The same for counts, which add up as they are: none may be 0, nor the sum above `limit`,
    /// which is at most kMostRecords.
    u64 total_count(u32 column, u64 size, u64 limit);

    /// How many numbers a folded column has, which is at most kMostRecords. Cost: the folded size.
    u64 length(u32 column);

    /// How often every node of a pattern is executed (leaves: repetitions, loops: iterations) if
    /// the pattern is executed once. `total(node, visits)` gives the sum of the node's counts over
    /// its visits. Numbers above `limit` are an Error(corrupt). `visits`, if given, receives how
    /// often each node is come by.
    static std::vector<u64> executions(const Pattern& pattern,
                                       const std::function<u64(u32, u64)>& total, u64 limit,
                                       std::vector<u64>* visits = nullptr);

  private:
    static void visit_periodic(const Column& column, u64 size, const Sink& sink);
    static void visit_runs(const Column& column, u64 size, const Sink& sink);
    void visit_folded(const Column& column, u64 size, const Sink& sink);
    std::vector<u64> executions(const Column& folded, u64 limit);
    void visit_differences(const Column& column, u64 size, const Sink& sink);

    /// What is remembered of so many first numbers of a column.
    struct Known {
        u64 size = 0;
        u64 sum = 0;
    };

    FoldedSource source_;
    std::unordered_map<u32, Known> sums_;
    std::unordered_map<u32, Known> total_counts_;
};

/// Runs of several columns side by side: as many numbers of each, `times` times over. Returns
/// whether to go on.
using RowSink = std::function<bool(std::span<const ValueRun> runs, u64 times)>;

/// Passes the first `size` numbers of columns that go together (peer, communicator, bytes), each
/// combination as often as it occurs. What repeats in all columns at once is walked a few times
/// only, whatever the lengths of their periods are, so that a number which follows another one
/// anywhere does so in what is passed; else they come in order. Cost: the folded size where columns
/// repeat, the number of runs where they do not. Throws Error(corrupt).
void visit_rows(std::vector<ColumnCursor> columns, u64 size, const RowSink& sink);

/// The first numbers of one column, as many as it has, as it repeats, or as are looked at.
struct NumberSequence {
    enum class End : u8 {
        here,
        never,  ///< they come again and again
        last,   ///< the last one comes again and again
        later,
    };

    std::vector<u64> numbers;
    End end = End::here;

    [[nodiscard]] u64 at(std::size_t number) const {
        const std::size_t size = numbers.size();
        if (end == End::last) number = std::min(number, size - 1);
        return numbers[number < size ? number : number % size];
    }
};

/// Length of the shortest period of a sequence, which may end within a period (Knuth, Morris,
/// Pratt: size minus longest border). Cost: linear.
std::size_t shortest_period(const std::vector<u64>& numbers);

/// The numbers of all columns of an assignment.
class NumberTable {
  public:
    /// False if there are too many to look at. Cost and memory: these numbers.
    bool fill(const FoldedSource& source, std::span<const u32> column_of_participant);

    /// Brings all columns to one length: what all of them repeat, else their common length. False
    /// if there is none.
    bool find_size(std::size_t participants);

    /// Whether what was not looked at so far repeats the numbers. Cost: linear in it.
    [[nodiscard]] bool holds(const FoldedSource& source) const;

    /// Once there is a common length: it, and whether all repeat it.
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool periodic() const { return periodic_; }
    /// A number of a column.
    [[nodiscard]] u64 at(u32 column, std::size_t number) const {
        return sequences_.at(column).at(number);
    }
    /// So many numbers of a column, from the first one on.
    [[nodiscard]] std::vector<u64> first(u32 column, std::size_t count) const;

    /// Cuts every column to what it repeats, be it all that it has. False if one does not go on as
    /// it begins. Cost: linear in the columns.
    bool cut_to_periods(const FoldedSource& source);
    [[nodiscard]] const std::vector<u64>& numbers(u32 column) const {
        return sequences_.at(column).numbers;
    }
    /// How many numbers a column has; nothing if it has any number, or more than are looked at.
    [[nodiscard]] std::optional<std::size_t> length(u32 column) const;
    [[nodiscard]] bool all_known() const;

  private:
    std::map<u32, NumberSequence> sequences_;
    std::size_t size_ = 0;
    bool periodic_ = false;
};

}  // namespace tracefold
