// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/scenario_clocks.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

using Cost = PathHistory::Cost;

const Clock& later(const Clock& a, const Clock& b) { return b.time > a.time ? b : a; }

std::vector<std::array<LinkParameters, kLinkClasses>> links_of(const WalkRequest& request) {
    std::vector<std::array<LinkParameters, kLinkClasses>> links;
    for (const Scenario& scenario : request.scenarios) links.push_back(scenario.links);
    return links;
}

/// What the receiver of a message pays.
std::array<Cost, 2> receive_costs(u32 rank, u32 node, const MessageCosts& costs) {
    const CostKind kind = costs.wire_counts ? CostKind::bytes : CostKind::overhead;
    return {Cost{key_of(rank, node, CostKind::overhead), costs.overhead},
            Cost{key_of(rank, node, kind), std::max(costs.wire, costs.copy)}};
}

}  // namespace

ScenarioClocks::ScenarioClocks(const WalkRequest& request, const DefinitionIndex& definitions,
                               const CallTree& tree, u32 ranks)
    : request_(request),
      counts_(request.scenarios.size()),
      moments_(counts_, history_),
      costs_(links_of(request)) {
    for (const SpeedOfPath& speed : request.speeds) speeds_.emplace_back(definitions, tree, speed);
    for (u32 rank = 0; rank < ranks; ++rank) {
        processors_.push_back({std::vector<Clock>(counts_), kNone, {}, idle(), idle()});
    }
}

ScenarioClocks::Id ScenarioClocks::idle() {
    const Id id = moments_.take();
    std::ranges::fill(moments_[id].clocks, Clock{});
    return id;
}

LinkClass ScenarioClocks::link_of(const NetworkMessage& transfer) const {
    const bool within = request_.node_of_rank[transfer.from] == request_.node_of_rank[transfer.to];
    return within ? LinkClass::within_node : LinkClass::between_nodes;
}

/// What a message adds to the derivatives.
Clock ScenarioClocks::counts_of(const NetworkMessage& transfer) const {
    if (link_of(transfer) != request_.counted) return {};
    return {0, charged_bytes(transfer.bytes), 1, 1};
}

void ScenarioClocks::compute(u32 rank, std::span<const PathTime> parts, CostKind kind) {
    Processor& processor = processors_[rank];
    for (const PathTime& part : parts) {
        for (std::size_t i = counts_; i-- > 0;) {
            const u32 speed = request_.scenarios[i].speed;
            const i64 time = speed == kNone ? part.time : speeds_[speed].of(part.node, part.time);
            processor.clocks[i].time += time;
            if (i == 0) charge(rank, {key_of(rank, part.node, kind), time});
        }
    }
}

// Ways.

PathHistory::Ref ScenarioClocks::share(Processor& processor) {
    if (!request_.keeps_path) return kNone;
    processor.history = history_.extend(processor.history, processor.costs);
    history_.hold(processor.history);
    return processor.history;
}

void ScenarioClocks::charge(u32 rank, const Cost& cost) {
    if (cost.time == 0 || !request_.keeps_path) return;
    std::vector<Cost>& costs = processors_[rank].costs;
    if (!costs.empty() && costs.back().key == cost.key) {
        costs.back().time += cost.time;
    } else {
        costs.push_back(cost);
    }
}

/// Puts the costs behind a way into it.
void ScenarioClocks::settle_costs(Moment& moment) {
    const u32 count = std::exchange(moment.last_count, 0);
    if (!request_.keeps_path) return;
    settled_.assign(moment.last.begin(), moment.last.begin() + count);
    moment.history = history_.extend(moment.history, settled_);
}

/// Precondition: the costs of `from` are settled.
void ScenarioClocks::copy_way(Id from, Moment& to) {
    to.last_count = 0;
    if (!request_.keeps_path) return;
    history_.hold(moments_[from].history);
    history_.release(to.history);
    to.history = moments_[from].history;
}

