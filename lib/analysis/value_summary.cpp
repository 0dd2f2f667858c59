// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/value_summary.hpp"

#include "analysis/column_rows.hpp"

#include <algorithm>
#include <unordered_set>

namespace tracefold {

namespace {

class Summarizer {
  public:
    explicit Summarizer(bool is_signed) : sign_(is_signed ? u64{1} << 63U : 0) {}

    void add(const ValueRun& run) {
        if (run.count == 0) return;
        stretch(run.start, seen_.empty());
        stretch(run.last(), false);
        const u64 different = run.stride == 0 ? 1 : run.count;
        for (u64 i = 0; i < different && seen_.size() < ValueSummary::kMostDistinct; ++i) {
            const u64 value = run.start + i * run.stride;
            const bool fresh = seen_.insert(value).second;
            if (fresh && seen_.size() <= ValueSummary::kMostValues) order_.push_back(value);
        }
    }

    ValueSummary take() {
        summary_.distinct = seen_.size();
        if (seen_.size() <= ValueSummary::kMostValues) summary_.values = std::move(order_);
        return std::move(summary_);
    }

  private:
    // Flipping the sign bit makes signed order of unsigned order.
    void stretch(u64 value, bool first) {
        if (first || (value ^ sign_) < (summary_.minimum ^ sign_)) summary_.minimum = value;
        if (first || (value ^ sign_) > (summary_.maximum ^ sign_)) summary_.maximum = value;
    }

    u64 sign_;
    ValueSummary summary_;
    std::unordered_set<u64> seen_;
    std::vector<u64> order_;
};

}  // namespace

ValueSummary summarize(ExecutionCounts& counts, const ExecutionCounts::Use& use,
                       const FoldedSource& source, bool is_signed) {
    Summarizer summarizer(is_signed);
    const bool steps =
        use.column != kNone && source.columns[use.column].form == Column::Form::differences;
    if (steps) {
        std::vector<PeriodicCursor> column;
        column.emplace_back(source, use.column);
        visit_rows(std::move(column), use.size, [&summarizer](std::span<const ValueRun> runs, u64) {
            summarizer.add(runs.front());
        });
    } else {
        counts.visit(use, [&summarizer](const ValueRun& run) { summarizer.add(run); });
    }
    return summarizer.take();
}

ValueSummary summarize_counts(ExecutionCounts& counts, const ExecutionCounts::Use& use,
                              const FoldedSource& source) {
    ValueSummary summary = summarize(counts, use, source, false);
    if (use.column != kNone && use.size <= ValueSummary::kMostCounts && summary.distinct > 1) {
        summary.values = unwind(source, use.column, use.size);
    }
    return summary;
}

}  // namespace tracefold
