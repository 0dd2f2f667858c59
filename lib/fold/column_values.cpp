// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_values.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

[[noreturn]] void wrong_size() {
    throw Error(ErrorKind::corrupt, "a column does not have as many numbers as its script needs");
}

[[noreturn]] void wrong_counts() {
    throw Error(ErrorKind::corrupt, "the counts of its loops do not add up to what it should have");
}

}  // namespace

void ColumnValues::visit(u32 column, u64 size, const Sink& sink) {
    if (size == 0) return;
    const Column& content = source_.columns[column];
    switch (content.form) {
        case Column::Form::constant:
        case Column::Form::progression:
            sink({content.start, content.stride, size});
            return;
        case Column::Form::list:
            if (size > content.values.size()) wrong_size();
            for (u64 i = 0; i < size; ++i) sink({content.values[i], 0, 1});
            return;
        case Column::Form::periodic:
            visit_periodic(content, size, sink);
            return;
        case Column::Form::runs:
            visit_runs(content, size, sink);
            return;
        case Column::Form::folded:
            visit_folded(content, size, sink);
            return;
        case Column::Form::differences:
            visit_differences(content, size, sink);
            return;
    }
}

void ColumnValues::visit_periodic(const Column& column, u64 size, const Sink& sink) {
    const u64 period = column.values.size();
    for (u64 i = 0; i < period && i < size; ++i) {
        sink({column.values[i], 0, size / period + (i < size % period ? 1 : 0)});
    }
}

void ColumnValues::visit_runs(const Column& column, u64 size, const Sink& sink) {
    for (std::size_t i = 0; size > 0; i += 2) {
        const bool last = i + 1 == column.values.size();
        const u64 count = last ? size : std::min(size, column.values[i + 1]);
        sink({column.values[i], 0, count});
        size -= count;
    }
}

void ColumnValues::visit_folded(const Column& column, u64 size, const Sink& sink) {
    const u32 leaves = source_.patterns[column.pattern].leaf_count;
    const std::vector<u64> times = executions(column, size);
    const std::vector<u64> alphabet = unwind(source_, column.alphabet, leaves);
    u64 seen = 0;
    for (u32 leaf = 0; leaf < leaves; ++leaf) {
        seen += times[leaf];
        sink({alphabet[leaf], 0, times[leaf]});
    }
    if (seen != size) wrong_size();
}

void ColumnValues::visit_differences(const Column& column, u64 size, const Sink& sink) {
    const Pattern& pattern = source_.patterns[column.pattern];
    const std::vector<u64> alphabet = unwind(source_, column.alphabet, pattern.leaf_count);
    PatternCursor cursor(source_, column.pattern, column.counts);
    sink({column.start, 0, 1});
    u64 value = column.start;
    u64 left = size - 1;
    for (PatternCursor::Run run{}; cursor.next(run); left -= run.count) {
        if (run.count > left) wrong_size();
        const ValueRun values{value + alphabet[run.leaf], alphabet[run.leaf], run.count};
        sink(values);
        value = values.last();
    }
    if (left != 0) wrong_size();
}

u64 ColumnValues::sum(u32 column, u64 size) {
    const auto known = sums_.find(column);
    if (known != sums_.end() && known->second.size == size) return known->second.sum;
    u64 total = 0;
    visit(column, size, [&total](const ValueRun& run) { total += run.sum(); });
    if (source_.columns[column].is_folded()) sums_[column] = {size, total};
    return total;
}

u64 ColumnValues::total_count(u32 column, u64 size, u64 limit) {
    const auto known = total_counts_.find(column);
    if (known != total_counts_.end() && known->second.size == size && known->second.sum <= limit) {
        return known->second.sum;
    }
    u64 total = 0;
    visit(column, size, [&](const ValueRun& run) {
        const std::optional<u64> more = run.total(limit - total);
        if (!more) wrong_counts();
        total += *more;
    });
    if (source_.columns[column].is_folded()) total_counts_[column] = {size, total};
    return total;
}

u64 ColumnValues::length(u32 column) {
    const Column& folded = source_.columns[column];
    const std::vector<u64> times = executions(folded, kMostRecords);
    const u32 leaves = source_.patterns[folded.pattern].leaf_count;
    const u64 first = folded.form == Column::Form::differences ? 1 : 0;
    return std::accumulate(times.begin(), times.begin() + leaves, first);
}

std::vector<u64> ColumnValues::executions(const Column& folded, u64 limit) {
    const Pattern& pattern = source_.patterns[folded.pattern];
    std::vector<u32> columns(pattern.node_count(), kNone);
    for (const NodeCount& count : folded.counts) columns[count.node] = count.column;
    const auto total = [&](u32 node, u64 visits) {
        return columns[node] == kNone ? visits : total_count(columns[node], visits, limit);
    };
    return executions(pattern, total, limit);
}

std::vector<u64> ColumnValues::executions(const Pattern& pattern,
                                          const std::function<u64(u32, u64)>& total, u64 limit,
                                          std::vector<u64>* visits) {
    const auto node_count = static_cast<u32>(pattern.node_count());
    std::vector<u64> times(node_count, 0);
    std::vector<u64> passes(node_count, 0);
    const auto come_by = [&](const std::vector<u32>& body, u64 iterations) {
        for (const u32 item : body) {
            if (iterations > limit - passes[item]) wrong_counts();
            passes[item] += iterations;
        }
    };
    const auto run = [&](u32 node) {
        times[node] = total(node, passes[node]);
        if (times[node] > limit) wrong_counts();
    };
    come_by(pattern.root, 1);
    // Bodies hold loops of a lower index only, so every loop is known before its parts.
    for (u32 node = node_count; node-- > pattern.leaf_count;) {
        run(node);
        come_by(pattern.loops[node - pattern.leaf_count], times[node]);
    }
    for (u32 leaf = 0; leaf < pattern.leaf_count; ++leaf) run(leaf);
    if (visits != nullptr) *visits = std::move(passes);
    return times;
}

}  // namespace tracefold
