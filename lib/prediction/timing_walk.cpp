// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/timing_walk.hpp"

#include "analysis/node_clocks.hpp"
#include "core/error.hpp"
#include "prediction/mailbox.hpp"
#include "prediction/message_costs.hpp"
#include "profile/trace_profile.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <span>
#include <utility>

namespace tracefold {

namespace {

using Cost = PathHistory::Cost;

u64 key_of(u32 rank, u32 node, CostKind kind) {
    return (u64{rank} << 36U) | (u64{node} << 4U) | static_cast<u64>(kind);
}

u32 rank_of(u64 key) { return static_cast<u32>(key >> 36U); }

PathCost cost_of(const Cost& cost) {
    return {rank_of(cost.key), static_cast<u32>(cost.key >> 4U),
            static_cast<CostKind>(cost.key & 15U), cost.time};
}

const Clock& later(const Clock& a, const Clock& b) { return b.time > a.time ? b : a; }

/// A request that was posted.
struct Slot {
    bool is_open = false;
    bool is_awaited = false;
    u32 moment = kNone;  ///< from which on its completion is known; kNone: it is at once
};

/// What ranks share their time with: the processor of a rank, and its adapter.
struct Processor {
    std::vector<Clock> clocks;  ///< by scenario: when the rank's own operations are done
    PathHistory::Ref history = kNone;
    std::vector<Cost> costs;   ///< behind `history`
    u32 send_adapter = kNone;  ///< the moment from which on it is free
    u32 receive_adapter = kNone;
    u32 strand = kNone;  ///< the rank's own
};

/// A sequence of operations: a rank, or a non-blocking collective operation of one.
struct Strand {
    u32 number = 0;
    u32 rank = 0;
    u64 order = 0;  ///< of its next operation among those of the same time
    NetworkOperations operations;
    std::size_t at = 0;
    std::vector<Slot> slots;
    u32 missing = 0;    ///< slots that it waits for
    u32 ready = kNone;  ///< of a branch: the moment up to which it is
    bool over = false;
    std::unique_ptr<RankOperations> program;  ///< of a rank
    u32 parent = kNone;                       ///< of a branch
    u32 parent_slot = 0;

    Slot& slot(u32 number_of_slot) {
        if (number_of_slot >= slots.size()) slots.resize(number_of_slot + std::size_t{1});
        return slots[number_of_slot];
    }
};

/// A message from its send on.
struct Message {
    Mailbox::Channel channel;
    u64 bytes = 0;
    u32 strand = kNone;  ///< its sender
    u32 slot = 0;
    u32 node = kNone;
    u32 moment = kNone;  ///< when it comes; kNone: it has not been sent
    bool has_rendezvous = false;
};

/// Something that happens in the first scenario when its time has come and the processor is free.
struct Event {
    enum class Kind : u8 { strand, send, message };

    i64 time = 0;
    u64 order = 0;
    u32 number = 0;
    Kind kind{};

    bool operator>(const Event& other) const {
        return time != other.time ? time > other.time : order > other.order;
    }
};

/// Events come in the order of the first scenario, by LogGOPSim's rules: what a rank does next and
/// what comes to it happen when its processor is free, the earliest first. The same order holds in
/// all scenarios. A rank pays for a message when that is processed, but waits for it only where the
/// program does.
class TimingWalk {
  public:
    TimingWalk(TraceFile& file, const ExportSurvey& survey, const WalkRequest& request,
               CallTree& tree)
        : file_(file),
          request_(request),
          tree_(tree),
          threads_(file),
          fates_(file.definitions()),
          clock_(common_clock(file)),
          moments_(request.scenarios.size(), history_),
          counts_(request.scenarios.size()),
          costs_(links_of(request)),
          speeds_(request.speeds.size()) {
        const u32 ranks = file.definitions().world_size();
        const RankOperations::Shared shared{
            file, survey, tree, threads_, fates_, clock_, request.collectives};
        for (u32 rank = 0; rank < ranks; ++rank) {
            Strand& strand = make_strand(rank);
            processors_.push_back({std::vector<Clock>(counts_),
                                   kNone,
                                   {},
                                   idle_adapter(),
                                   idle_adapter(),
                                   strand.number});
            strand.program = std::make_unique<RankOperations>(shared, rank);
            schedule(strand);
        }
    }

    WalkResult run() {
        while (!events_.empty()) {
            const Event event = events_.top();
            events_.pop();
            happen(event);
        }
        return result();
    }

