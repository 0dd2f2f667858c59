// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/clocks/clock_walk.hpp"

#include "base/types.hpp"
#include "mpi/epoch_matching.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

/// The remainder of a correction after some time.
u64 faded(u64 lift, u64 elapsed) {
    const u64 gone = elapsed / ClockCorrection::kSlope;
    return lift > gone ? lift - gone : 0;
}

}  // namespace

u64 ClockCorrection::jumped(u64 time) const {
    if (corners_.empty() || time < corners_.front().time) return 0;
    const auto next = std::upper_bound(corners_.begin(), corners_.end(), time,
                                       [](u64 t, const Corner& it) { return t < it.time; });
    const Corner& last = *(next - 1);
    return faded(last.lift, time - last.time);
}

/// Rounded down: passes no limit, and preserves the order of times.
u64 ClockCorrection::on_line(const Corner& a, const Corner& b, u64 time) {
    const u128 length = b.time - a.time;
    const u128 past = time - a.time;
    if (b.lift >= a.lift) return a.lift + static_cast<u64>((b.lift - a.lift) * past / length);
    return a.lift - static_cast<u64>(((a.lift - b.lift) * past + length - 1) / length);
}

u64 ClockCorrection::on_rise(const Rise& rise, u64 time) {
    const auto next = std::upper_bound(rise.begin() + 1, rise.end() - 1, time,
                                       [](u64 t, const Corner& it) { return t < it.time; });
    return on_line(*(next - 1), *next, time);
}

std::size_t ClockCorrection::rise_at(u64 time) const {
    const auto next = std::upper_bound(rises_.begin(), rises_.end(), time,
                                       [](u64 t, const Rise& it) { return t < it.front().time; });
    if (next == rises_.begin() || time >= (next - 1)->back().time) return rises_.size();
    return static_cast<std::size_t>(next - rises_.begin()) - 1;
}

u64 ClockCorrection::corrected(u64 time) const {
    const std::size_t rise = rise_at(time);
    const u64 jump = jumped(time);
    return time + (rise == rises_.size() ? jump : std::max(jump, on_rise(rises_[rise], time)));
}

bool ClockCorrection::jump(u64 time, u64 least) {
    if (after_jumps(time) >= least) return false;
    const u64 lift = least - time;
    auto place = std::lower_bound(corners_.begin(), corners_.end(), time,
                                  [](const Corner& it, u64 t) { return it.time < t; });
    // Removes later corners that this one covers.
    auto end = place;
    while (end != corners_.end() && end->lift <= faded(lift, end->time - time)) ++end;
    place = corners_.erase(place, end);
    corners_.insert(place, {time, lift});
    return true;
}