void ScenarioClocks::adopt(u32 rank, Id id) {
    Processor& processor = processors_[rank];
    const Moment& moment = moments_[id];
    if (request_.keeps_path && moment.clocks[0].time > now(rank)) {
        if (request_.finds_delays) note_wait(processor, moment);
        history_.hold(moment.history);
        history_.release(processor.history);
        processor.history = moment.history;
        processor.costs.assign(moment.last.begin(), moment.last.begin() + moment.last_count);
    }
    for (std::size_t i = 0; i < counts_; ++i) {
        processor.clocks[i] = later(processor.clocks[i], moment.clocks[i]);
    }
}

void ScenarioClocks::note_wait(const Processor& processor, const Moment& moment) {
    late_.assign(moment.last.begin(), moment.last.begin() + moment.last_count);
    waiting_ = processor.costs;
    history_.since_common(moment.history, processor.history, late_, waiting_);
    delays_.add({moment.sender, moment.clocks[0].time - processor.clocks[0].time}, late_, waiting_);
}

void ScenarioClocks::delay(Id id, Id until) {
    Moment& moment = moments_[id];
    Moment& other = moments_[until];
    if (other.clocks[0].time > moment.clocks[0].time) {
        settle_costs(other);
        copy_way(until, moment);
    }
    for (std::size_t i = 0; i < counts_; ++i) {
        moment.clocks[i] = later(moment.clocks[i], other.clocks[i]);
    }
}

ScenarioClocks::Id ScenarioClocks::present(u32 rank) {
    const Id id = moments_.take();
    moments_[id].clocks = processors_[rank].clocks;
    moments_[id].history = share(processors_[rank]);
    return id;
}

ScenarioClocks::Id ScenarioClocks::copy_of(Id id) {
    settle_costs(moments_[id]);
    const Id made = moments_.take();
    copy_way(id, moments_[made]);
    moments_[made].clocks = moments_[id].clocks;
    return made;
}

bool ScenarioClocks::is_later(Id id, u32 rank) {
    for (std::size_t i = 0; i < counts_; ++i) {
        if (moments_[id].clocks[i].time > processors_[rank].clocks[i].time) return true;
    }
    return false;
}

// Sends.

ScenarioClocks::Sent ScenarioClocks::send(const NetworkMessage& transfer, Id ready) {
    Processor& processor = processors_[transfer.from];
    const std::span<const MessageCosts> costs = costs_.of(link_of(transfer), transfer.bytes);
    const Clock counted = counts_of(transfer);
    const Id start = present(transfer.from);
    delay(start, processor.send_adapter);
    if (ready != kNone) delay(start, ready);
    const Id arrival = moments_.take();
    leave_send_ways(transfer, start, arrival, costs[0]);
    const Id done = is_later(start, transfer.from) ? finished(transfer, start, costs) : kNone;
    Moment& adapter = moments_[processor.send_adapter];
    for (std::size_t i = 0; i < counts_; ++i) {
        const Clock& begin = moments_[start].clocks[i];
        adapter.clocks[i] = begin;
        adapter.clocks[i].time += costs[i].gap + costs[i].wire;
        adapter.clocks[i].bytes += counted.bytes;
        Clock& come = moments_[arrival].clocks[i];
        come = begin;
        come.time += costs[i].overhead + costs[i].latency;
        come.overheads += counted.overheads;
        come.latencies += counted.latencies;
        processor.clocks[i].time += costs[i].overhead + costs[i].copy;
        processor.clocks[i].overheads += counted.overheads;
    }
    moments_.give_back(start);
    charge(transfer.from, {key_of(transfer.from, transfer.node, CostKind::overhead),
                           costs[0].overhead + costs[0].copy});
    return {arrival, done};
}

