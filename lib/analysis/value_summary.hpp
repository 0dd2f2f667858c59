// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "query/execution_counts.hpp"

#include <vector>

namespace tracefold {

/// Some numbers in short: what they are if they are few, else from where to where they go.
struct ValueSummary {
    static constexpr std::size_t kMostValues = 32;
    static constexpr std::size_t kMostCounts = 8;
    static constexpr std::size_t kMostDistinct = 1000;

    std::vector<u64> values;  ///< all distinct ones by first appearance; empty if there are more
    u64 minimum = 0;          ///< compared as signed if so asked
    u64 maximum = 0;
    u64 distinct = 0;  ///< at most kMostDistinct: counting stops there

    bool operator==(const ValueSummary&) const = default;
    auto operator<=>(const ValueSummary&) const = default;

    [[nodiscard]] bool is_constant() const { return distinct == 1; }
};

/// Summarises the numbers of one location. Precondition: there are any. Cost: that of
/// ColumnValues::visit(), but iterations that repeat are passed at once.
ValueSummary summarize(ExecutionCounts& counts, const ExecutionCounts::Use& use,
                       const FoldedSource& source, bool is_signed);

/// The same for counts, where a short sequence is told as it is: `values` then holds all numbers in
/// order, repeated ones too, if they are not more than kMostCounts.
ValueSummary summarize_counts(ExecutionCounts& counts, const ExecutionCounts::Use& use,
                              const FoldedSource& source);

}  // namespace tracefold