  private:
    static std::vector<std::array<LinkParameters, kLinkClasses>> links_of(
        const WalkRequest& request) {
        std::vector<std::array<LinkParameters, kLinkClasses>> links;
        for (const Scenario& scenario : request.scenarios) links.push_back(scenario.links);
        return links;
    }

    Strand& make_strand(u32 rank) {
        if (free_strands_.empty()) {
            free_strands_.push_back(static_cast<u32>(strands_.size()));
            strands_.emplace_back().number = free_strands_.back();
        }
        Strand& strand = strands_[free_strands_.back()];
        free_strands_.pop_back();
        strand.rank = rank;
        strand.at = 0;
        strand.over = false;
        strand.order = next_order_++;
        return strand;
    }

    u32 idle_adapter() {
        const u32 id = moments_.take();
        std::ranges::fill(moments_[id].clocks, Clock{});
        return id;
    }

    // Events.

    [[nodiscard]] i64 now(const Processor& processor) const { return processor.clocks[0].time; }
    [[nodiscard]] i64 free_at(u32 adapter) { return moments_[adapter].clocks[0].time; }

    void schedule(const Strand& strand) {
        events_.push(
            {now(processors_[strand.rank]), strand.order, strand.number, Event::Kind::strand});
    }

    void happen(Event event) {
        Processor& processor = processor_of(event);
        const i64 earliest = std::max(now(processor), adapter_time(event, processor));
        if (earliest > event.time) {
            event.time = earliest;
            events_.push(event);
            return;
        }
        switch (event.kind) {
            case Event::Kind::strand:
                advance(strands_[event.number]);
                break;
            case Event::Kind::send:
                begin_message(event.number);
                break;
            case Event::Kind::message:
                take_message(event.number);
                break;
        }
    }

    Processor& processor_of(const Event& event) {
        if (event.kind == Event::Kind::strand) return processors_[strands_[event.number].rank];
        const Mailbox::Channel& channel = flying_[event.number].channel;
        return processors_[event.kind == Event::Kind::send ? channel.from : channel.to];
    }

    i64 adapter_time(const Event& event, const Processor& processor) {
        if (event.kind == Event::Kind::strand) return 0;
        return free_at(event.kind == Event::Kind::send ? processor.send_adapter
                                                       : processor.receive_adapter);
    }

    /// True if nothing else happens before the strand's next operation.
    [[nodiscard]] bool is_next(const Strand& strand) const {
        if (events_.empty()) return true;
        const Event own{now(processors_[strand.rank]), strand.order};
        return events_.top() > own;
    }

    // The way of a processor to its present moment.

    PathHistory::Ref share(Processor& processor) {
        processor.history = history_.extend(processor.history, processor.costs);
        history_.hold(processor.history);
        return processor.history;
    }

    void charge(const Cost& cost) {
        if (cost.time == 0) return;
        std::vector<Cost>& costs = processors_[rank_of(cost.key)].costs;
        if (!costs.empty() && costs.back().key == cost.key) {
            costs.back().time += cost.time;
        } else {
            costs.push_back(cost);
        }
    }

    /// The processor is free no earlier than at a moment.
    void adopt(Processor& processor, const Moment& moment) {
        if (moment.clocks[0].time > now(processor)) {
            history_.hold(moment.history);
            history_.release(processor.history);
            processor.history = moment.history;
            processor.costs.assign(moment.last.begin(), moment.last.begin() + moment.last_count);
        }
        for (std::size_t i = 0; i < counts_; ++i) {
            processor.clocks[i] = later(processor.clocks[i], moment.clocks[i]);
        }
    }

    u32 present(Processor& processor) {
        const u32 id = moments_.take();
        moments_[id].clocks = processor.clocks;
        moments_[id].history = share(processor);
        return id;
    }

    // NetworkOperations.

    void advance(Strand& strand) {
        while (true) {
            if (strand.at == strand.operations.list.size() && !refill(strand)) return;
            if (strand.at == strand.operations.list.size()) continue;
            if (!execute(strand, strand.operations.list[strand.at])) return;
            ++strand.at;
        }
    }

    /// False at the end.
    bool refill(Strand& strand) {
        if (!strand.program) {
            end_branch(strand);
            return false;
        }
        strand.operations.clear();
        strand.at = 0;
        if (strand.program->next(strand.operations)) return true;
        strand.over = true;
        return false;
    }

