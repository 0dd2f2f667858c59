// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction/timing_walk.hpp"

#include "base/error.hpp"
#include "forecast/network.hpp"
#include "forecast/prediction/event_order.hpp"
#include "questions/calls/tick_window.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

namespace tracefold {

namespace {

void add_up(const UnmodelledByKind& of_rank, UnmodelledByKind& all) {
    for (const auto& [kind, calls] : of_rank) {
        all[kind].calls += calls.calls;
        all[kind].seconds += calls.seconds;
    }
}

void add_programs(std::span<RankOperations* const> programs, TickRate rate, WalkResult& result) {
    u64 begin = ~u64{0};
    u64 end = 0;
    for (RankOperations* const program : programs) {
        begin = std::min(begin, program->recorded_begin());
        end = std::max(end, program->recorded_end());
        result.calls += program->calls();
        add_up(program->unmodelled(), result.unmodelled);
        add_up(program->held_order(), result.held_order);
    }
    result.recorded_seconds = rate.seconds(elapsed(begin, end));
}

/// Of those that end at the same time, the lowest rank is named.
void find_ends(const ScenarioClocks& clocks, u32 ranks, std::vector<WalkResult::End>& ends) {
    ends.resize(clocks.clocks(0).size());
    for (u32 rank = 0; rank < ranks; ++rank) {
        const std::span<const Clock> own = clocks.clocks(rank);
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (own[i].time > ends[i].clock.time) ends[i].rank = rank;
            ends[i].clock = later(ends[i].clock, own[i]);
        }
    }
    if (std::ranges::all_of(ends, [](const auto& end) { return end.clock.time >= 0; })) return;
    throw Error(ErrorKind::unsupported,
                "the run would take longer than 100 days; choose a faster network");
}

}  // namespace

WalkResult walk_result(std::span<RankOperations* const> programs, TickRate rate,
                       ScenarioClocks& clocks) {
    WalkResult result;
    add_programs(programs, rate, result);
    find_ends(clocks, static_cast<u32>(programs.size()), result.ends);
    result.path = clocks.path(result.ends[0].rank);
    result.delays = clocks.delays().costs();
    result.waited = clocks.delays().waited();
    return result;
}

void refuse_stuck_ranks(std::span<const StuckRank> stuck, u64 rendezvous) {
    if (rendezvous == Network::kNever) {
        throw Error(ErrorKind::corrupt, "rank {} waits for a message that nobody sends",
                    stuck.front().rank);
    }
    const auto threaded = std::ranges::find_if(stuck, &StuckRank::has_threads);
    if (threaded != stuck.end()) {
        throw Error(ErrorKind::unsupported,
                    "rank {} would wait for ever: several of its threads call MPI, and the "
                    "model makes their calls one after the other, so that a message of more "
                    "than {} B may wait for a receive of another thread that comes later; "
                    "predict without --rendezvous, or with a larger one",
                    threaded->rank, rendezvous);
    }
    throw Error(ErrorKind::unsupported,
                "rank {} waits for ever: ranks send to each other before they receive, which "
                "goes well only where messages of more than {} B do not wait for their "
                "receives; choose another --rendezvous",
                stuck.front().rank, rendezvous);
}

namespace {

/// Calls of a rank that are read at once.
constexpr u64 kCallsAhead = 128;

/// From the beginning of a send to the arrival of the message, on any link.
i64 shortest_flight(const WalkRequest& request) {
    const auto flight = [](const LinkParameters& link) { return link.overhead + link.latency; };
    const auto& links = request.scenarios.front().links;
    return std::min(flight(links[0]), flight(links[1]));
}

/// What happens is put into order by the first scenario; the same order holds in all of them.
class TimingWalk {
  public:
    TimingWalk(TraceFile& file, const CommunicationSurvey& survey, const WalkRequest& request,
               CallTree& tree)
        : file_(file),
          request_(request),
          threads_(file),
          common_(common_clock(file)),
          clocks_(request, file.definitions(), tree, file.definitions().world_size()),
          order_(clocks_, file.definitions().world_size(), shortest_flight(request),
                 request.rendezvous != Network::kNever) {
        const RankOperations::Shared shared{file,
                                            survey,
                                            tree,
                                            threads_,
                                            common_,
                                            request.collectives,
                                            request.finds_any_source,
                                            request.steps};
        for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
            Strand& strand = make_strand(rank);
            own_.push_back(strand.number);
            strand.program = std::make_unique<RankOperations>(shared, rank);
            schedule(strand);
        }
    }

