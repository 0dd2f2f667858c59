// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/value_order.hpp"
#include "fold/execution_counts.hpp"

#include <unordered_set>
#include <vector>

namespace tracefold {

/// Some numbers in short: what they are if they are few, else from where to where they go.
struct ValueSummary {
    static constexpr std::size_t kMostValues = 32;
    static constexpr std::size_t kMostCounts = 8;
    static constexpr std::size_t kMostDistinct = 1000;
    static constexpr std::size_t kMostOrdered = 100'000;

    std::vector<u64> values;  ///< all distinct ones by first appearance; empty if there are more
    u64 minimum = 0;          ///< compared as signed if so asked
    u64 maximum = 0;
    u64 distinct = 0;  ///< at most kMostDistinct: counting stops there
    ValueOrder order = ValueOrder::none;
    u64 step = 0;  ///< of a progression

    bool operator==(const ValueSummary&) const = default;
    auto operator<=>(const ValueSummary&) const = default;

    [[nodiscard]] bool is_constant() const { return distinct == 1; }
    void set_order(const OrderFinder& finder);
    /// Makes `values` all numbers in order.
    void tell_sequence(std::vector<u64> numbers);
};

/// Makes the summary of numbers. Cost: O(1) per run, or per number where they differ.
class SummaryBuilder {
  public:
    explicit SummaryBuilder(bool is_signed) : sign_(is_signed ? u64{1} << 63U : 0) {}

    /// `times` over, in order, see OrderFinder.
    void add(const ValueRun& run, u64 times = 1);
    [[nodiscard]] ValueSummary take();
    /// As summarize_counts() tells counts.
    [[nodiscard]] ValueSummary take_counts();

  private:
    void stretch(u64 value, bool first);
    void add_to_sequence(const ValueRun& run, u64 times);

    u64 sign_;
    ValueSummary summary_;
    std::unordered_set<u64> seen_;
    OrderFinder order_;
    std::vector<u64> sequence_;  ///< all numbers as long as they are few
    bool is_short_ = true;
};

/// Summarises the numbers of one location. Precondition: there are any. Cost: that of
/// ColumnValues::visit(), but iterations that repeat are passed at once; to find their order, at
/// most kMostOrdered runs more.
ValueSummary summarize(ExecutionCounts& counts, const ExecutionCounts::Use& use,
                       const FoldedSource& source, bool is_signed);

/// The same for counts, where a short sequence is told as it is: `values` then holds all numbers in
/// order, repeated ones too, if they are not more than kMostCounts.
ValueSummary summarize_counts(ExecutionCounts& counts, const ExecutionCounts::Use& use,
                              const FoldedSource& source);

}  // namespace tracefold
