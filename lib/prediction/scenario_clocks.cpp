// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/scenario_clocks.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

using Cost = PathHistory::Cost;

std::vector<std::array<LinkParameters, kLinkClasses>> links_of(const WalkRequest& request) {
    std::vector<std::array<LinkParameters, kLinkClasses>> links;
    for (const Scenario& scenario : request.scenarios) links.push_back(scenario.links);
    return links;
}

/// Moves clocks to others where these are later.
void delay_clocks(Clock* clocks, const Clock* others, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) clocks[i] = later(clocks[i], others[i]);
}

}  // namespace

ScenarioClocks::ScenarioClocks(const WalkRequest& request, const DefinitionIndex& definitions,
                               const CallTree& tree, u32 ranks)
    : request_(request),
      counts_(request.scenarios.size()),
      moments_(counts_, history_),
      costs_(links_of(request)),
      clocks_(ranks * counts_) {
    for (const SpeedOfPath& speed : request.speeds) speeds_.emplace_back(definitions, tree, speed);
    for (u32 rank = 0; rank < ranks; ++rank) processors_.push_back({{}, idle(), idle()});
}

ScenarioClocks::Id ScenarioClocks::idle() {
    const Id id = moments_.take();
    std::fill_n(moments_.clocks(id), counts_, Clock{});
    return id;
}

LinkClass ScenarioClocks::link_of(const NetworkMessage& transfer) const {
    const bool within = request_.node_of_rank[transfer.from] == request_.node_of_rank[transfer.to];
    return within ? LinkClass::within_node : LinkClass::between_nodes;
}

Clock ScenarioClocks::counts_of(LinkClass link, u64 bytes) const {
    if (link != request_.counted) return {};
    return {0, charged_bytes(bytes), 1, 1};
}

void ScenarioClocks::compute(u32 rank, std::span<const PathTime> parts, CostKind kind) {
    Clock* const clocks = own_clocks(rank);
    for (const PathTime& part : parts) {
        if (speeds_.empty()) {
            for (std::size_t i = 0; i < counts_; ++i) clocks[i].time += part.time;
            charge(rank, {key_of(rank, part.node, kind), part.time});
            continue;
        }
        for (std::size_t i = 0; i < counts_; ++i) clocks[i].time += time_of(part, i);
        charge(rank, {key_of(rank, part.node, kind), time_of(part, 0)});
    }
}

i64 ScenarioClocks::time_of(const PathTime& part, std::size_t scenario) {
    const u32 speed = request_.scenarios[scenario].speed;
    return speed == kNone ? part.time : speeds_[speed].of(part.node, part.time);
}

void ScenarioClocks::charge(u32 rank, const Cost& cost) {
    if (request_.keeps_path) processors_[rank].way.add(cost, history_);
}

void ScenarioClocks::adopt(u32 rank, Id id) {
    Processor& processor = processors_[rank];
    if (request_.keeps_path && time_of(id) > now(rank)) {
        if (request_.finds_delays) note_wait(processor, id);
        processor.way.take(moments_.way(id), history_);
    }
    delay_clocks(own_clocks(rank), moments_.clocks(id), counts_);
}

void ScenarioClocks::note_wait(const Processor& processor, Id id) {
    const Way& way = moments_.way(id);
    late_.assign(way.last().begin(), way.last().end());
    waiting_.assign(processor.way.last().begin(), processor.way.last().end());
    history_.since_common(way.history, processor.way.history, late_, waiting_);
    const i64 begin = now(static_cast<u32>(&processor - processors_.data()));
    delays_.add({moments_.sender(id), time_of(id) - begin}, late_, waiting_);
}

void ScenarioClocks::delay(Id id, Id until) {
    if (request_.keeps_path && time_of(until) > time_of(id)) {
        moments_.way(until).settle(history_);
        moments_.way(id).take(moments_.way(until), history_);
    }
    delay_clocks(moments_.clocks(id), moments_.clocks(until), counts_);
}