    /// False if it has to wait, and comes again then.
    bool execute(Strand& strand, const NetworkOperation& operation) {
        switch (operation.kind) {
            case NetworkOperation::Kind::compute:
                return compute(strand, operation, CostKind::computation);
            case NetworkOperation::Kind::recorded:
                return compute(strand, operation, CostKind::recorded);
            case NetworkOperation::Kind::send:
                return send(strand, operation);
            case NetworkOperation::Kind::receive:
                receive(strand, operation);
                return true;
            case NetworkOperation::Kind::branch:
                begin_branch(strand, operation);
                return true;
            case NetworkOperation::Kind::wait:
                return wait(strand, operation);
        }
        return true;
    }

    bool compute(Strand& strand, const NetworkOperation& operation, CostKind kind) {
        if (!is_next(strand)) {
            schedule(strand);
            return false;
        }
        const std::span<const PathTime> parts(strand.operations.times.data() + operation.first,
                                              operation.count);
        Processor& processor = processors_[strand.rank];
        for (const PathTime& part : parts) {
            charge({key_of(strand.rank, part.node, kind),
                    at_speed(part, request_.scenarios[0].speed)});
            for (std::size_t i = 0; i < counts_; ++i) {
                processor.clocks[i].time += at_speed(part, request_.scenarios[i].speed);
            }
        }
        strand.order = next_order_++;
        return true;
    }

    i64 at_speed(const PathTime& part, u32 speed) {
        if (speed == kNone) return part.time;
        const double factor = speed_of(part.node, speed);
        if (factor == 1) return part.time;
        return static_cast<i64>(std::llround(static_cast<double>(part.time) / factor));
    }

    double speed_of(u32 node, u32 speed) {
        std::vector<double>& known = speeds_[speed];
        const std::size_t place = node == kNone ? 0 : std::size_t{node} + 1;
        while (known.size() <= place) {
            const std::string path = known.empty() ? std::string()
                                                   : path_of(file_.definitions(), tree_,
                                                             static_cast<u32>(known.size()) - 1);
            known.push_back(request_.speeds[speed](path));
        }
        return known[place];
    }

    // Sends.

    [[nodiscard]] LinkClass link_between(u32 rank, u32 peer) const {
        return request_.node_of_rank[rank] == request_.node_of_rank[peer]
                   ? LinkClass::within_node
                   : LinkClass::between_nodes;
    }

    bool send(Strand& strand, const NetworkOperation& operation) {
        const Processor& processor = processors_[strand.rank];
        const i64 free = free_at(processor.send_adapter);
        const bool has_to_wait = free > now(processor);
        if (!has_to_wait && !is_next(strand)) {
            schedule(strand);
            return false;
        }
        ++messages_;
        const u32 number = take_message_number();
        flying_[number] = {{strand.rank, operation.peer, operation.channel},
                           operation.bytes,
                           strand.number,
                           operation.slot,
                           operation.node,
                           kNone,
                           operation.bytes > request_.rendezvous};
        strand.slot(operation.slot) = {true, false, kNone};
        if (has_to_wait) {
            events_.push({free, strand.order, number, Event::Kind::send});
        } else {
            begin_message(number);
        }
        return true;
    }

    u32 take_message_number() {
        if (free_messages_.empty()) {
            free_messages_.push_back(static_cast<u32>(flying_.size()));
            flying_.emplace_back();
        }
        const u32 number = free_messages_.back();
        free_messages_.pop_back();
        return number;
    }

    /// A message leaves as soon as its strand, the processor and the adapter can. The processor,
    /// which need not wait for the adapter, pays for it in its own time.
    void begin_message(u32 number) {
        Message& message = flying_[number];
        const u32 rank = message.channel.from;
        Processor& processor = processors_[rank];
        const Strand& strand = strands_[message.strand];
        const LinkClass link = link_between(rank, message.channel.to);
        const std::span<const MessageCosts> costs = costs_.of(link, message.bytes);
        const Clock counted = counts_of(link, message.bytes);
        const u32 start = start_of(processor, strand);
        message.moment = moments_.take();
        leave_ways(processor, message, start, costs[0]);
        const u32 done = is_later(start, processor) ? after(start, message, costs) : kNone;
        Moment& adapter = moments_[processor.send_adapter];
        Moment& arrival = moments_[message.moment];
        for (std::size_t i = 0; i < counts_; ++i) {
            const Clock& begin = moments_[start].clocks[i];
            Clock& own = processor.clocks[i];
            adapter.clocks[i] = begin;
            adapter.clocks[i].time += costs[i].gap + costs[i].wire;
            adapter.clocks[i].bytes += counted.bytes;
            Clock& come = arrival.clocks[i];
            come = begin;
            come.time += costs[i].overhead + costs[i].latency;
            come.overheads += counted.overheads;
            come.latencies += counted.latencies;
            own.time += costs[i].overhead + costs[i].copy;
            own.overheads += counted.overheads;
        }
        moments_.give_back(start);
        charge({key_of(rank, message.node, CostKind::overhead), costs[0].overhead + costs[0].copy});
        events_.push({arrival.clocks[0].time, next_order_++, number, Event::Kind::message});
        finish_send(message, done);
    }

