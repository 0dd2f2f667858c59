// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/value_summary.hpp"

#include "fold/column_rows.hpp"

#include <utility>

namespace tracefold {

namespace {

/// The order of a column's numbers; none if it takes long to find.
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

// Flipping the sign bit makes signed order of unsigned order.
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
        use.column != kNone && source.columns[use.column].form == Column::Form::differences;
    if (steps) {
        std::vector<ColumnCursor> column;
        column.emplace_back(source, use.column);
        visit_rows(std::move(column), use.size, [&builder](std::span<const ValueRun> runs, u64) {
            builder.add(runs.front());
            return true;
        });
        return builder.take();
    }
    // Not in order.
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