ScenarioClocks::Id ScenarioClocks::present(u32 rank) {
    const Id id = moments_.take();
    std::copy_n(own_clocks(rank), counts_, moments_.clocks(id));
    if (!request_.keeps_path) return id;
    processors_[rank].way.settle(history_);
    moments_.way(id).take(processors_[rank].way, history_);
    return id;
}

ScenarioClocks::Id ScenarioClocks::copy_of(Id id) {
    const Id made = moments_.take();
    std::copy_n(moments_.clocks(id), counts_, moments_.clocks(made));
    if (!request_.keeps_path) return made;
    moments_.way(id).settle(history_);
    moments_.way(made).take(moments_.way(id), history_);
    return made;
}

// Sends.

ScenarioClocks::Sent ScenarioClocks::send(const NetworkMessage& transfer, Id ready) {
    const Processor& processor = processors_[transfer.from];
    const LinkClass link = link_of(transfer);
    const std::span<const MessageCosts> costs = costs_.of(link, transfer.bytes);
    const Clock counted = counts_of(link, transfer.bytes);
    const Id arrival = moments_.take();
    if (request_.keeps_path) moments_.way(arrival).take(way_of_start(transfer, ready), history_);
    Clock* const clocks = own_clocks(transfer.from);
    Clock* const adapter = moments_.clocks(processor.send_adapter);
    Clock* const come = moments_.clocks(arrival);
    const Clock* const after = ready == kNone ? adapter : moments_.clocks(ready);
    bool waits = false;
    for (std::size_t i = 0; i < counts_; ++i) {
        come[i] = later(later(clocks[i], adapter[i]), after[i]);
        waits = waits || come[i].time > clocks[i].time;
        adapter[i] = come[i];
        adapter[i].time += costs[i].gap + costs[i].wire;
        adapter[i].bytes += counted.bytes;
        come[i].time += costs[i].overhead + costs[i].latency;
        come[i].overheads += counted.overheads;
        come[i].latencies += counted.latencies;
        clocks[i].time += costs[i].overhead + costs[i].copy;
        clocks[i].overheads += counted.overheads;
    }
    const Id done = waits ? finished(transfer, arrival, counted, costs) : kNone;
    if (request_.keeps_path) leave_send_ways(transfer, arrival, costs[0]);
    charge(transfer.from, {key_of(transfer.from, transfer.node, CostKind::overhead),
                           costs[0].overhead + costs[0].copy});
    return {arrival, done};
}

/// That of whoever is free last, for others to have it in common.
PathHistory::Ref ScenarioClocks::way_of_start(const NetworkMessage& transfer, Id ready) {
    Processor& processor = processors_[transfer.from];
    Way* latest = &processor.way;
    i64 time = now(transfer.from);
    for (const Id other : {processor.send_adapter, ready}) {
        if (other == kNone || time_of(other) <= time) continue;
        latest = &moments_.way(other);
        time = time_of(other);
    }
    latest->settle(history_);
    return latest->history;
}

/// The moment at which a send is done that waited before it began. Precondition: the way of the
/// arrival is that to the beginning.
ScenarioClocks::Id ScenarioClocks::finished(const NetworkMessage& transfer, Id arrival,
                                            const Clock& counted,
                                            std::span<const MessageCosts> costs) {
    const Id id = moments_.take();
    const Clock* const come = moments_.clocks(arrival);
    Clock* const done = moments_.clocks(id);
    for (std::size_t i = 0; i < counts_; ++i) {
        done[i] = come[i];
        done[i].time += costs[i].copy - costs[i].latency;
        done[i].latencies -= counted.latencies;
    }
    if (!request_.keeps_path) return id;
    moments_.way(id).take(moments_.way(arrival), history_);
    moments_.way(id).add({key_of(transfer.from, transfer.node, CostKind::overhead),
                          costs[0].overhead + costs[0].copy},
                         history_);
    return id;
}

