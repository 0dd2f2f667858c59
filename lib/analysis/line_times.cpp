// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/line_times.hpp"

namespace tracefold::inline analysis {

namespace {

double part(u64 ticks, u64 executions, u64 of_all) {
    return of_all == 0 ? 0
                       : static_cast<double>(ticks) * static_cast<double>(executions) /
                             static_cast<double>(of_all);
}

}  // namespace

LineTimes line_times(const ListedScript& script, const CallTimes& times,
                     const ExecutionCounts& counts) {
    LineTimes lines;
    std::vector<double> with_computation;
    for (const ListedNode& node : script.nodes) {
        const auto visits = static_cast<double>(node.visits == 0 ? 1 : node.visits);
        lines.iterations.push_back(static_cast<double>(node.executions) / visits);
        if (node.is_loop()) {
            double body = 0;
            for (const u32 item : node.body) body += with_computation[item];
            lines.per_visit.push_back(body * lines.iterations.back());
            with_computation.push_back(lines.per_visit.back());
            continue;
        }
        const u64 all = counts.calls(node.symbol);
        const double inside = part(times.inside[node.symbol], node.executions, all);
        const double before = part(times.before[node.symbol], node.executions, all);
        lines.per_visit.push_back(inside / visits);
        with_computation.push_back((inside + before) / visits);
        lines.total += inside + before;
    }
    return lines;
}

}  // namespace tracefold::inline analysis
