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

/// Computes sums and distributions of column values on the folded form, without unwinding. Caches
/// sums of folded columns. The vectors behind the source must outlive this object. Throws
/// Error(corrupt) if a column does not have the expected size.
class ColumnValues {
  public:
    using Sink = std::function<void(const ValueRun&)>;

    explicit ColumnValues(const FoldedSource& source) : source_(source) {}

    /// Passes the first `size` numbers as runs, in the order of first appearance, otherwise
    /// unordered. Cost: the folded size; for folded differences their runs.
    void visit(u32 column, u64 size, const Sink& sink);

    /// Returns the sum of the first `size` numbers, modulo 2^64. Cost: as visit(), once per column.
    u64 sum(u32 column, u64 size);

    /// The exact sum of counts. Throws if one is 0 or the sum is above `limit` (<= kMostRecords).
    u64 total_count(u32 column, u64 size, u64 limit);

    /// Returns the length of a folded column, at most kMostRecords. Cost: the folded size.
    u64 length(u32 column);

    /// Returns the executions of every node of a pattern (leaves: repetitions, loops: iterations)
    /// for one execution of the pattern. `total(node, visits)` returns the sum of the node's counts
    /// over its visits. Throws Error(corrupt) for numbers above `limit`. `visits`, if given,
    /// receives the visits of each node.
    static std::vector<u64> executions(const Pattern& pattern,
                                       const std::function<u64(u32, u64)>& total, u64 limit,
                                       std::vector<u64>* visits = nullptr);

  private:
    static void visit_periodic(const Column& column, u64 size, const Sink& sink);
    static void visit_runs(const Column& column, u64 size, const Sink& sink);
    void visit_folded(const Column& column, u64 size, const Sink& sink);
    std::vector<u64> executions(const Column& folded, u64 limit);
    void visit_differences(const Column& column, u64 size, const Sink& sink);

    /// Cached results for a prefix of a column.
    struct Known {
        u64 size = 0;
        u64 sum = 0;
    };

    FoldedSource source_;
    std::unordered_map<u32, Known> sums_;
    std::unordered_map<u32, Known> total_counts_;
};

/// Receives rows of columns: runs of equal length, repeated `times` times. Returns false to stop.
using RowSink = std::function<bool(std::span<const ValueRun> runs, u64 times)>;

/// Passes the first `size` rows of related columns (peer, communicator, bytes), each with its
/// multiplicity. Repetitions common to all columns are walked only a few times, whatever their
/// periods; every pair of successive numbers still occurs in the output, which is otherwise in
/// order. Cost: the folded size where columns repeat, the number of runs elsewhere. Throws
/// Error(corrupt).
void visit_rows(std::vector<ColumnCursor> columns, u64 size, const RowSink& sink);

/// A prefix of a column's numbers: all of them, one period, or up to the limit of the analysis.
struct NumberSequence {
    enum class End : u8 {
        here,
        never,  ///< the prefix repeats
        last,   ///< its last number repeats
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

/// Returns the length of the shortest period of a sequence, which may end within a period (Knuth,
/// Morris, Pratt: size minus longest border). Cost: linear.
std::size_t shortest_period(const std::vector<u64>& numbers);

/// The numbers of all columns of an assignment.
class NumberTable {
  public:
    /// Returns false if they exceed the limit. Cost and memory: these numbers.
    bool fill(const FoldedSource& source, std::span<const u32> column_of_participant);

    /// Extends all columns to their common period, else common length; false if there is none.
    bool find_size(std::size_t participants);

    /// True if the numbers beyond the prefixes repeat them. Cost: linear in these numbers.
    [[nodiscard]] bool holds(const FoldedSource& source) const;

    /// After find_size(): the common length, and whether all columns repeat it.
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool periodic() const { return periodic_; }
    [[nodiscard]] u64 at(u32 column, std::size_t number) const {
        return sequences_.at(column).at(number);
    }
    [[nodiscard]] std::vector<u64> first(u32 column, std::size_t count) const;

    /// Cuts every column to its period, or to its full length. Returns false if a column does not
    /// continue as it begins. Cost: linear in the columns.
    bool cut_to_periods(const FoldedSource& source);
    [[nodiscard]] const std::vector<u64>& numbers(u32 column) const {
        return sequences_.at(column).numbers;
    }
    /// The length of a column; nothing if it is unbounded or above the limit.
    [[nodiscard]] std::optional<std::size_t> length(u32 column) const;
    [[nodiscard]] bool all_known() const;

  private:
    std::map<u32, NumberSequence> sequences_;
    std::size_t size_ = 0;
    bool periodic_ = false;
};

}  // namespace tracefold