    /// The latest of what a send needs.
    u32 start_of(Processor& processor, const Strand& strand) {
        const u32 start = present(processor);
        delay(start, processor.send_adapter);
        if (strand.ready != kNone) delay(start, strand.ready);
        return start;
    }

    /// Moves a moment to another one where that is later.
    void delay(u32 id, u32 until) {
        Moment& moment = moments_[id];
        Moment& other = moments_[until];
        if (other.clocks[0].time > moment.clocks[0].time) {
            settle_costs(other);
            history_.hold(other.history);
            history_.release(moment.history);
            moment.history = other.history;
            moment.last_count = 0;
        }
        for (std::size_t i = 0; i < counts_; ++i) {
            moment.clocks[i] = later(moment.clocks[i], other.clocks[i]);
        }
    }

    /// Puts the costs behind a history into it.
    void settle_costs(Moment& moment) {
        settled_.assign(moment.last.begin(), moment.last.begin() + moment.last_count);
        moment.history = history_.extend(moment.history, settled_);
        moment.last_count = 0;
    }

    [[nodiscard]] bool is_later(u32 id, const Processor& processor) {
        for (std::size_t i = 0; i < counts_; ++i) {
            if (moments_[id].clocks[i].time > processor.clocks[i].time) return true;
        }
        return false;
    }

    /// The moment at which a send is done that began at another one.
    u32 after(u32 start, const Message& message, std::span<const MessageCosts> costs) {
        const u32 id = moments_.take();
        Moment& done = moments_[id];
        copy_history(start, done);
        done.add({key_of(message.channel.from, message.node, CostKind::overhead),
                  costs[0].overhead + costs[0].copy});
        const Clock counted =
            counts_of(link_between(message.channel.from, message.channel.to), message.bytes);
        for (std::size_t i = 0; i < counts_; ++i) {
            done.clocks[i] = moments_[start].clocks[i];
            done.clocks[i].time += costs[i].overhead + costs[i].copy;
            done.clocks[i].overheads += counted.overheads;
        }
        return id;
    }

    void copy_history(u32 from, Moment& to) {
        history_.hold(moments_[from].history);
        history_.release(to.history);
        to.history = moments_[from].history;
        to.last_count = 0;
    }

    /// The ways of message and adapter go on from the start.
    void leave_ways(const Processor& processor, const Message& message, u32 start,
                    const MessageCosts& costs) {
        const auto cost = [&](CostKind kind, i64 time) {
            return Cost{key_of(message.channel.from, message.node, kind), time};
        };
        Moment& arrival = moments_[message.moment];
        copy_history(start, arrival);
        arrival.add(cost(CostKind::overhead, costs.overhead));
        arrival.add(cost(CostKind::latency, costs.latency));
        Moment& adapter = moments_[processor.send_adapter];
        copy_history(start, adapter);
        adapter.add(cost(CostKind::gap, costs.gap));
        adapter.add(cost(CostKind::bytes, costs.wire));
    }

    /// `done`: when that is known; kNone: at once.
    void finish_send(const Message& message, u32 done) {
        Strand& strand = strands_[message.strand];
        strand.slot(message.slot).moment = done;
        if (!message.has_rendezvous) complete(strand, message.slot);
    }

    /// What a message adds to the derivatives.
    [[nodiscard]] Clock counts_of(LinkClass link, u64 bytes) const {
        if (link != request_.counted) return {};
        return {0, 1, 1, charged_bytes(bytes)};
    }

    // Receives.

