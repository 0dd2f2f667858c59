// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_values.hpp"
#include "fold/structure_index.hpp"

#include <unordered_set>
#include <vector>

namespace tracefold {

/// What numbers do one after the other.
enum class ValueOrder : u8 {
    none,         ///< anything else
    progression,  ///< every number is the one before plus a step that is not 0
    in_turn,      ///< the same different numbers over and over
    phases,       ///< each number comes in one stretch, of which one at least is longer than 1
};

/// Finds the order of numbers that are added in order, at once or with what repeats passed twice
/// (visit_rows()). Cost: O(1) per run.
class OrderFinder {
  public:
    /// More different numbers than this have no order but a progression.
    static constexpr std::size_t kMostNumbers = 8;

    void add(const ValueRun& run);

    /// Whether any order is still possible.
    [[nodiscard]] bool is_open() const {
        return could_be_progression_ || could_be_in_turn_ || could_be_phases_;
    }
    [[nodiscard]] ValueOrder order() const;
    /// Of a progression.
    [[nodiscard]] u64 step() const { return step_; }

  private:
    void add_progression(const ValueRun& run);
    void add_in_turn(u64 value);
    void add_phase(u64 value);

    u64 count_ = 0;
    u64 last_ = 0;

    bool could_be_progression_ = true;
    u64 step_ = 0;

    bool could_be_in_turn_ = true;
    std::vector<u64> turn_;  ///< the numbers before the first one came again
    bool returned_ = false;  ///< it has
    std::size_t next_ = 0;   ///< in the turn

    bool could_be_phases_ = true;
    std::vector<u64> phases_;  ///< the number of each stretch
    bool has_stretch_ = false;
};

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
