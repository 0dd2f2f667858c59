// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction/scenario_clocks.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

using Cost = PathHistory::Cost;

std::vector<std::vector<LinkParameters>> links_of(const WalkRequest& request) {
    std::vector<std::vector<LinkParameters>> links;
    for (const Scenario& scenario : request.scenarios) links.push_back(scenario.links);
    return links;
}

/// Advances clocks to others where these are later.
void delay_clocks(Clock* clocks, const Clock* others, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) clocks[i] = later(clocks[i], others[i]);
}

}  // namespace

ScenarioClocks::ScenarioClocks(const WalkRequest& request, const DefinitionIndex& definitions,
                               const CallTree& tree, u32 ranks)
    : request_(request),
      ranks_(ranks),
      shares_(request.levels.shared_adapters() != 0),
      counts_(request.scenarios.size()),
      moments_(counts_),
      costs_(links_of(request)),
      clocks_(place_of(ranks + request.levels.shared_adapters(), Part::processor) * counts_),
      ways_(place_of(ranks + request.levels.shared_adapters(), Part::processor), kNone) {
    for (const SpeedOfPath& speed : request.speeds) speeds_.emplace_back(definitions, tree, speed);
}

Clock ScenarioClocks::counts_of(const NetworkMessage& transfer) const {
    if (transfer.level != request_.counted) return {};
    return {0, charged_bytes(transfer.bytes), 1, 1};
}

void ScenarioClocks::compute(u32 rank, std::span<const PathTime> parts, CostKind kind) {
    // A program without sends must tidy up here.
    if (history_.is_untidy()) tidy_up();
    Clock* const clocks = this->clocks(rank, Part::processor);
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
    if (!request_.keeps_path) return;
    PathHistory::Ref& own = way(rank, Part::processor);
    own = history_.add(own, cost);
}

void ScenarioClocks::adopt(u32 rank, Id id) {
    if (request_.keeps_path && time_of(id) > now(rank)) {
        if (request_.finds_delays) note_wait(rank, id);
        way(rank, Part::processor) = moments_.way(id);
    }
    delay_clocks(clocks(rank, Part::processor), moments_.clocks(id), counts_);
}

void ScenarioClocks::note_wait(u32 rank, Id id) {
    late_.clear();
    waiting_.clear();
    history_.since_common(moments_.way(id), way(rank, Part::processor), late_, waiting_);
    delays_.add({moments_.sender(id), time_of(id) - now(rank)}, late_, waiting_);
}

void ScenarioClocks::delay(Id id, Id until) {
    if (request_.keeps_path && time_of(until) > time_of(id)) {
        moments_.way(id) = moments_.way(until);
    }
    delay_clocks(moments_.clocks(id), moments_.clocks(until), counts_);
}

ScenarioClocks::Id ScenarioClocks::present(u32 rank) {
    const Id id = moments_.take();
    std::copy_n(clocks(rank, Part::processor), counts_, moments_.clocks(id));
    moments_.way(id) = way(rank, Part::processor);
    return id;
}

ScenarioClocks::Id ScenarioClocks::copy_of(Id id) {
    const Id made = moments_.take();
    std::copy_n(moments_.clocks(id), counts_, moments_.clocks(made));
    moments_.way(made) = moments_.way(id);
    return made;
}

// Sends.

ScenarioClocks::Sent ScenarioClocks::send(const NetworkMessage& transfer, Id ready) {
    const std::span<const MessageCosts> costs = costs_.of(transfer.level, transfer.bytes);
    const Clock counted = counts_of(transfer);
    const Id arrival = moments_.take();
    if (request_.keeps_path) moments_.way(arrival) = way_of_start(transfer, ready);
    Clock* const clocks = this->clocks(transfer.from, Part::processor);
    Clock* const adapter =
        this->clocks(adapter_owner(transfer.from, transfer.level), Part::send_adapter);
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

/// Path of the resource that becomes free last.
PathHistory::Ref ScenarioClocks::way_of_start(const NetworkMessage& transfer, Id ready) {
    if (history_.is_untidy()) tidy_up();
    PathHistory::Ref latest = way(transfer.from, Part::processor);
    i64 time = now(transfer.from);
    const u32 owner = adapter_owner(transfer.from, transfer.level);
    if (const i64 adapter = time_of(owner, Part::send_adapter); adapter > time) {
        latest = way(owner, Part::send_adapter);
        time = adapter;
    }
    if (ready != kNone && time_of(ready) > time) latest = moments_.way(ready);
    return latest;
}

void ScenarioClocks::tidy_up() {
    kept_.clear();
    for (PathHistory::Ref& way : ways_) kept_.push_back(&way);
    for (PathHistory::Ref& way : moments_.ways()) kept_.push_back(&way);
    history_.tidy(kept_);
}

/// The completion of a send that waited. Precondition: the path of `arrival` ends at its begin.
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
    moments_.way(id) = history_.add(moments_.way(arrival),
                                    {key_of(transfer.from, transfer.node, CostKind::overhead),
                                     costs[0].overhead + costs[0].copy});
    return id;
}