    /// A message has come, and processor and adapter are free. The processor pays for it now; who
    /// waits for it goes on when it was there and paid for.
    void take_message(u32 number) {
        const Message message = flying_[number];
        free_messages_.push_back(number);
        const u32 rank = message.channel.to;
        Processor& processor = processors_[rank];
        delay_by_processor(message.moment, processor);
        delay(message.moment, processor.receive_adapter);
        Mailbox::End end{message.has_rendezvous ? message.strand : kNone, message.slot,
                         message.node, message.moment};
        const u32 begun = message.has_rendezvous ? copy_of(message.moment) : kNone;
        const auto receiver = mailbox_.arrive(message.channel, end);
        charge_receive(processor, receiver ? receiver->node : node_at(processor), message);
        if (!receiver) {
            if (begun != kNone) moments_.give_back(begun);
            return;
        }
        if (begun != kNone) release_sender(end, begun);
        hand_over(*receiver, message.moment);
    }

    void delay_by_processor(u32 id, Processor& processor) {
        Moment& moment = moments_[id];
        if (now(processor) >= moment.clocks[0].time) {
            history_.release(moment.history);
            moment.history = share(processor);
            moment.last_count = 0;
        }
        for (std::size_t i = 0; i < counts_; ++i) {
            moment.clocks[i] = later(moment.clocks[i], processor.clocks[i]);
        }
    }

    u32 copy_of(u32 id) {
        settle_costs(moments_[id]);
        const u32 made = moments_.take();
        copy_history(id, moments_[made]);
        moments_[made].clocks = moments_[id].clocks;
        return made;
    }

    /// The call that the rank is in.
    u32 node_at(const Processor& processor) {
        const Strand& strand = strands_[processor.strand];
        return strand.at < strand.operations.list.size() ? strand.operations.list[strand.at].node
                                                         : kNone;
    }

    /// Messages are processed one after the other.
    void charge_receive(Processor& processor, u32 node, const Message& message) {
        const LinkClass link = link_between(message.channel.to, message.channel.from);
        const std::span<const MessageCosts> costs = costs_.of(link, message.bytes);
        leave_receive_adapter(processor, node, message, costs[0]);
        const Clock counted = counts_of(link, message.bytes);
        Moment& taken = moments_[message.moment];
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
        for (const Cost& cost : receive_costs(message.channel.to, node, costs[0])) {
            taken.add(cost);
            charge(cost);
        }
    }

    static std::array<Cost, 2> receive_costs(u32 rank, u32 node, const MessageCosts& costs) {
        const CostKind kind = costs.wire_counts ? CostKind::bytes : CostKind::overhead;
        return {Cost{key_of(rank, node, CostKind::overhead), costs.overhead},
                Cost{key_of(rank, node, kind), std::max(costs.wire, costs.copy)}};
    }

    /// The way to the moment from which on the next message may be processed.
    void leave_receive_adapter(Processor& processor, u32 node, const Message& message,
                               const MessageCosts& costs) {
        settle_costs(moments_[message.moment]);
        Moment& adapter = moments_[processor.receive_adapter];
        copy_history(message.moment, adapter);
        const i64 until = std::max(costs.gap + costs.wire, costs.processing());
        for (const Cost& cost : receive_costs(message.channel.to, node, costs)) adapter.add(cost);
        adapter.add({key_of(message.channel.to, node, CostKind::gap), until - costs.processing()});
    }

    void receive(Strand& strand, const NetworkOperation& operation) {
        strand.slot(operation.slot) = {true, false, kNone};
        const Mailbox::End receiver{strand.number, operation.slot, operation.node, kNone};
        const auto message =
            mailbox_.post({operation.peer, strand.rank, operation.channel}, receiver);
        if (!message) return;
        if (message->strand != kNone) {
            const u32 posted = present(processors_[strand.rank]);
            delay(posted, message->moment);
            release_sender(*message, posted);
        }
        hand_over(receiver, message->moment);
    }

    void hand_over(const Mailbox::End& receiver, u32 moment) {
        Strand& strand = strands_[receiver.strand];
        strand.slot(receiver.slot).moment = moment;
        complete(strand, receiver.slot);
    }

    /// A large message has met its receive: its sender knows from that moment on.
    void release_sender(const Mailbox::End& sender, u32 moment) {
        Strand& strand = strands_[sender.strand];
        Slot& slot = strand.slot(sender.slot);
        if (slot.moment != kNone) {
            delay(moment, slot.moment);
            moments_.give_back(slot.moment);
        }
        slot.moment = moment;
        complete(strand, sender.slot);
    }

    // Requests.

    void complete(Strand& strand, u32 number) {
        Slot& slot = strand.slot(number);
        slot.is_open = false;
        if (!slot.is_awaited) return;
        slot.is_awaited = false;
        if (--strand.missing != 0) return;
        strand.order = next_order_++;
        schedule(strand);
    }

