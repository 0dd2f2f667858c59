// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/repeated_calls.hpp"

#include <algorithm>

namespace tracefold {

void RepeatedCalls::forget() {
    calls_.clear();
    actions_.clear();
    places_.clear();
    groups_.clear();
}

bool RepeatedCalls::at_turn() {
    switch (finder_.at_turn()) {
        case Repeat::none:
            return false;
        case Repeat::marked:
            forget();
            return false;
        case Repeat::again:
            break;
    }
    if (calls_.empty()) {
        finder_.give_up();
        return false;
    }
    finder_.accept();
    come_again(finder_.cycle());
    return true;
}

void RepeatedCalls::come_again(const CallUnwinder::Cycle& cycle) {
    request_step_ = cycle.request_step;
    unwinder_.leave_out(cycle, groups_.size());
    times_.begin(groups_, cycle.times, stream_.reads_times());
    ++number_;
    left_ = cycle.times;
    outermost_ = finder_.is_outermost();
    call_ = 0;
}

void RepeatedCalls::note_call(const MpiCall& mpi_call, const Extent& extent,
                              std::span<const Action> actions, std::span<const u64> places) {
    if (!finder_.is_looking()) return;
    if (calls_.size() == most_calls_ || actions_.size() + actions.size() > 2 * most_calls_) {
        finder_.give_up();
        return;
    }
    actions_.insert(actions_.end(), actions.begin(), actions.end());
    places_.insert(places_.end(), places.begin(), places.end());
    calls_.push_back({mpi_call.function, mpi_call.family, mpi_call.by_records, mpi_call.region,
                      extent, actions_.size()});
}

void RepeatedCalls::read_times() {
    at_hand_ = times_.next(
        [this](std::span<const u32> groups, u64* times) { stream_.pass(groups, times); });
}

void RepeatedCalls::Iteration::tell(std::size_t call, MpiCall& out) const {
    const Call& told = calls[call];
    const u64 first_action = call == 0 ? 0 : calls[call - 1].actions_end;
    out.function = told.function;
    out.family = told.family;
    out.by_records = told.by_records;
    out.region = told.region;
    out.begin = times[told.extent.begin];
    out.end = times[told.extent.end];
    out.actions = actions.subspan(first_action, told.actions_end - first_action);
}

void RepeatedCalls::next(MpiCall& mpi_call) {
    if (call_ == 0) read_times();
    iteration().tell(call_, mpi_call);
    const u64 actions_end = calls_[call_].actions_end;
    for (u64 i = actions_end - mpi_call.actions.size(); i < actions_end; ++i) {
        if (actions_[i].request != kNoRequest) actions_[i].request += request_step_;
        actions_[i].time = at_hand_[places_[i]];
    }
    if (++call_ < calls_.size()) return;
    call_ = 0;
    --left_;
}

RepeatedCalls::Iteration RepeatedCalls::next_iteration() {
    read_times();
    pass_requests(1);
    --left_;
    return iteration();
}

void RepeatedCalls::pass_requests(u64 iterations) {
    for (Action& action : actions_) {
        if (action.request != kNoRequest) action.request += iterations * request_step_;
    }
}

void RepeatedCalls::leave_out(u64 iterations) {
    pass_requests(iterations);
    left_ -= iterations;
}

void RepeatedCalls::read_extents(u64* times) {
    std::size_t place = call_;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        if (place == 0) read_times();
        const Extent& extent = calls_[place].extent;
        *times++ = at_hand_[extent.begin];
        *times++ = at_hand_[extent.end];
        place = place + 1 == calls_.size() ? 0 : place + 1;
    }
}

}  // namespace tracefold
