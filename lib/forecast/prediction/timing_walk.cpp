// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction/timing_walk.hpp"

#include "base/error.hpp"
#include "forecast/network.hpp"
#include "forecast/prediction/event_order.hpp"
#include "questions/calls/tick_window.hpp"

#include <algorithm>
#include <limits>
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
    double lengths = 0;
    for (RankOperations* const program : programs) {
        lengths += rate.seconds(elapsed(program->recorded_begin(), program->recorded_end()));
        begin = std::min(begin, program->recorded_begin());
        end = std::max(end, program->recorded_end());
        result.calls += program->calls();
        add_up(program->unmodelled(), result.unmodelled);
        add_up(program->held_order(), result.held_order);
        result.empty_matrices.calls += program->empty_matrices().calls;
        result.empty_matrices.seconds += program->empty_matrices().seconds;
    }
    result.recorded_seconds = rate.seconds(elapsed(begin, end));
    result.mean_recorded_seconds = lengths / static_cast<double>(programs.size());
}

/// In case of a tie, reports the lowest rank.
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
        throw Error(ErrorKind::corrupt, "rank {} waits for a message that no rank sends",
                    stuck.front().rank);
    }
    const auto threaded = std::ranges::find_if(stuck, &StuckRank::has_threads);
    if (threaded != stuck.end()) {
        throw Error(
            ErrorKind::unsupported,
            "rank {} would wait for ever: several of its threads call MPI, and the model issues "
            "their calls one after the other, so a message of more than {} B may wait for a later "
            "receive of another thread; predict without --rendezvous, or with a larger one",
            threaded->rank, rendezvous);
    }
    throw Error(
        ErrorKind::unsupported,
        "rank {} waits for ever: ranks send to each other before they receive, which works only if "
        "messages of more than {} B do not wait for their receives; choose another --rendezvous",
        stuck.front().rank, rendezvous);
}

