// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explain/rules.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Computation between polls is none: all of it after a poll in vain, and as much as is usual there
/// after one that has completed something.
std::vector<u64> pauses_of(const RunGraph& graph, const RunDurations& recorded) {
    std::vector<u64> pauses(graph.calls.size());
    for (u32 rank = 0; rank < graph.ranks; ++rank) {
        std::vector<double> in_vain;
        for (u32 call = graph.first[rank] + 1; call < graph.first[rank + 1]; ++call) {
            if (!graph.calls[call].polls || !graph.calls[call - 1].in_vain) continue;
            in_vain.push_back(static_cast<double>(recorded.computation[call]));
        }
        const auto usual = static_cast<u64>(median(std::move(in_vain)));
        for (u32 call = graph.first[rank] + 1; call < graph.first[rank + 1]; ++call) {
            const RunGraph::Call& before = graph.calls[call - 1];
            if (!graph.calls[call].polls || !before.polls) continue;
            const u64 all = recorded.computation[call];
            pauses[call] = before.in_vain ? all : std::min(all, usual);
        }
    }
    return pauses;
}

StepMatrix step_computation(const RunGraph& graph, const RunDurations& recorded,
                            const std::vector<u32>& columns, const std::vector<u64>& pauses) {
    u32 count = 0;
    for (const u32 column : columns) {
        if (column < RunGraph::kBefore) count = std::max(count, column + 1);
    }
    StepMatrix cells(graph.ranks, count);
    for (u32 call = 0; call < graph.calls.size(); ++call) {
        if (columns[call] >= count) continue;
        cells.at(graph.rank_of[call], columns[call]) +=
            static_cast<double>(recorded.computation[call] - pauses[call]);
    }
    return cells;
}

std::vector<double> usual_of(const StepMatrix& cells) {
    std::vector<double> usual;
    for (u32 rank = 0; rank < cells.ranks(); ++rank) {
        const std::span<const double> row = cells.row(rank);
        usual.push_back(median({row.begin(), row.end()}));
    }
    return usual;
}

std::vector<double> outside(const RunGraph& graph, const RunDurations& recorded,
                            const std::vector<u32>& columns, u32 which) {
    std::vector<double> times(graph.ranks);
    for (u32 call = 0; call < graph.calls.size(); ++call) {
        if (columns[call] != which) continue;
        times[graph.rank_of[call]] += static_cast<double>(recorded.computation[call]);
    }
    return times;
}

}  // namespace

RunEvidence::RunEvidence(TraceFile& of_file, const Efficiency& of_run, RunGraph of_calls)
    : file(of_file),
      efficiency(of_run),
      graph(std::move(of_calls)),
      recorded(graph.recorded()),
      base(walk(graph, recorded)),
      path(critical_path(graph, recorded, base)),
      columns(StepMatrix::columns_of(graph)),
      pauses(pauses_of(graph, recorded)),
      computation(step_computation(graph, recorded, columns, pauses)),
      usual(usual_of(computation)),
      before(outside(graph, recorded, columns, RunGraph::kBefore)),
      after(outside(graph, recorded, columns, RunGraph::kAfter)) {
    since_wait = recorded.computation;
    until_wait.resize(graph.calls.size());
    for (u32 call = 1; call < graph.calls.size(); ++call) {
        const bool goes_on =
            graph.rank_of[call - 1] == graph.rank_of[call] && graph.needs_of(call - 1).empty();
        if (goes_on) since_wait[call] += since_wait[call - 1];
    }
    for (u32 call = static_cast<u32>(graph.calls.size()); call-- > 1;) {
        if (graph.rank_of[call - 1] != graph.rank_of[call]) continue;
        // A row of waits counts as one.
        const u64 computed = recorded.computation[call];
        const bool goes_on =
            graph.needs_of(call).empty() ||
            static_cast<double>(computed) * kInRow < static_cast<double>(until_wait[call]);
        until_wait[call - 1] = computed + (goes_on ? until_wait[call] : 0);
    }
}

std::vector<Candidate> candidates(const RunEvidence& evidence) {
    std::vector<Candidate> found;
    find_computation_causes(evidence, found);
    find_order_causes(evidence, found);
    find_growth_causes(evidence, found);
    find_message_causes(evidence, found);
    find_resource_causes(evidence, found);
    return found;
}

}  // namespace tracefold