    bool wait(Strand& strand, const NetworkOperation& operation) {
        const std::span<const u32> numbers(strand.operations.slots.data() + operation.first,
                                           operation.count);
        for (const u32 number : numbers) {
            Slot& slot = strand.slot(number);
            if (!slot.is_open) continue;
            slot.is_awaited = true;
            ++strand.missing;
        }
        if (strand.missing != 0) return false;
        for (const u32 number : numbers) {
            Slot& slot = strand.slot(number);
            if (slot.moment == kNone) continue;
            if (strand.ready == kNone) {
                adopt(processors_[strand.rank], moments_[slot.moment]);
            } else {
                delay(strand.ready, slot.moment);
            }
            moments_.give_back(slot.moment);
            slot.moment = kNone;
        }
        strand.order = next_order_++;
        return true;
    }

    // Non-blocking collective operations.

    void begin_branch(Strand& strand, const NetworkOperation& operation) {
        Strand& branch = make_strand(strand.rank);
        branch.operations = std::move(*strand.operations.branches[operation.first]);
        branch.parent = strand.number;
        branch.parent_slot = operation.slot;
        branch.ready = present(processors_[strand.rank]);
        strand.slot(operation.slot) = {true, false, kNone};
        schedule(branch);
    }

    void end_branch(Strand& branch) {
        Strand& parent = strands_[branch.parent];
        branch.operations.clear();
        free_strands_.push_back(branch.number);
        parent.slot(branch.parent_slot).moment = std::exchange(branch.ready, kNone);
        complete(parent, branch.parent_slot);
    }

    // The end.

    WalkResult result() {
        WalkResult result;
        result.ends.resize(counts_);
        result.messages = messages_;
        u64 begin = ~u64{0};
        u64 end = 0;
        for (const Strand& strand : strands_) {
            if (!strand.program) continue;
            if (!strand.over) fail(strand);
            begin = std::min(begin, strand.program->recorded_begin());
            end = std::max(end, strand.program->recorded_end());
            add_program(*strand.program, result);
        }
        result.recorded_seconds = static_cast<double>(elapsed(begin, end)) /
                                  static_cast<double>(file_.definitions().timer_resolution());
        for (u32 rank = 0; rank < processors_.size(); ++rank) {
            for (std::size_t i = 0; i < counts_; ++i) {
                const Clock& clock = processors_[rank].clocks[i];
                if (clock.time > result.ends[i].clock.time) result.ends[i] = {clock, rank};
            }
        }
        for (const Cost& cost : history_.costs(share(processors_[result.ends[0].rank]))) {
            if (cost.time != 0) result.path.push_back(cost_of(cost));
        }
        return result;
    }

    static void add_program(const RankOperations& program, WalkResult& result) {
        result.calls += program.calls();
        result.has_threads = result.has_threads || program.has_threads();
        for (const auto& [kind, calls] : program.unmodelled()) {
            result.unmodelled[kind].calls += calls.calls;
            result.unmodelled[kind].seconds += calls.seconds;
        }
    }

    [[noreturn]] void fail(const Strand& strand) const {
        if (request_.rendezvous == Network::kNever) {
            throw Error(ErrorKind::corrupt, "rank {} waits for a message that nobody sends",
                        strand.rank);
        }
        throw Error(ErrorKind::unsupported,
                    "rank {} waits for ever: ranks send to each other before they receive, which "
                    "goes well only where messages of more than {} B do not wait for their "
                    "receives; choose another --rendezvous",
                    strand.rank, request_.rendezvous);
    }

    TraceFile& file_;
    const WalkRequest& request_;
    CallTree& tree_;
    TraceThreads threads_;
    CallFates fates_;
    CommonClock clock_;
    PathHistory history_;
    MomentPool moments_;
    std::size_t counts_;  ///< scenarios
    CostTable costs_;
    std::deque<Strand> strands_;
    std::vector<u32> free_strands_;
    std::vector<Processor> processors_;  ///< by rank
    std::vector<Message> flying_;
    std::vector<u32> free_messages_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    u64 next_order_ = 0;
    Mailbox mailbox_;
    std::vector<Cost> settled_;                ///< while costs are put into a history
    std::vector<std::vector<double>> speeds_;  ///< by speed and node, from 0 for none
    u64 messages_ = 0;
};

}  // namespace

WalkResult walk_timing(TraceFile& file, const ExportSurvey& survey, const WalkRequest& request,
                       CallTree& tree) {
    return TimingWalk(file, survey, request, tree).run();
}

}  // namespace tracefold