namespace {

/// Number of a rank's calls read at once.
constexpr u64 kCallsAhead = 128;

/// From the begin of a send to the arrival of the message, on any link.
i64 shortest_flight(const WalkRequest& request) {
    const auto flight = [](const LinkParameters& link) { return link.overhead + link.latency; };
    i64 shortest = std::numeric_limits<i64>::max();
    for (const LinkParameters& link : request.scenarios.front().links)
        shortest = std::min(shortest, flight(link));
    return shortest;
}

/// Simulates all ranks. The first scenario determines the order of events for all scenarios.
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
                 request.rendezvous != Network::kNever || request.levels.shared_adapters() != 0),
          traffic_(request.levels.levels()) {
        const RankOperations::Shared shared{file,
                                            survey,
                                            tree,
                                            threads_,
                                            common_,
                                            request.collectives,
                                            request.finds_any_source,
                                            request.fills_matrices,
                                            request.steps,
                                            request.times};
        for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
            Timeline& timeline = make_timeline(rank);
            own_.push_back(timeline.number);
            timeline.program = std::make_unique<RankOperations>(shared, rank);
            schedule(timeline);
        }
    }

    WalkResult run() {
        WalkEvent event;
        while (order_.take(event)) happen(event);
        return result();
    }

  private:
    Timeline& make_timeline(u32 rank) {
        if (free_timelines_.empty()) {
            free_timelines_.push_back(static_cast<u32>(timelines_.size()));
            timelines_.push_back(std::make_unique<Timeline>());
            timelines_.back()->number = free_timelines_.back();
        }
        Timeline& timeline = *timelines_[free_timelines_.back()];
        free_timelines_.pop_back();
        timeline.rank = rank;
        timeline.at = 0;
        timeline.over = false;
        timeline.turn = next_turn(rank);
        return timeline;
    }

    // Events.

    EventTurn next_turn(u32 rank) { return order_.next_turn(rank); }

    void schedule(const Timeline& timeline) {
        order_.add(timeline.rank,
                   {{0, timeline.turn}, timeline.number, WalkEvent::Kind::timeline, Via::own});
    }
    /// `turn`: of the send.
    void schedule_arrival(const NetworkMessage& transfer, u32 number, u32 arrival, EventTurn turn) {
        order_.add(transfer.to, {{clocks_.time_of(arrival), turn},
                                 number,
                                 WalkEvent::Kind::message,
                                 clocks_.via(transfer.to, transfer.level)});
    }

    void happen(const WalkEvent& event) {
        switch (event.kind) {
            case WalkEvent::Kind::timeline:
                advance(*timelines_[event.number]);
                break;
            case WalkEvent::Kind::send:
                begin_message(event.number);
                break;
            case WalkEvent::Kind::message:
                take_message(event.number);
                break;
        }
        // Resumed timelines may wake others.
        while (woken_ != nullptr) {
            Timeline& timeline = *std::exchange(woken_, nullptr);
            if (timeline.rank == order_.active() && is_next(timeline)) {
                advance(timeline);
            } else {
                schedule(timeline);
            }
        }
    }

    /// True if no other event of the rank precedes the timeline's next operation.
    [[nodiscard]] bool is_next(const Timeline& timeline) {
        if (woken_ != nullptr) schedule(*std::exchange(woken_, nullptr));
        return order_.is_next(timeline.turn);
    }

    // Operations.

    void advance(Timeline& timeline) {
        while (true) {
            if (timeline.at == timeline.operations.list.size() && !refill(timeline)) return;
            if (timeline.at == timeline.operations.list.size()) continue;
            if (!execute(timeline, timeline.operations.list[timeline.at])) return;
            ++timeline.at;
        }
    }

    /// False at the end.
    bool refill(Timeline& timeline) {
        if (!timeline.program) {
            end_branch(timeline);
            return false;
        }
        timeline.operations.clear();
        timeline.at = 0;
        const u64 ahead = timeline.program->calls() + kCallsAhead;
        while (timeline.has_calls && timeline.program->calls() < ahead) {
            timeline.has_calls = timeline.program->next(timeline.operations);
        }
        timeline.over = !timeline.has_calls && timeline.operations.list.empty();
        return !timeline.over;
    }

    /// False if it must wait and be executed again.
    bool execute(Timeline& timeline, const NetworkOperation& operation) {
        switch (operation.kind) {
            case NetworkOperation::Kind::compute:
                return compute(timeline, operation, CostKind::computation);
            case NetworkOperation::Kind::recorded:
                return compute(timeline, operation, CostKind::recorded);
            case NetworkOperation::Kind::send:
                return send(timeline, operation);
            case NetworkOperation::Kind::receive:
                return receive(timeline, operation);
            case NetworkOperation::Kind::branch:
                begin_branch(timeline, operation);
                return true;
            case NetworkOperation::Kind::wait:
                return wait(timeline, operation);
        }
        return true;
    }

    bool compute(Timeline& timeline, const NetworkOperation& operation, CostKind kind) {
        if (!is_next(timeline)) {
            schedule(timeline);
            return false;
        }
        const std::span<const PathTime> parts(timeline.operations.times.data() + operation.first,
                                              operation.count);
        timeline.turn = next_turn(timeline.rank);
        clocks_.compute(timeline.rank, parts, kind);
        return true;
    }

    // Sends.

    bool send(Timeline& timeline, const NetworkOperation& operation) {
        if (timeline.is_blocked) return go_on(timeline, operation.slot);
        const u32 level = request_.levels.between(timeline.rank, operation.peer);
        const Via via = clocks_.via(timeline.rank, level);
        const RankFree free = clocks_.free(timeline.rank);
        const bool has_to_wait = free.send(via) > free.processor;
        if (!has_to_wait && !is_next(timeline)) {
            schedule(timeline);
            return false;
        }
        ++traffic_[level].messages;
        traffic_[level].bytes += operation.bytes;
        const NetworkMessage transfer{timeline.rank, operation.peer, operation.bytes,
                                      operation.node, level};
        const bool has_rendezvous = operation.bytes > request_.rendezvous;
        if (operation.blocks && !has_to_wait && !has_rendezvous) {
            return send_at_once(timeline, transfer, operation.channel);
        }
        const u32 number = take_message_number();
        flying_[number] = {transfer, operation.channel, timeline.number, operation.slot,
                           kNone,    has_rendezvous};
        timeline.slot(operation.slot) = {true, false, kNone};
        if (has_to_wait) {
            order_.add(timeline.rank, {{0, timeline.turn}, number, WalkEvent::Kind::send, via});
            // Waiting operations proceed in order.
            timeline.turn = next_turn(timeline.rank);
        } else {
            begin_message(number);
        }
        return !operation.blocks || wait_for(timeline, operation.slot);
    }

    /// A blocking send that need not wait.
    bool send_at_once(Timeline& timeline, const NetworkMessage& transfer, u64 channel) {
        const EventTurn turn = next_turn(timeline.rank);
        const ScenarioClocks::Sent sent = clocks_.send(transfer, timeline.ready);
        const u32 number = take_message_number();
        flying_[number] = {transfer, channel, timeline.number, 0, sent.arrival, false};
        schedule_arrival(transfer, number, sent.arrival, turn);
        if (sent.done != kNone) adopt(timeline, sent.done);
        timeline.turn = next_turn(timeline.rank);
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
        Timeline& timeline = *timelines_[message.timeline];
        const EventTurn turn = next_turn(timeline.rank);
        const ScenarioClocks::Sent sent = clocks_.send(message.transfer, timeline.ready);
        message.moment = sent.arrival;
        schedule_arrival(message.transfer, number, sent.arrival, turn);
        timeline.slot(message.slot).moment = sent.done;
        if (!message.has_rendezvous) complete(timeline, message.slot);
    }

    // Receives.

    /// A message has arrived; processor and adapter are free.
    void take_message(u32 number) {
        const FlyingMessage message = flying_[number];
        free_messages_.push_back(number);
        clocks_.begin_processing(message.transfer, message.moment);
        const Mailbox::End end{message.has_rendezvous ? message.timeline : kNone, message.slot,
                               message.transfer.node, message.moment};
        const auto receiver = mailbox_.arrive(message.mailbox(), end);
        if (receiver && message.has_rendezvous) {
            release_sender(end, clocks_.copy_of(message.moment));
        }
        clocks_.process(message.transfer, message.moment,
                        receiver ? receiver->node : node_at(message.transfer.to));
        if (receiver) hand_over(*receiver, message.moment);
    }

    /// The current call of the rank.
    [[nodiscard]] u32 node_at(u32 rank) const {
        const Timeline& timeline = *timelines_[own_[rank]];
        return timeline.at < timeline.operations.list.size()
                   ? timeline.operations.list[timeline.at].node
                   : kNone;
    }

    bool receive(Timeline& timeline, const NetworkOperation& operation) {
        if (timeline.is_blocked) return go_on(timeline, operation.slot);
        const Mailbox::End receiver{timeline.number, operation.slot, operation.node, kNone};
        const auto message =
            mailbox_.post({operation.peer, timeline.rank, operation.channel}, receiver);
        if (message && message->timeline == kNone && operation.blocks) {
            adopt(timeline, message->moment);
            timeline.turn = next_turn(timeline.rank);
            return true;
        }
        timeline.slot(operation.slot) = {true, false, kNone};
        if (message && message->timeline != kNone) {
            const u32 posted = clocks_.present(timeline.rank);
            clocks_.delay(posted, message->moment);
            release_sender(*message, posted);
        }
        if (message) hand_over(receiver, message->moment);
        return !operation.blocks || wait_for(timeline, operation.slot);
    }

    void hand_over(const Mailbox::End& receiver, u32 moment) {
        Timeline& timeline = *timelines_[receiver.timeline];
        timeline.slot(receiver.slot).moment = moment;
        complete(timeline, receiver.slot);
    }

    /// A large message has met its receive: completes the send at that moment.
    void release_sender(const Mailbox::End& sender, u32 moment) {
        Timeline& timeline = *timelines_[sender.timeline];
        StrandSlot& slot = timeline.slot(sender.slot);
        if (slot.moment != kNone) {
            clocks_.delay(moment, slot.moment);
            clocks_.give_back(slot.moment);
        }
        slot.moment = moment;
        complete(timeline, sender.slot);
    }

    // Requests.

    void complete(Timeline& timeline, u32 number) {
        StrandSlot& slot = timeline.slot(number);
        slot.is_open = false;
        if (!slot.is_awaited) return;
        slot.is_awaited = false;
        if (--timeline.missing != 0) return;
        timeline.turn = next_turn(timeline.rank);
        if (woken_ != nullptr) schedule(*woken_);
        woken_ = &timeline;
    }

    /// Waits for one slot; false if incomplete: the operation is executed again on completion.
    bool wait_for(Timeline& timeline, u32 number) {
        StrandSlot& slot = timeline.slot(number);
        if (!slot.is_open) return go_on(timeline, number);
        timeline.is_blocked = true;
        slot.is_awaited = true;
        ++timeline.missing;
        return false;
    }

    bool wait(Timeline& timeline, const NetworkOperation& operation) {
        const std::span<const u32> numbers(timeline.operations.slots.data() + operation.first,
                                           operation.count);
        for (const u32 number : numbers) {
            StrandSlot& slot = timeline.slot(number);
            if (!slot.is_open) continue;
            slot.is_awaited = true;
            ++timeline.missing;
        }
        if (timeline.missing != 0) return false;
        for (const u32 number : numbers) adopt_end(timeline, number);
        timeline.turn = next_turn(timeline.rank);
        return true;
    }

    /// Resumes a timeline whose slots are complete.
    bool go_on(Timeline& timeline, u32 number) {
        timeline.is_blocked = false;
        adopt_end(timeline, number);
        timeline.turn = next_turn(timeline.rank);
        return true;
    }

    /// Advances to the completion of a request.
    void adopt_end(Timeline& timeline, u32 number) {
        const u32 moment = std::exchange(timeline.slot(number).moment, kNone);
        if (moment != kNone) adopt(timeline, moment);
    }

    void adopt(const Timeline& timeline, u32 moment) {
        if (timeline.ready == kNone) {
            clocks_.adopt(timeline.rank, moment);
        } else {
            clocks_.delay(timeline.ready, moment);
        }
        clocks_.give_back(moment);
    }

    // Non-blocking collective operations.

    void begin_branch(Timeline& timeline, const NetworkOperation& operation) {
        Timeline& branch = make_timeline(timeline.rank);
        branch.operations = std::move(*timeline.operations.branches[operation.first]);
        branch.parent = timeline.number;
        branch.parent_slot = operation.slot;
        branch.ready = clocks_.present(timeline.rank);
        timeline.slot(operation.slot) = {true, false, kNone};
        schedule(branch);
    }

    void end_branch(Timeline& branch) {
        Timeline& parent = *timelines_[branch.parent];
        branch.operations.clear();
        free_timelines_.push_back(branch.number);
        parent.slot(branch.parent_slot).moment = std::exchange(branch.ready, kNone);
        complete(parent, branch.parent_slot);
    }

    // The end.

    WalkResult result() {
        std::vector<RankOperations*> programs;
        std::vector<StuckRank> stuck;
        for (const u32 own : own_) {
            const Timeline& timeline = *timelines_[own];
            programs.push_back(timeline.program.get());
            if (!timeline.over) stuck.push_back({timeline.rank, timeline.program->has_threads()});
        }
        if (!stuck.empty()) refuse_stuck_ranks(stuck, request_.rendezvous);
        WalkResult result = walk_result(programs, file_.definitions().tick_rate(), clocks_);
        result.traffic = traffic_;
        return result;
    }

    TraceFile& file_;
    const WalkRequest& request_;
    TraceThreads threads_;
    CommonClock common_;
    ScenarioClocks clocks_;
    EventOrder order_;
    std::vector<std::unique_ptr<Timeline>> timelines_;  ///< addresses must be stable
    std::vector<u32> free_timelines_;
    std::vector<u32> own_;  ///< timeline of each rank
    std::vector<FlyingMessage> flying_;
    std::vector<u32> free_messages_;
    Timeline* woken_ = nullptr;  ///< timelines whose slots are complete
    Mailbox mailbox_;
    std::vector<WalkResult::Traffic> traffic_;  ///< by level
};

}  // namespace

WalkResult walk_timing(TraceFile& file, const CommunicationSurvey& survey,
                       const WalkRequest& request, CallTree& tree) {
    return TimingWalk(file, survey, request, tree).run();
}

}  // namespace tracefold
