// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_values.hpp"
#include "fold/structure_index.hpp"

#include <unordered_set>
#include <vector>

namespace tracefold {

/// How consecutive numbers relate.
enum class ValueOrder : u8 {
    none,         ///< anything else
    progression,  ///< arithmetic progression with a step other than 0
    in_turn,      ///< a cycle of distinct numbers
    phases,       ///< each number forms one stretch, at least one of them longer than 1
};

/// Finds the order of numbers. Add them in order: all of them, or each repeated part twice
/// (visit_rows()). Cost: O(1) per run.
class OrderFinder {
  public:
    /// More distinct numbers have no order except a progression.
    static constexpr std::size_t kMostNumbers = 8;

    void add(const ValueRun& run);

    /// Whether an order is still possible.
    [[nodiscard]] bool is_open() const {
        return could_be_progression_ || could_be_in_turn_ || could_be_phases_;
    }
    [[nodiscard]] ValueOrder order() const;
    /// Step of a progression.
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
    std::vector<u64> turn_;  ///< numbers before the first repetition
    bool returned_ = false;  ///< whether the first number occurred again
    std::size_t next_ = 0;   ///< index into turn_

    bool could_be_phases_ = true;
    std::vector<u64> phases_;  ///< the number of each stretch
    bool has_stretch_ = false;
};

/// A summary of numbers: the distinct values if they are few, else their range.
struct ValueSummary {
    static constexpr std::size_t kMostValues = 32;
    static constexpr std::size_t kMostCounts = 8;
    static constexpr std::size_t kMostDistinct = 1000;
    static constexpr std::size_t kMostOrdered = 100'000;

    std::vector<u64> values;  ///< distinct values by first appearance; empty if too many
    u64 minimum = 0;          ///< signed comparison on request
    u64 maximum = 0;
    u64 distinct = 0;  ///< at most kMostDistinct, where counting stops
    ValueOrder order = ValueOrder::none;
    u64 step = 0;  ///< of a progression

    bool operator==(const ValueSummary&) const = default;
    auto operator<=>(const ValueSummary&) const = default;

    [[nodiscard]] bool is_constant() const { return distinct == 1; }
    void set_order(const OrderFinder& finder);
    /// Replaces `values` by all numbers in order.
    void tell_sequence(std::vector<u64> numbers);
};

/// Builds a ValueSummary. Cost: O(1) per run of equal numbers, else per number.
class SummaryBuilder {
  public:
    explicit SummaryBuilder(bool is_signed) : sign_(is_signed ? u64{1} << 63U : 0) {}

    /// Adds a run `times` times, in order, see OrderFinder.
    void add(const ValueRun& run, u64 times = 1);
    [[nodiscard]] ValueSummary take();
    /// Returns a summary in the form of summarize_counts().
    [[nodiscard]] ValueSummary take_counts();

  private:
    void stretch(u64 value, bool first);
    void add_to_sequence(const ValueRun& run, u64 times);

    u64 sign_;
    ValueSummary summary_;
    std::unordered_set<u64> seen_;
    OrderFinder order_;
    std::vector<u64> sequence_;  ///< all numbers while they are few
    bool is_short_ = true;
};

/// Summarises the numbers of one location. Precondition: at least one number. Cost: that of
/// ColumnValues::visit() with repeated iterations skipped, plus at most kMostOrdered runs to find
/// the order.
ValueSummary summarize(ExecutionCounts& counts, const ExecutionCounts::Use& use,
                       const FoldedSource& source, bool is_signed);

/// Summarises counts. Unlike summarize(), `values` lists up to kMostCounts numbers in full, in
/// order and with repetitions.
ValueSummary summarize_counts(ExecutionCounts& counts, const ExecutionCounts::Use& use,
                              const FoldedSource& source);

}  // namespace tracefold
