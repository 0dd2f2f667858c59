// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "clocks/clock_walk.hpp"

#include "clocks/collective_order.hpp"
#include "replay/epoch_matching.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

using Kind = Action::Kind;

/// Members may have nothing for each other, which the records do not tell.
bool tells_who_sends_whom(CollectiveKind kind) {
    return kind != CollectiveKind::alltoallv && kind != CollectiveKind::alltoallw;
}

std::size_t place_of(const CollectiveInstances::Context& context,
                     const CollectiveInstances::Arrival& arrival) {
    const std::vector<u32>& members = context.members;
    return static_cast<std::size_t>(std::find(members.begin(), members.end(), arrival.rank) -
                                    members.begin());
}

}  // namespace

ClockWalk::ClockWalk(ProcessClocks& clocks, const DefinitionIndex& definitions,
                     const std::vector<u32>& locations, Task task, u64 latency)
    : clocks_(clocks),
      definitions_(definitions),
      locations_(locations),
      task_(task),
      latency_(latency),
      calls_(locations.size(), nullptr) {}

ClockWalk::Moment ClockWalk::moment(u32 walker, u64 time) const {
    const u32 location = locations_[walker];
    return {clocks_.process_of(location), clocks_.common(location, time)};
}

bool ClockWalk::is_open(CallPlace place) const {
    const MpiCall* const call = calls_[place.walker];
    return call != nullptr && call->index == place.index;
}

/// Of an action of an open call. What has no record takes place when the call ends.
ClockWalk::Moment ClockWalk::moment_of(CallPlace place) const {
    const MpiCall& call = *calls_[place.walker];
    const bool recorded = place.action < call.actions.size();
    return moment(place.walker, recorded ? call.actions[place.action].time : call.end);
}

/// What an order is judged by: jumps are all that there is while clocks are corrected.
u64 ClockWalk::compared(Moment moment) const {
    const ClockCorrection& clock = clocks_.corrections()[moment.process];
    return task_ == Task::count ? clock.corrected(moment.time) : clock.after_jumps(moment.time);
}

void ClockWalk::began(u32 walker, const MpiCall& call) {
    calls_[walker] = &call;
    for (u32 i = 0; i < call.actions.size(); ++i) {
        const Action& action = call.actions[i];
        const CallPlace here{walker, call.index, i};
        if (action.kind == Kind::send) sent_[here] = moment(walker, action.time);
        if (action.kind == Kind::post_collective) posted_[here] = moment(walker, call.begin);
        const u64 partners = epoch_partners(definitions_, call, action);
        if (partners != 0) epochs_[call_of(here)] = {moment(walker, call.begin), partners};
    }
}

/// MPI_Win_complete may return before the window is exposed only if an implementation keeps what is
/// put until then, which none in use does.
void ClockWalk::synchronised(CallPlace waiting, CallPlace partner) {
    EpochCall* const found = epochs_.find(call_of(partner));
    if (found == nullptr) return;
    order(found->begin, moment(waiting.walker, calls_[waiting.walker]->end));
    if (--found->partners == 0) epochs_.erase(call_of(partner));
}

void ClockWalk::matched(CallPlace sender, CallPlace receiver) {
    if (const std::optional<Moment> sent = sent_.take(sender)) travelling_[receiver] = *sent;
}

void ClockWalk::completed(CallPlace receiver, CallPlace completion) {
    const std::optional<Moment> sent = travelling_.take(receiver);
    if (sent) order(*sent, moment_of(completion));
}

void ClockWalk::order(Moment earlier, Moment later) {
    if (earlier.process == later.process) return;
    if (task_ == Task::correct) {
        std::vector<ClockCorrection>& corrections = clocks_.corrections();
        jump(later, compared(earlier));
        corrections[earlier.process].limit(earlier.time, compared(later) - latency_);
        return;
    }
    ++order_.messages;
    if (in_wrong_order(later, compared(earlier))) ++order_.early_messages;
}

/// Whether something ended before `begun`, what it needs, by corrected clocks.
bool ClockWalk::in_wrong_order(Moment end, u64 begun) {
    const u64 time = compared(end);
    if (time < begun + latency_) order_.agrees = false;
    return time < begun;
}