/// Message and adapter go on from the start.
void ScenarioClocks::leave_send_ways(const NetworkMessage& transfer, Id start, Id arrival,
                                     const MessageCosts& costs) {
    const auto cost = [&](CostKind kind, i64 time) {
        return Cost{key_of(transfer.from, transfer.node, kind), time};
    };
    Moment& message = moments_[arrival];
    copy_way(start, message);
    message.sender = transfer.from;
    message.add(cost(CostKind::overhead, costs.overhead));
    message.add(cost(CostKind::latency, costs.latency));
    Moment& adapter = moments_[processors_[transfer.from].send_adapter];
    copy_way(start, adapter);
    adapter.add(cost(CostKind::gap, costs.gap));
    adapter.add(cost(CostKind::bytes, costs.wire));
}

/// The moment at which a send is done that began at another one.
ScenarioClocks::Id ScenarioClocks::finished(const NetworkMessage& transfer, Id start,
                                            std::span<const MessageCosts> costs) {
    const Id id = moments_.take();
    Moment& done = moments_[id];
    copy_way(start, done);
    done.add({key_of(transfer.from, transfer.node, CostKind::overhead),
              costs[0].overhead + costs[0].copy});
    const Clock counted = counts_of(transfer);
    for (std::size_t i = 0; i < counts_; ++i) {
        done.clocks[i] = moments_[start].clocks[i];
        done.clocks[i].time += costs[i].overhead + costs[i].copy;
        done.clocks[i].overheads += counted.overheads;
    }
    return id;
}

// Receives.

void ScenarioClocks::begin_processing(const NetworkMessage& transfer, Id arrival) {
    Processor& processor = processors_[transfer.to];
    Moment& moment = moments_[arrival];
    if (now(transfer.to) >= moment.clocks[0].time) {
        history_.release(moment.history);
        moment.history = share(processor);
        moment.last_count = 0;
    }
    for (std::size_t i = 0; i < counts_; ++i) {
        moment.clocks[i] = later(moment.clocks[i], processor.clocks[i]);
    }
    delay(arrival, processor.receive_adapter);
}

void ScenarioClocks::process(const NetworkMessage& transfer, Id arrival, u32 node) {
    Processor& processor = processors_[transfer.to];
    const std::span<const MessageCosts> costs = costs_.of(link_of(transfer), transfer.bytes);
    leave_receive_way(transfer, arrival, node, costs[0]);
    const Clock counted = counts_of(transfer);
    Moment& taken = moments_[arrival];
    Moment& adapter = moments_[processor.receive_adapter];
    for (std::size_t i = 0; i < counts_; ++i) {
        const i64 processing = costs[i].processing();
        Clock& next = adapter.clocks[i];
        next = taken.clocks[i];
        next.time += std::max(costs[i].gap + costs[i].wire, processing);
        for (Clock* clock : {&next, &taken.clocks[i], &processor.clocks[i]}) {
            clock->overheads += counted.overheads;
            if (costs[i].wire_counts) clock->bytes += counted.bytes;
        }
        taken.clocks[i].time += processing;
        processor.clocks[i].time += processing;
    }
    for (const Cost& cost : receive_costs(transfer.to, node, costs[0])) {
        taken.add(cost);
        charge(transfer.to, cost);
    }
}

/// Messages are processed one after the other.
void ScenarioClocks::leave_receive_way(const NetworkMessage& transfer, Id begun, u32 node,
                                       const MessageCosts& costs) {
    settle_costs(moments_[begun]);
    Moment& adapter = moments_[processors_[transfer.to].receive_adapter];
    copy_way(begun, adapter);
    const i64 until = std::max(costs.gap + costs.wire, costs.processing());
    for (const Cost& cost : receive_costs(transfer.to, node, costs)) adapter.add(cost);
    adapter.add({key_of(transfer.to, node, CostKind::gap), until - costs.processing()});
}

std::vector<PathCost> ScenarioClocks::path(u32 rank) {
    const PathHistory::Ref way = share(processors_[rank]);
    std::vector<PathCost> path;
    for (const Cost& cost : history_.costs(way)) {
        if (cost.time != 0) path.push_back(cost_of(cost));
    }
    history_.release(way);
    return path;
}

}  // namespace tracefold
