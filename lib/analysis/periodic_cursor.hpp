// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/periodic_pattern.hpp"
#include "trace/execution_counts.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace tracefold {

/// Walks a column run by run and knows how the numbers ahead repeat, so that whole iterations can
/// be passed at once. Throws Error(corrupt) when asked for more than the column has. Memory: the
/// column's alphabet and its depth.
class PeriodicCursor {
  public:
    static constexpr u64 kForEver = ~u64{0};

    /// The vectors of the source must outlive the cursor.
    PeriodicCursor(const FoldedSource& source, u32 column);
    static PeriodicCursor constant(u64 value);
    /// Of the numbers of an argument or count, as far as they go.
    static PeriodicCursor over(const FoldedSource& source, const ExecutionCounts::Use& use);
    /// The number of the loop next to the leaf that a pattern comes by; `counts` are those of
    /// `nodes`, others have count 1. The pattern must outlive the cursor.
    static PeriodicCursor over_loops(const Pattern& pattern, const std::vector<u32>& nodes,
                                     std::vector<PeriodicCursor> counts);
    PeriodicCursor(const PeriodicCursor& other);
    PeriodicCursor& operator=(const PeriodicCursor&) = delete;
    PeriodicCursor(PeriodicCursor&&) noexcept = default;
    PeriodicCursor& operator=(PeriodicCursor&&) noexcept = default;
    ~PeriodicCursor() = default;

    /// The run from here on; its count is kForEver where it has no end.
    [[nodiscard]] const ValueRun& run() const { return run_; }
    /// Passes numbers of the present run. Precondition: not more than it has.
    void advance(u64 count);

    /// Periods from the longest to the shortest: those of the loops around, then of the run.
    [[nodiscard]] std::size_t levels() const;
    [[nodiscard]] Period period(std::size_t level) const;
    /// Passes numbers, to the same place in a later period. Preconditions: a multiple of the
    /// period's length, less than it has left.
    void skip(std::size_t level, u64 count);

    /// The next `left` numbers come to `sum` for every `length` of them.
    struct Steady {
        std::size_t level = 0;
        u64 length = 1;
        u64 sum = 0;
        u64 left = kForEver;
    };
    /// Nothing if the numbers ahead change soon. Cost: a walk through one period.
    [[nodiscard]] std::optional<Steady> steady() const;

  private:
    PeriodicCursor() = default;

    void next_run();
    void next_folded();
    [[nodiscard]] u64 sum_of(u64 numbers) const;
    [[nodiscard]] bool is_periodic() const {
        return column_ != nullptr && column_->form == Column::Form::periodic;
    }
    [[nodiscard]] std::size_t loops_around() const { return pattern_ ? pattern_->depth() : 0; }

    const Column* column_ = nullptr;  ///< null: a constant
    ValueRun run_;
    std::size_t index_ = 0;      ///< into the column's values
    u64 value_ = 0;              ///< of differences: the last one
    std::vector<u64> alphabet_;  ///< by leaf; empty: the number is that of the loop next to it
    std::unique_ptr<PeriodicPattern> pattern_;  ///< of folded forms
};

}  // namespace tracefold