void ClockWalk::jump(Moment end, u64 begun) {
    if (clocks_.corrections()[end.process].jump(end.time, begun + latency_)) ++jumps_;
}

void ClockWalk::matched_collective(const CollectiveInstances::Context& context,
                                   const CollectiveInstances::Instance& instance) {
    if (has_an_order(context, instance)) {
        seat(context, instance);
        return;
    }
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        posted_.erase(arrival.place);
    }
}

/// Whoever frees a communicator need not wait for the others. Groups that a collective operation
/// is between have orders of their own, which are not looked at.
bool ClockWalk::has_an_order(const CollectiveInstances::Context& context,
                             const CollectiveInstances::Instance& instance) const {
    const bool of_window = (context.key & kWindowContext) != 0;
    const CommunicatorDefinition* comm = definitions_.communicator(instance.part.comm);
    if (comm != nullptr && comm->inter) return false;
    if (!tells_who_sends_whom(instance.part.kind)) return false;
    if (!instance.alike || (!of_window && destroys_handle(instance.part.kind))) return false;
    return needs_others(instance);
}

ClockWalk::Moment ClockWalk::take_begin(CallPlace place) {
    if (const std::optional<Moment> posted = posted_.take(place)) return *posted;
    return moment(place.walker, calls_[place.walker]->begin);
}

/// All members have begun; those that wait for it have also ended.
void ClockWalk::seat(const CollectiveInstances::Context& context,
                     const CollectiveInstances::Instance& instance) {
    const std::size_t size = context.members.size();
    const auto meeting = std::make_shared<Meeting>();
    meeting->need = collective_need(instance.part.kind);
    meeting->root = instance.part.root;
    meeting->members.resize(size);
    meeting->missing = instance.present.size();
    std::vector<u64> begins(size, 0);
    std::vector<std::pair<std::size_t, CallPlace>> ended;
    // Where data moves, who sends nothing is needed by nobody, and who receives nothing needs
    // nobody.
    const bool moves = moves_data(instance.part.kind);
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        const std::size_t member = place_of(context, arrival);
        const bool blocks = !posted_.contains(arrival.place);
        const bool is_known = member < size && (!blocks || is_open(arrival.place));
        if (!is_known) {
            --meeting->missing;
            continue;
        }
        Member& it = meeting->members[member];
        it.begin = take_begin(arrival.place);
        it.is_needed = !moves || arrival.sent != 0;
        it.needs = !moves || arrival.received != 0;
        if (it.is_needed) begins[member] = compared(it.begin);
        if (blocks) {
            ended.emplace_back(member, arrival.place);
        } else {
            seats_[arrival.place] = {meeting, member};
        }
    }
    const std::vector<u64> needed = latest_needed(meeting->need, begins, meeting->root);
    for (std::size_t i = 0; i < size; ++i) meeting->members[i].needed = needed[i];
    for (const auto& [member, place] : ended) end(*meeting, member, moment_of(place));
}

void ClockWalk::completed_collective(CallPlace post, CallPlace completion) {
    const std::optional<Seat> seat = seats_.take(post);
    if (seat) end(*seat->meeting, seat->member, moment_of(completion));
}

void ClockWalk::end(Meeting& meeting, std::size_t member, Moment when) {
    Member& it = meeting.members[member];
    if (it.needs && it.needed != 0) {
        if (task_ == Task::correct) jump(when, it.needed);
        if (task_ == Task::count && in_wrong_order(when, it.needed)) meeting.early = true;
        it.end = compared(when);
    }
    if (--meeting.missing == 0) close(meeting);
}

void ClockWalk::close(const Meeting& meeting) {
    if (task_ == Task::count) {
        ++order_.collectives;
        order_.early_collectives += meeting.early ? 1 : 0;
        return;
    }
    std::vector<u64> ends;
    for (const Member& it : meeting.members) ends.push_back(it.end);
    ends = earliest_to_need(meeting.need, ends, meeting.root);
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const Member& it = meeting.members[i];
        if (!it.is_needed || ends[i] == kNever) continue;
        clocks_.corrections()[it.begin.process].limit(it.begin.time, ends[i] - latency_);
    }
}

}  // namespace tracefold