    WalkResult run() {
        WalkEvent event;
        while (order_.take(event)) happen(event);
        return result();
    }

  private:
    Strand& make_strand(u32 rank) {
        if (free_strands_.empty()) {
            free_strands_.push_back(static_cast<u32>(strands_.size()));
            strands_.push_back(std::make_unique<Strand>());
            strands_.back()->number = free_strands_.back();
        }
        Strand& strand = *strands_[free_strands_.back()];
        free_strands_.pop_back();
        strand.rank = rank;
        strand.at = 0;
        strand.over = false;
        strand.turn = next_turn(rank);
        return strand;
    }

    // Events.

    EventTurn next_turn(u32 rank) { return order_.next_turn(rank); }

    void push(u32 rank, WalkEvent::Kind kind, u32 number, const EventKey& key) {
        order_.add(rank, {key, number, kind});
    }
    void schedule(const Strand& strand) {
        push(strand.rank, WalkEvent::Kind::strand, strand.number, {0, strand.turn});
    }

    void happen(const WalkEvent& event) {
        switch (event.kind) {
            case WalkEvent::Kind::strand:
                advance(*strands_[event.number]);
                break;
            case WalkEvent::Kind::send:
                begin_message(event.number);
                break;
            case WalkEvent::Kind::message:
                take_message(event.number);
                break;
        }
        // Those that go on may wake others.
        while (woken_ != nullptr) {
            Strand& strand = *std::exchange(woken_, nullptr);
            if (strand.rank == order_.active() && is_next(strand)) {
                advance(strand);
            } else {
                schedule(strand);
            }
        }
    }

    /// True if nothing else happens on the rank before the strand's next operation.
    [[nodiscard]] bool is_next(const Strand& strand) {
        if (woken_ != nullptr) schedule(*std::exchange(woken_, nullptr));
        return order_.is_next(strand.turn);
    }