/// Message and adapter go on from the beginning.
void ScenarioClocks::leave_send_ways(const NetworkMessage& transfer, Id arrival,
                                     const MessageCosts& costs) {
    const auto cost = [&](CostKind kind, i64 time) {
        return Cost{key_of(transfer.from, transfer.node, kind), time};
    };
    Way& message = moments_.way(arrival);
    Way& adapter = moments_.way(processors_[transfer.from].send_adapter);
    adapter.take(message.history, history_);
    adapter.add(cost(CostKind::gap, costs.gap), history_);
    adapter.add(cost(CostKind::bytes, costs.wire), history_);
    moments_.sender(arrival) = transfer.from;
    message.add(cost(CostKind::overhead, costs.overhead), history_);
    message.add(cost(CostKind::latency, costs.latency), history_);
}

// Receives.

void ScenarioClocks::begin_processing(const NetworkMessage& transfer, Id arrival) {
    Processor& processor = processors_[transfer.to];
    const i64 come = time_of(arrival);
    const i64 free = now(transfer.to);
    const i64 next = can_process(transfer.to);
    if (request_.keeps_path && std::max(free, next) >= come) {
        // Of what is over at the same time: the rank, the message, the adapter.
        const bool is_rank = free >= std::max(come, next);
        if (is_rank || next > come) {
            Way& latest = is_rank ? processor.way : moments_.way(processor.receive_adapter);
            latest.settle(history_);
            moments_.way(arrival).take(latest.history, history_);
        }
    }
    Clock* const clocks = moments_.clocks(arrival);
    const Clock* const own = own_clocks(transfer.to);
    const Clock* const adapter = moments_.clocks(processor.receive_adapter);
    for (std::size_t i = 0; i < counts_; ++i) {
        clocks[i] = later(later(clocks[i], own[i]), adapter[i]);
    }
}

void ScenarioClocks::process(const NetworkMessage& transfer, Id arrival, u32 node) {
    const LinkClass link = link_of(transfer);
    const std::span<const MessageCosts> costs = costs_.of(link, transfer.bytes);
    if (request_.keeps_path) leave_receive_ways(transfer, arrival, node, costs[0]);
    const Clock counted = counts_of(link, transfer.bytes);
    Clock* const clocks = own_clocks(transfer.to);
    Clock* const taken = moments_.clocks(arrival);
    Clock* const adapter = moments_.clocks(processors_[transfer.to].receive_adapter);
    for (std::size_t i = 0; i < counts_; ++i) {
        const i64 processing = costs[i].processing();
        const u64 bytes = costs[i].wire_counts ? counted.bytes : 0;
        const i64 begun = taken[i].time;
        taken[i].time += processing;
        taken[i].overheads += counted.overheads;
        taken[i].bytes += bytes;
        adapter[i] = taken[i];
        adapter[i].time = begun + std::max(costs[i].gap + costs[i].wire, processing);
        clocks[i].time += processing;
        clocks[i].overheads += counted.overheads;
        clocks[i].bytes += bytes;
    }
}

/// Messages are processed one after the other.
void ScenarioClocks::leave_receive_ways(const NetworkMessage& transfer, Id begun, u32 node,
                                        const MessageCosts& costs) {
    Way& taken = moments_.way(begun);
    if (request_.finds_delays) taken.settle(history_);
    const CostKind kind = costs.wire_counts ? CostKind::bytes : CostKind::overhead;
    const std::array<Cost, 2> paid = {
        Cost{key_of(transfer.to, node, CostKind::overhead), costs.overhead},
        Cost{key_of(transfer.to, node, kind), std::max(costs.wire, costs.copy)}};
    for (const Cost& cost : paid) {
        taken.add(cost, history_);
        charge(transfer.to, cost);
    }
    Way& adapter = moments_.way(processors_[transfer.to].receive_adapter);
    adapter.take(taken, history_);
    const i64 until = std::max(costs.gap + costs.wire, costs.processing());
    adapter.add({key_of(transfer.to, node, CostKind::gap), until - costs.processing()}, history_);
}

std::vector<PathCost> ScenarioClocks::path(u32 rank) {
    Way& way = processors_[rank].way;
    way.settle(history_);
    std::vector<PathCost> path;
    for (const Cost& cost : history_.costs(way.history)) {
        if (cost.time != 0) path.push_back(cost_of(cost));
    }
    return path;
}

}  // namespace tracefold
