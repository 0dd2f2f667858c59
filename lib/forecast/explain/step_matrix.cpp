// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explain/step_matrix.hpp"

#include "base/mean_value.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tracefold {

namespace {

/// Columns of a program without steps.
constexpr u32 kWindows = 50;
/// Values of a trend.
constexpr std::size_t kMostValues = 1000;
/// Of the gap between slow and other ranks: how much the ranks of a side may differ.
constexpr double kAlike = 1.0 / 3;

/// Means of neighbours, if there are more values than pairs of them can be looked at.
std::vector<double> joined(std::span<const double> values) {
    const std::size_t count = std::min(values.size(), kMostValues);
    std::vector<double> means;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t first = i * values.size() / count;
        const std::size_t end = (i + 1) * values.size() / count;
        means.push_back(mean_value(values.subspan(first, end - first)));
    }
    return means;
}

/// Ranks of values; equal ones share their mean.
std::vector<double> ranks_of(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
        for (std::size_t k = i; k < end; ++k) {
            ranks[order[k]] = static_cast<double>(i + end - 1) / 2;
        }
        i = end;
    }
    return ranks;
}

}  // namespace

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double kendall_tau(std::span<const double> all) {
    const std::vector<double> values = joined(all);
    if (values.size() < 2) return 0;
    i64 sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t k = i + 1; k < values.size(); ++k) {
            sum += (values[k] > values[i] ? 1 : 0) - (values[k] < values[i] ? 1 : 0);
        }
    }
    const auto n = static_cast<double>(values.size());
    return static_cast<double>(sum) / (n * (n - 1) / 2);
}

double spearman(std::span<const double> a, std::span<const double> b) {
    const std::vector<double> x = ranks_of(a);
    const std::vector<double> y = ranks_of(b);
    const double mx = mean_value(x);
    const double my = mean_value(y);
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - mx) * (y[i] - my);
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
    }
    return xx == 0 || yy == 0 ? 0 : xy / std::sqrt(xx * yy);
}

Trend trend(std::span<const double> all) {
    const std::vector<double> values = joined(all);
    if (values.empty()) return {};
    std::vector<double> slopes;
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t k = i + 1; k < values.size(); ++k) {
            slopes.push_back((values[k] - values[i]) / static_cast<double>(k - i));
        }
    }
    const double slope = median(std::move(slopes));
    std::vector<double> levels;
    for (std::size_t i = 0; i < values.size(); ++i) {
        levels.push_back(values[i] - slope * static_cast<double>(i));
    }
    const double first = median(std::move(levels));
    const double last = first + slope * static_cast<double>(values.size() - 1);
    return {std::max(0.0, first), std::max(0.0, last)};
}

std::vector<u32> StepMatrix::columns_of(const RunGraph& graph) {
    std::vector<u32> columns;
    columns.reserve(graph.calls.size());
    const u64 begin = graph.start.empty() ? 0 : *std::ranges::min_element(graph.start);
    const u64 runtime = std::max<u64>(1, graph.runtime());
    for (const RunGraph::Call& call : graph.calls) {
        if (graph.steps == 0) {
            const u64 since = std::min(call.begin - std::min(call.begin, begin), runtime);
            columns.push_back(static_cast<u32>(std::min<double>(
                kWindows - 1,
                static_cast<double>(since) * kWindows / static_cast<double>(runtime))));
        } else {
            columns.push_back(call.step);
        }
    }
    return columns;
}

std::vector<double> StepMatrix::column(u32 column) const {
    std::vector<double> values;
    for (u32 rank = 0; rank < ranks_; ++rank) values.push_back(at(rank, column));
    return values;
}

std::vector<double> StepMatrix::sums(u32 first, u32 end) const {
    std::vector<double> sums;
    for (u32 rank = 0; rank < ranks_; ++rank) {
        const std::span<const double> values = row(rank).subspan(first, end - first);
        sums.push_back(std::accumulate(values.begin(), values.end(), 0.0));
    }
    return sums;
}

SlowRanks slow_ranks(std::span<const double> times, double least) {
    SlowRanks found;
    if (times.size() < 2) return found;
    std::vector<u32> order(times.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](u32 rank) { return times[rank]; });
    const auto at = [&](std::size_t i) { return times[order[i]]; };
    std::size_t split = 0;  // first slow one
    double gap = 0;
    for (std::size_t i = std::max<std::size_t>(1, times.size() / 2); i < times.size(); ++i) {
        if (at(i) - at(i - 1) <= gap) continue;
        gap = at(i) - at(i - 1);
        split = i;
    }
    if (split == 0) return found;
    const double most_others = at(split - 1);
    const double spread = std::max(most_others - at(0), at(times.size() - 1) - at(split));
    if (gap < least * most_others || spread > kAlike * gap) return found;
    found.ranks.assign(order.begin() + static_cast<std::ptrdiff_t>(split), order.end());
    std::ranges::sort(found.ranks);
    std::vector<double> others;
    for (std::size_t i = 0; i < split; ++i) others.push_back(at(i));
    found.others = median(others);
    return found;
}

}  // namespace tracefold