    // Operations.

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
        const u64 ahead = strand.program->calls() + kCallsAhead;
        while (strand.has_calls && strand.program->calls() < ahead) {
            strand.has_calls = strand.program->next(strand.operations);
        }
        strand.over = !strand.has_calls && strand.operations.list.empty();
        return !strand.over;
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
                return receive(strand, operation);
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
        strand.turn = next_turn(strand.rank);
        clocks_.compute(strand.rank, parts, kind);
        return true;
    }

    // Sends.

    bool send(Strand& strand, const NetworkOperation& operation) {
        if (strand.is_blocked) return go_on(strand, operation.slot);
        const RankFree free = clocks_.free(strand.rank);
        const bool has_to_wait = free.to_send > free.processor;
        if (!has_to_wait && !is_next(strand)) {
            schedule(strand);
            return false;
        }
        ++messages_;
        const NetworkMessage transfer{strand.rank, operation.peer, operation.bytes, operation.node};
        const bool has_rendezvous = operation.bytes > request_.rendezvous;
        if (operation.blocks && !has_to_wait && !has_rendezvous) {
            return send_at_once(strand, transfer, operation.channel);
        }
        const u32 number = take_message_number();
        flying_[number] = {transfer, operation.channel, strand.number, operation.slot,
                           kNone,    has_rendezvous};
        strand.slot(operation.slot) = {true, false, kNone};
        if (has_to_wait) {
            push(strand.rank, WalkEvent::Kind::send, number, {0, strand.turn});
            // Those that wait go in their order.
            strand.turn = next_turn(strand.rank);
        } else {
            begin_message(number);
        }
        return !operation.blocks || wait_for(strand, operation.slot);
    }

    /// A blocking send that waits for nobody.
    bool send_at_once(Strand& strand, const NetworkMessage& transfer, u64 channel) {
        const EventTurn turn = next_turn(strand.rank);
        const ScenarioClocks::Sent sent = clocks_.send(transfer, strand.ready);
        const u32 number = take_message_number();
        flying_[number] = {transfer, channel, strand.number, 0, sent.arrival, false};
        push(transfer.to, WalkEvent::Kind::message, number, {clocks_.time_of(sent.arrival), turn});
        if (sent.done != kNone) adopt(strand, sent.done);
        strand.turn = next_turn(strand.rank);
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

    /// Processor and adapter are free.
    void begin_message(u32 number) {
        FlyingMessage& message = flying_[number];
        Strand& strand = *strands_[message.strand];
        const EventTurn turn = next_turn(strand.rank);
        const ScenarioClocks::Sent sent = clocks_.send(message.transfer, strand.ready);
        message.moment = sent.arrival;
        push(message.transfer.to, WalkEvent::Kind::message, number,
             {clocks_.time_of(sent.arrival), turn});
        strand.slot(message.slot).moment = sent.done;
        if (!message.has_rendezvous) complete(strand, message.slot);
    }

    // Receives.

    /// A message has come, and processor and adapter are free.
    void take_message(u32 number) {
        const FlyingMessage message = flying_[number];
        free_messages_.push_back(number);
        clocks_.begin_processing(message.transfer, message.moment);
        const Mailbox::End end{message.has_rendezvous ? message.strand : kNone, message.slot,
                               message.transfer.node, message.moment};
        const auto receiver = mailbox_.arrive(message.mailbox(), end);
        if (receiver && message.has_rendezvous) {
            release_sender(end, clocks_.copy_of(message.moment));
        }
        clocks_.process(message.transfer, message.moment,
                        receiver ? receiver->node : node_at(message.transfer.to));
        if (receiver) hand_over(*receiver, message.moment);
    }

    /// The call that the rank is in.
    [[nodiscard]] u32 node_at(u32 rank) const {
        const Strand& strand = *strands_[own_[rank]];
        return strand.at < strand.operations.list.size() ? strand.operations.list[strand.at].node
                                                         : kNone;
    }

    bool receive(Strand& strand, const NetworkOperation& operation) {
        if (strand.is_blocked) return go_on(strand, operation.slot);
        const Mailbox::End receiver{strand.number, operation.slot, operation.node, kNone};
        const auto message =
            mailbox_.post({operation.peer, strand.rank, operation.channel}, receiver);
        if (message && message->strand == kNone && operation.blocks) {
            adopt(strand, message->moment);
            strand.turn = next_turn(strand.rank);
            return true;
        }
        strand.slot(operation.slot) = {true, false, kNone};
        if (message && message->strand != kNone) {
            const u32 posted = clocks_.present(strand.rank);
            clocks_.delay(posted, message->moment);
            release_sender(*message, posted);
        }
        if (message) hand_over(receiver, message->moment);
        return !operation.blocks || wait_for(strand, operation.slot);
    }

    void hand_over(const Mailbox::End& receiver, u32 moment) {
        Strand& strand = *strands_[receiver.strand];
        strand.slot(receiver.slot).moment = moment;
        complete(strand, receiver.slot);
    }

    /// A large message has met its receive: its sender knows from that moment on.
    void release_sender(const Mailbox::End& sender, u32 moment) {
        Strand& strand = *strands_[sender.strand];
        StrandSlot& slot = strand.slot(sender.slot);
        if (slot.moment != kNone) {
            clocks_.delay(moment, slot.moment);
            clocks_.give_back(slot.moment);
        }
        slot.moment = moment;
        complete(strand, sender.slot);
    }

    // Requests.

    void complete(Strand& strand, u32 number) {
        StrandSlot& slot = strand.slot(number);
        slot.is_open = false;
        if (!slot.is_awaited) return;
        slot.is_awaited = false;
        if (--strand.missing != 0) return;
        strand.turn = next_turn(strand.rank);
        if (woken_ != nullptr) schedule(*woken_);
        woken_ = &strand;
    }

    /// Of one slot: false if it is not complete. Then the same operation comes again when it is.
    bool wait_for(Strand& strand, u32 number) {
        StrandSlot& slot = strand.slot(number);
        if (!slot.is_open) return go_on(strand, number);
        strand.is_blocked = true;
        slot.is_awaited = true;
        ++strand.missing;
        return false;
    }

    bool wait(Strand& strand, const NetworkOperation& operation) {
        const std::span<const u32> numbers(strand.operations.slots.data() + operation.first,
                                           operation.count);
        for (const u32 number : numbers) {
            StrandSlot& slot = strand.slot(number);
            if (!slot.is_open) continue;
            slot.is_awaited = true;
            ++strand.missing;
        }
        if (strand.missing != 0) return false;
        for (const u32 number : numbers) adopt_end(strand, number);
        strand.turn = next_turn(strand.rank);
        return true;
    }

    /// All that it waited for is complete.
    bool go_on(Strand& strand, u32 number) {
        strand.is_blocked = false;
        adopt_end(strand, number);
        strand.turn = next_turn(strand.rank);
        return true;
    }

    /// The moment at which a request was complete.
    void adopt_end(Strand& strand, u32 number) {
        const u32 moment = std::exchange(strand.slot(number).moment, kNone);
        if (moment != kNone) adopt(strand, moment);
    }

    void adopt(const Strand& strand, u32 moment) {
        if (strand.ready == kNone) {
            clocks_.adopt(strand.rank, moment);
        } else {
            clocks_.delay(strand.ready, moment);
        }
        clocks_.give_back(moment);
    }

    // Non-blocking collective operations.

    void begin_branch(Strand& strand, const NetworkOperation& operation) {
        Strand& branch = make_strand(strand.rank);
        branch.operations = std::move(*strand.operations.branches[operation.first]);
        branch.parent = strand.number;
        branch.parent_slot = operation.slot;
        branch.ready = clocks_.present(strand.rank);
        strand.slot(operation.slot) = {true, false, kNone};
        schedule(branch);
    }

    void end_branch(Strand& branch) {
        Strand& parent = *strands_[branch.parent];
        branch.operations.clear();
        free_strands_.push_back(branch.number);
        parent.slot(branch.parent_slot).moment = std::exchange(branch.ready, kNone);
        complete(parent, branch.parent_slot);
    }

    // The end.

    WalkResult result() {
        std::vector<RankOperations*> programs;
        std::vector<StuckRank> stuck;
        for (const u32 own : own_) {
            const Strand& strand = *strands_[own];
            programs.push_back(strand.program.get());
            if (!strand.over) stuck.push_back({strand.rank, strand.program->has_threads()});
        }
        if (!stuck.empty()) refuse_stuck_ranks(stuck, request_.rendezvous);
        WalkResult result = walk_result(programs, file_.definitions().tick_rate(), clocks_);
        result.messages = messages_;
        return result;
    }

    TraceFile& file_;
    const WalkRequest& request_;
    TraceThreads threads_;
    CommonClock common_;
    ScenarioClocks clocks_;
    EventOrder order_;
    std::vector<std::unique_ptr<Strand>> strands_;  ///< stay where they are
    std::vector<u32> free_strands_;
    std::vector<u32> own_;  ///< the strand of a rank
    std::vector<FlyingMessage> flying_;
    std::vector<u32> free_messages_;
    Strand* woken_ = nullptr;  ///< all that it waited for is complete
    Mailbox mailbox_;
    u64 messages_ = 0;
};

}  // namespace

WalkResult walk_timing(TraceFile& file, const CommunicationSurvey& survey,
                       const WalkRequest& request, CallTree& tree) {
    return TimingWalk(file, survey, request, tree).run();
}

}  // namespace tracefold
