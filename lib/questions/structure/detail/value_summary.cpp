// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/detail/value_summary.hpp"

#include "fold/column_values.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kLeastProgression = 3;

bool contains(const std::vector<u64>& values, u64 value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

void OrderFinder::add(const ValueRun& run) {
    if (run.count == 0) return;
    if (could_be_progression_) add_progression(run);
    // Two copies of a constant decide about turns and phases: more copies add nothing.
    const u64 numbers = run.stride == 0 ? std::min<u64>(run.count, 2) : run.count;
    for (u64 i = 0; i < numbers && (could_be_in_turn_ || could_be_phases_); ++i) {
        const u64 value = run.start + i * run.stride;
        if (could_be_in_turn_) add_in_turn(value);
        if (could_be_phases_) add_phase(value);
    }
    count_ += run.count;
    last_ = run.last();
}

void OrderFinder::add_progression(const ValueRun& run) {
    if (count_ == 0) {
        step_ = run.stride;
    } else if (count_ == 1) {
        step_ = run.start - last_;
    } else if (run.start - last_ != step_) {
        could_be_progression_ = false;
    }
    const bool has_step = count_ != 0 || run.count > 1;
    if (has_step && step_ == 0) could_be_progression_ = false;
    if (run.count > 1 && run.stride != step_) could_be_progression_ = false;
}

void OrderFinder::add_in_turn(u64 value) {
    if (returned_) {
        could_be_in_turn_ = value == turn_[next_];
        next_ = (next_ + 1) % turn_.size();
    } else if (!turn_.empty() && value == turn_.front()) {
        returned_ = true;
        could_be_in_turn_ = turn_.size() > 1;
        next_ = 1;
    } else if (turn_.size() == kMostNumbers || contains(turn_, value)) {
        could_be_in_turn_ = false;
    } else {
        turn_.push_back(value);
    }
}

void OrderFinder::add_phase(u64 value) {
    if (!phases_.empty() && value == phases_.back()) {
        has_stretch_ = true;
    } else if (phases_.size() == kMostNumbers || contains(phases_, value)) {
        could_be_phases_ = false;
    } else {
        phases_.push_back(value);
    }
}

ValueOrder OrderFinder::order() const {
    if (could_be_progression_ && count_ >= kLeastProgression) return ValueOrder::progression;
    if (could_be_in_turn_ && returned_ && count_ >= 2 * turn_.size()) return ValueOrder::in_turn;
    if (could_be_phases_ && phases_.size() > 1 && has_stretch_) return ValueOrder::phases;
    return ValueOrder::none;
}

namespace {

/// The finder of a column's order; closed (no order) if the search takes too long.
OrderFinder find_order(const FoldedSource& source, const ExecutionCounts::Use& use) {
    OrderFinder order;
    std::size_t runs_left = ValueSummary::kMostOrdered;
    std::vector<ColumnCursor> column;
    column.push_back(ExecutionCounts::cursor(source, use));
    visit_rows(std::move(column), use.size, [&](std::span<const ValueRun> runs, u64) {
        order.add(runs.front());
        return order.is_open() && --runs_left != 0;
    });
    return runs_left == 0 ? OrderFinder() : order;
}

}  // namespace

void SummaryBuilder::add(const ValueRun& run, u64 times) {
    if (run.count == 0) return;
    stretch(run.start, seen_.empty());
    stretch(run.last(), false);
    const u64 different = run.stride == 0 ? 1 : run.count;
    for (u64 i = 0; i < different && seen_.size() < ValueSummary::kMostDistinct; ++i) {
        const u64 value = run.start + i * run.stride;
        const bool fresh = seen_.insert(value).second;
        if (fresh && seen_.size() <= ValueSummary::kMostValues) summary_.values.push_back(value);
    }
    order_.add(run);
    if (is_short_) add_to_sequence(run, times);
}

void SummaryBuilder::add_to_sequence(const ValueRun& run, u64 times) {
    is_short_ = times == 1 && run.count <= ValueSummary::kMostCounts - sequence_.size();
    for (u64 i = 0; is_short_ && i < run.count; ++i) {
        sequence_.push_back(run.start + i * run.stride);
    }
}

// Flipping the sign bit maps signed order to unsigned order.
void SummaryBuilder::stretch(u64 value, bool first) {
    if (first || (value ^ sign_) < (summary_.minimum ^ sign_)) summary_.minimum = value;
    if (first || (value ^ sign_) > (summary_.maximum ^ sign_)) summary_.maximum = value;
}

ValueSummary SummaryBuilder::take() {
    summary_.distinct = seen_.size();
    if (seen_.size() > ValueSummary::kMostValues) summary_.values.clear();
    summary_.set_order(order_);
    return std::move(summary_);
}

ValueSummary SummaryBuilder::take_counts() {
    ValueSummary summary = take();
    if (is_short_ && summary.distinct > 1) summary.tell_sequence(std::move(sequence_));
    return summary;
}

void ValueSummary::tell_sequence(std::vector<u64> numbers) {
    values = std::move(numbers);
    set_order({});
}

void ValueSummary::set_order(const OrderFinder& finder) {
    order = finder.order();
    step = order == ValueOrder::progression ? finder.step() : 0;
}

ValueSummary summarize(ExecutionCounts& counts, const ExecutionCounts::Use& use,
                       const FoldedSource& source, bool is_signed) {
    SummaryBuilder builder(is_signed);
    const bool steps =
        use.column != kNone && source.column(use.column).form == Column::Form::differences;
    if (steps) {
        std::vector<ColumnCursor> column;
        column.emplace_back(source, use.column);
        visit_rows(std::move(column), use.size, [&builder](std::span<const ValueRun> runs, u64) {
            builder.add(runs.front());
            return true;
        });
        return builder.take();
    }
    // Adds runs out of order: only the set of values matters.
    counts.visit(use, [&builder](const ValueRun& run) { builder.add(run); });
    ValueSummary summary = builder.take();
    summary.set_order(summary.is_constant() ? OrderFinder() : find_order(source, use));
    return summary;
}

ValueSummary summarize_counts(ExecutionCounts& counts, const ExecutionCounts::Use& use,
                              const FoldedSource& source) {
    ValueSummary summary = summarize(counts, use, source, false);
    if (use.column != kNone && use.size <= ValueSummary::kMostCounts && summary.distinct > 1) {
        summary.tell_sequence(unwind(source, use.column, use.size));
    }
    return summary;
}

}  // namespace tracefold