/// The paths of message and adapter continue from the begin.
void ScenarioClocks::leave_send_ways(const NetworkMessage& transfer, Id arrival,
                                     const MessageCosts& costs) {
    const auto add = [&](PathHistory::Ref& way, CostKind kind, i64 time) {
        way = history_.add(way, {key_of(transfer.from, transfer.node, kind), time});
    };
    PathHistory::Ref& message = moments_.way(arrival);
    PathHistory::Ref& adapter =
        way(adapter_owner(transfer.from, transfer.level), Part::send_adapter);
    adapter = message;
    add(adapter, CostKind::gap, costs.gap);
    add(adapter, CostKind::bytes, costs.wire);
    moments_.sender(arrival) = transfer.from;
    add(message, CostKind::overhead, costs.overhead);
    add(message, CostKind::latency, costs.latency);
}

// Receives.

void ScenarioClocks::begin_processing(const NetworkMessage& transfer, Id arrival) {
    const i64 come = time_of(arrival);
    const i64 free = now(transfer.to);
    const u32 owner = adapter_owner(transfer.to, transfer.level);
    const i64 next = time_of(owner, Part::receive_adapter);
    if (request_.keeps_path && std::max(free, next) >= come) {
        // Path of the latest of rank, message, adapter; in case of a tie in this order.
        const bool is_rank = free >= std::max(come, next);
        if (is_rank || next > come) {
            moments_.way(arrival) =
                is_rank ? way(transfer.to, Part::processor) : way(owner, Part::receive_adapter);
        }
    }
    Clock* const clocks = moments_.clocks(arrival);
    const Clock* const own = this->clocks(transfer.to, Part::processor);
    const Clock* const adapter = this->clocks(owner, Part::receive_adapter);
    for (std::size_t i = 0; i < counts_; ++i) {
        clocks[i] = later(later(clocks[i], own[i]), adapter[i]);
    }
}

void ScenarioClocks::process(const NetworkMessage& transfer, Id arrival, u32 node) {
    const std::span<const MessageCosts> costs = costs_.of(transfer.level, transfer.bytes);
    if (request_.keeps_path) leave_receive_ways(transfer, arrival, node, costs[0]);
    const Clock counted = counts_of(transfer);
    const u32 owner = adapter_owner(transfer.to, transfer.level);
    const bool is_own = owner == transfer.to;
    Clock* const clocks = this->clocks(transfer.to, Part::processor);
    Clock* const taken = moments_.clocks(arrival);
    Clock* const adapter = this->clocks(owner, Part::receive_adapter);
    for (std::size_t i = 0; i < counts_; ++i) {
        const i64 processing = costs[i].processing();
        const u64 bytes = costs[i].wire_counts ? counted.bytes : 0;
        const Clock begun = taken[i];
        const i64 adapter_time = costs[i].gap + costs[i].wire;
        taken[i].time += processing;
        taken[i].overheads += counted.overheads;
        taken[i].bytes += bytes;
        if (is_own) {
            adapter[i] = taken[i];
            adapter[i].time = begun.time + std::max(adapter_time, processing);
        } else {
            adapter[i] = begun;
            adapter[i].time += adapter_time;
            adapter[i].bytes += counted.bytes;
        }
        clocks[i].time += processing;
        clocks[i].overheads += counted.overheads;
        clocks[i].bytes += bytes;
    }
}

/// Messages are processed one after the other.
void ScenarioClocks::leave_receive_ways(const NetworkMessage& transfer, Id begun, u32 node,
                                        const MessageCosts& costs) {
    const CostKind kind = costs.wire_counts ? CostKind::bytes : CostKind::overhead;
    const std::array<Cost, 2> paid = {
        Cost{key_of(transfer.to, node, CostKind::overhead), costs.overhead},
        Cost{key_of(transfer.to, node, kind), std::max(costs.wire, costs.copy)}};
    PathHistory::Ref& taken = moments_.way(begun);
    const u32 owner = adapter_owner(transfer.to, transfer.level);
    PathHistory::Ref& adapter = way(owner, Part::receive_adapter);
    const PathHistory::Ref before = taken;
    for (const Cost& cost : paid) {
        taken = history_.add(taken, cost);
        charge(transfer.to, cost);
    }
    if (owner != transfer.to) {
        // The adapter of several ranks does not wait for the processor of one.
        adapter = history_.add(before, {key_of(transfer.to, node, CostKind::gap), costs.gap});
        adapter = history_.add(adapter, {key_of(transfer.to, node, CostKind::bytes), costs.wire});
        return;
    }
    adapter = taken;
    if (request_.finds_delays) {
        // Separate path: waiting for the adapter is not waiting for the processor.
        adapter = before;
        for (const Cost& cost : paid) adapter = history_.add(adapter, cost);
    }
    const i64 until = std::max(costs.gap + costs.wire, costs.processing());
    adapter = history_.add(adapter,
                           {key_of(transfer.to, node, CostKind::gap), until - costs.processing()});
}

std::vector<PathCost> ScenarioClocks::path(u32 rank) {
    std::vector<PathCost> path;
    for (const Cost& cost : history_.costs(way(rank, Part::processor))) {
        if (cost.time != 0) path.push_back(cost_of(cost));
    }
    return path;
}

}  // namespace tracefold
