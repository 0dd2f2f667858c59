// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"

#include <functional>
#include <optional>
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

}  // namespace tracefold
