// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explain/rule.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tracefold {

u64 scaled(u64 ticks, double factor) {
    return static_cast<u64>(std::llround(static_cast<double>(ticks) * std::max(0.0, factor)));
}

bool is_message_call(const RunGraph::Call& call) {
    switch (call.family) {
        case CallFamily::send:
        case CallFamily::post_send:
        case CallFamily::receive:
        case CallFamily::post_receive:
        case CallFamily::send_receive:
        case CallFamily::completion:
        case CallFamily::start:
        case CallFamily::probe:
        case CallFamily::matched_receive:
            return true;
        default:
            return false;
    }
}

bool moves_data(const RunGraph::Call& call) {
    return is_message_call(call) || is_collective(call.family);
}

double most(const std::vector<double>& values) {
    return values.empty() ? 0 : *std::ranges::max_element(values);
}
u32 slowest(const std::vector<double>& values) {
    return static_cast<u32>(std::ranges::max_element(values) - values.begin());
}

Candidate& Rule::add(CauseKind kind, Change change) {
    Candidate& made = found_.emplace_back();
    made.cause.kind = kind;
    made.remove = std::move(change);
    return made;
}

void Rule::add_computation(Candidate& made) const {
    const std::vector<u32>& slow = made.cause.ranks;
    const bool is_graded = made.cause.kind == Kind::imbalance;
    double least = 0;
    const RankEfficiency* other = nullptr;
    for (const RankEfficiency& rank : evidence_.efficiency.ranks) {
        const auto time = static_cast<double>(rank.computation);
        if (std::ranges::find(slow, rank.rank) != slow.end()) {
            least = least == 0 ? time : std::min(least, time);
        } else if (other == nullptr || (rank.computation > other->computation) != is_graded) {
            other = &rank;
        }
    }
    if (other == nullptr) return;
    figure(made, "computation", evidence_.seconds(least), kOfRanks);
    figure(made, "other_rank", other->rank, kOfRanks);
    figure(made, "other_computation", evidence_.seconds(static_cast<double>(other->computation)),
           kOfRanks);
}

void Rule::add_steps(Candidate& made) const {
    const u32 last = cells_.columns() - 1;
    for (const auto& [name, column] : {std::pair{"first", 0U}, std::pair{"last", last}}) {
        const std::vector<double> cells = cells_.column(column);
        figure(made, std::string(name) + "_step_mean", evidence_.seconds(mean_value(cells)),
               kByStep);
        figure(made, std::string(name) + "_step_longest", evidence_.seconds(most(cells)), kByStep);
    }
}

void Rule::add_calls(Candidate& made, u32 example) const {
    if (example == kNone) return;
    const MpiFunction function = graph_.calls[example].function;
    const auto count = std::ranges::count(graph_.calls, function, &Call::function);
    made.cause.function = name_of(function);
    figure(made, "calls", static_cast<double>(count), "stats");
}

void Rule::add_sizes(Candidate& made, u32 example) const {
    if (example == kNone) return;
    const MpiFunction function = graph_.calls[example].function;
    u64 count = 0;
    u64 bytes = 0;
    u64 smallest = ~u64{0};
    u64 largest = 0;
    for (const Call& call : graph_.calls) {
        const bool counts = is_collective(call.family) || call.messages == 1;
        if (call.function != function || !counts) continue;
        ++count;
        bytes += call.bytes;
        smallest = std::min(smallest, call.bytes);
        largest = std::max(largest, call.bytes);
    }
    if (count == 0) return;
    made.cause.function = name_of(function);
    figure(made, "count", static_cast<double>(count), "sizes");
    figure(made, "bytes", static_cast<double>(bytes), "sizes");
    figure(made, "smallest", static_cast<double>(smallest), "sizes");
    figure(made, "largest", static_cast<double>(largest), "sizes");
}

void Rule::add_wait(Candidate& made, WaitKind kind) const {
    const Efficiency::Wait* longest = nullptr;
    for (const Efficiency::Wait& wait : evidence_.efficiency.waits) {
        if (wait.kind == kind && (longest == nullptr || wait.ticks > longest->ticks))
            longest = &wait;
    }
    if (longest == nullptr) return;
    figure(made, "wait_rank", longest->rank, kOfRanks);
    figure(made, "wait", evidence_.seconds(static_cast<double>(longest->ticks)), kOfRanks);
}

std::string Rule::path_of_node(u32 node) const {
    return path_of(evidence_.file.definitions(), graph_.tree, node);
}

u32 Rule::first_of(MpiFunction function) const {
    for (u32 call = 0; call < graph_.calls.size(); ++call) {
        if (graph_.calls[call].function == function) return call;
    }
    return kNone;
}

std::string Rule::place_of_excess(const std::vector<u32>& ranks, u32 first, u32 end) const {
    std::map<u32, double> by_node;
    const double slow = ranks.empty() ? 1 : static_cast<double>(ranks.size());
    const double others = std::max(1.0, static_cast<double>(graph_.ranks) - slow);
    for (u32 call = 0; call < graph_.calls.size(); ++call) {
        if (evidence_.columns[call] < first || evidence_.columns[call] >= end) continue;
        const bool is_slow =
            ranks.empty() || std::ranges::binary_search(ranks, graph_.rank_of[call]);
        const double weight = is_slow ? 1 / slow : -1 / others;
        for (const RunGraph::Part& part : graph_.parts_of(call)) {
            by_node[part.node] += weight * static_cast<double>(part.ticks);
        }
    }
    u32 node = kNone;
    double best = 0;
    for (const auto& [place, time] : by_node) {
        if (time <= best) continue;
        best = time;
        node = place;
    }
    return path_of_node(node);
}

bool Rule::receives(u32 call, std::set<u32>* partners) const {
    bool any = false;
    if (graph_.calls[call].family == CallFamily::probe) return false;
    for (const RunGraph::Need& need : graph_.needs_of(call)) {
        if (need.kind != RunDurations::messages || need.count != 0) continue;
        any = true;
        if (partners != nullptr) partners->insert(graph_.rank_of[need.source]);
    }
    return any;
}

Rule::Change Rule::scale_computation(StepMatrix factors) const {
    return [columns = evidence_.columns, factors = std::move(factors)](const RunGraph& graph,
                                                                       RunDurations& durations) {
        for (u32 call = 0; call < graph.calls.size(); ++call) {
            if (columns[call] >= factors.columns()) continue;
            u64& time = durations.computation[call];
            time = scaled(time, factors.at(graph.rank_of[call], columns[call]));
        }
    };
}

}  // namespace tracefold