/// The begin of the rise to a corner; `corner` becomes the first one below it.
u64 ClockCorrection::begin_of_rise(std::size_t& corner) const {
    const Corner top = corners_[corner];
    const auto line = [&top](u64 time) { return faded(top.lift, top.time - time); };
    u64 high = top.time;
    while (corner > 0 && line(corners_[corner - 1].time) >= corners_[corner - 1].lift) {
        high = corners_[--corner].time;
    }
    u64 low = corner > 0 ? corners_[corner - 1].time
                         : top.time - std::min(top.time, kSlope * (top.lift + 1));
    // The line rises and the remainder of the previous corner falls.
    while (low < high) {
        const u64 middle = low + (high - low) / 2;
        if (line(middle) > jumped(middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void ClockCorrection::spread() {
    rises_.clear();
    for (std::size_t corner = corners_.size(); corner > 0;) {
        const Corner top = corners_[--corner];
        const u64 begin = begin_of_rise(corner);
        if (begin >= top.time) continue;
        rises_.push_back({{begin, jumped(begin)}, top});
    }
    std::reverse(rises_.begin(), rises_.end());
}

void ClockCorrection::limit(u64 time, u64 most) {
    const std::size_t number = rise_at(time);
    if (number == rises_.size() || time == rises_[number].front().time) return;
    Rise& rise = rises_[number];
    const Corner added{time, most - time};
    if (on_rise(rise, time) <= added.lift) return;
    auto next = std::lower_bound(rise.begin(), rise.end(), time,
                                 [](const Corner& it, u64 t) { return it.time < t; });
    if (next->time == time) {
        next->lift = added.lift;
    } else {
        next = rise.insert(next, added);
    }
    // Removes points that the new corner makes concave.
    while (next + 1 != rise.end() && next + 2 != rise.end() &&
           (next + 1)->lift >= on_line(*next, *(next + 2), (next + 1)->time)) {
        rise.erase(next + 1);
    }
    while (next != rise.begin() && next - 1 != rise.begin() &&
           (next - 1)->lift >= on_line(*(next - 2), *next, (next - 1)->time)) {
        next = rise.erase(next - 1);
    }
}

ProcessClocks::ProcessClocks(TraceFile& file) {
    const DefinitionIndex& definitions = file.definitions();
    std::unordered_map<u64, u32> numbers;  // by rank, or by location group without a rank
    for (u32 location = 0; location < file.location_count(); ++location) {
        const LocationDefinition& definition = definitions.locations()[location];
        const std::optional<u32> rank = definitions.world_rank(definition);
        const u64 key = rank ? *rank : definitions.world_size() + definition.group;
        const auto number = static_cast<u32>(numbers.size());
        process_of_.push_back(numbers.try_emplace(key, number).first->second);
        maps_.emplace_back(file, location);
    }
    corrections_.resize(numbers.size());
}

namespace {

using Kind = Action::Kind;

/// False if members may exchange no data, which the records do not show.
/// Operations whose members may not wait for each other have no order, nor have those between
/// groups, which are not checked.
bool has_an_order(const CollectiveInstances::Context& context,
                  const CollectiveInstances::Instance& instance, const CollectiveNeeds& needs) {
    if (context.is_inter() || !instance.alike || needs.basis() == NeedBasis::unknown) return false;
    for (std::size_t member = 0; member < needs.size(); ++member) {
        if (needs.takes(member)) return true;
    }
    return false;
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

ClockWalk::TimePoint ClockWalk::moment(u32 walker, u64 time) const {
    const u32 location = locations_[walker];
    return {clocks_.process_of(location), clocks_.common(location, time)};
}

bool ClockWalk::is_open(CallPlace place) const {
    const MpiCall* const call = calls_[place.walker];
    return call != nullptr && call->index == place.index;
}

/// The time of an action of an open call; without a record, the end of the call.
ClockWalk::TimePoint ClockWalk::moment_of(CallPlace place) const {
    const MpiCall& call = *calls_[place.walker];
    const bool recorded = place.action < call.actions.size();
    return moment(place.walker, recorded ? call.actions[place.action].time : call.end);
}

/// The time for comparisons: while clocks are corrected, with jumps only.
u64 ClockWalk::compared(TimePoint moment) const {
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

/// MPI_Win_complete could return before the window is exposed if an implementation buffered the
/// data; no implementation in use does.
void ClockWalk::synchronised(CallPlace waiting, CallPlace partner) {
    EpochCall* const found = epochs_.find(call_of(partner));
    if (found == nullptr) return;
    order(found->begin, moment(waiting.walker, calls_[waiting.walker]->end));
    if (--found->partners == 0) epochs_.erase(call_of(partner));
}

void ClockWalk::matched(CallPlace sender, CallPlace receiver) {
    if (const std::optional<TimePoint> sent = sent_.take(sender)) travelling_[receiver] = *sent;
}

void ClockWalk::completed(CallPlace receiver, CallPlace completion) {
    const std::optional<TimePoint> sent = travelling_.take(receiver);
    if (sent) order(*sent, moment_of(completion));
}

void ClockWalk::order(TimePoint earlier, TimePoint later) {
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

/// True if `end` precedes `begun`, which it needs, by corrected clocks.
bool ClockWalk::in_wrong_order(TimePoint end, u64 begun) {
    const u64 time = compared(end);
    if (time < begun + latency_) order_.agrees = false;
    return time < begun;
}

void ClockWalk::jump(TimePoint end, u64 begun) {
    if (clocks_.corrections()[end.process].jump(end.time, begun + latency_)) ++jumps_;
}

void ClockWalk::matched_collective(const CollectiveInstances::Context& context,
                                   const CollectiveInstances::Instance& instance) {
    const CollectiveNeeds needs(context, instance);
    if (has_an_order(context, instance, needs)) {
        seat(context, instance, needs);
        return;
    }
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        posted_.erase(arrival.place);
    }
}

ClockWalk::TimePoint ClockWalk::take_begin(CallPlace place) {
    if (const std::optional<TimePoint> posted = posted_.take(place)) return *posted;
    return moment(place.walker, calls_[place.walker]->begin);
}

/// All members have begun; the waiting ones have also ended.
void ClockWalk::seat(const CollectiveInstances::Context& context,
                     const CollectiveInstances::Instance& instance, const CollectiveNeeds& needs) {
    const std::size_t size = context.members.size();
    const auto meeting = std::make_shared<Meeting>();
    meeting->need = needs.need();
    meeting->root = needs.root();
    meeting->members.resize(size);
    meeting->missing = instance.present.size();
    std::vector<u64> begins(size, 0);
    std::vector<std::pair<std::size_t, CallPlace>> ended;
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        const std::size_t member = context.member(arrival.rank);
        const bool blocks = !posted_.contains(arrival.place);
        const bool is_known = member < size && (!blocks || is_open(arrival.place));
        if (!is_known) {
            --meeting->missing;
            continue;
        }
        Member& it = meeting->members[member];
        it.begin = take_begin(arrival.place);
        it.is_needed = needs.gives(member);
        it.needs = needs.takes(member);
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

void ClockWalk::end(Meeting& meeting, std::size_t member, TimePoint when) {
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

namespace {

/// At each place: `best` of the values at all places before it (or after it), or `none`.
template <class Best>
void add_before(std::span<const u64> values, u64 none, std::vector<u64>& result, Best best) {
    u64 so_far = none;
    for (std::size_t i = 0; i < values.size(); ++i) {
        result[i] = best(result[i], so_far);
        so_far = best(so_far, values[i]);
    }
}

template <class Best>
void add_after(std::span<const u64> values, u64 none, std::vector<u64>& result, Best best) {
    u64 so_far = none;
    for (std::size_t i = values.size(); i-- > 0;) {
        result[i] = best(result[i], so_far);
        so_far = best(so_far, values[i]);
    }
}

/// The root gets the best of all others.
template <class Best>
void add_to_root(std::span<const u64> values, u32 root, std::vector<u64>& result, Best best) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i != root) result[root] = best(result[root], values[i]);
    }
}

/// All others get the root's value.
void add_from_root(std::span<const u64> values, u32 root, std::vector<u64>& result) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i != root) result[i] = values[root];
    }
}

u64 later(u64 a, u64 b) { return std::max(a, b); }
u64 earlier(u64 a, u64 b) { return std::min(a, b); }

}  // namespace

std::vector<u64> latest_needed(CollectiveNeed need, std::span<const u64> begins, u32 root) {
    std::vector<u64> result(begins.size(), 0);
    const bool rooted = root < begins.size();
    if (need == CollectiveNeed::root && rooted) add_from_root(begins, root, result);
    if (need == CollectiveNeed::members && rooted) add_to_root(begins, root, result, later);
    const bool everybody = need == CollectiveNeed::everybody;
    if (everybody || need == CollectiveNeed::lower) add_before(begins, 0, result, later);
    if (everybody) add_after(begins, 0, result, later);
    return result;
}

std::vector<u64> earliest_to_need(CollectiveNeed need, std::span<const u64> ends, u32 root) {
    constexpr u64 kNever = ~u64{0};
    std::vector<u64> result(ends.size(), kNever);
    const bool rooted = root < ends.size();
    if (need == CollectiveNeed::root && rooted) add_to_root(ends, root, result, earlier);
    if (need == CollectiveNeed::members && rooted) add_from_root(ends, root, result);
    const bool everybody = need == CollectiveNeed::everybody;
    if (everybody || need == CollectiveNeed::lower) add_after(ends, kNever, result, earlier);
    if (everybody) add_before(ends, kNever, result, earlier);
    return result;
}

}  // namespace tracefold
