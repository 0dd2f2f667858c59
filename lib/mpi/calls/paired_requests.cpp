// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/calls/paired_requests.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Calls that wait for a decision; the oldest post then gets no request.
constexpr std::size_t kMostEntries = std::size_t{1} << 16U;

bool is_send(const Action& action) {
    return action.kind == Action::Kind::send && action.request == kNoRequest;
}

bool is_receive(const Action& action) {
    return action.kind == Action::Kind::receive && action.message == kNoMessage;
}

bool posts_send(const MpiCall& call, std::span<const Action> actions) {
    return call.family == CallFamily::post_send && actions.size() == 1 && is_send(actions.front());
}

bool posts_receive(const MpiCall& call, std::span<const Action> actions) {
    return call.family == CallFamily::post_receive && actions.empty();
}

bool ends_all(MpiFunction function) {
    return function == MpiFunction::Waitall || function == MpiFunction::Testall;
}

}  // namespace

bool PairedRequests::concerns(const MpiCall& call, std::span<const Action> actions) {
    return call.family == CallFamily::completion || posts_send(call, actions) ||
           posts_receive(call, actions);
}

void PairedRequests::apply(const MpiCall& call, std::vector<Action>& actions) {
    while (entries_.empty() || !entries_.front().decided) {
        if (entries_.size() < kMostEntries && read()) continue;
        if (entries_.empty()) return;
        give_up_oldest();
    }
    const Entry known = std::move(entries_.front());
    entries_.pop_front();
    ++first_;
    if (posts_send(call, actions)) {
        actions.front().request = known.request;
    } else if (posts_receive(call, actions)) {
        if (known.request == kNoRequest) return;
        Action& action = actions.emplace_back();
        action.kind = Action::Kind::post_receive;
        action.type = EventType::MpiIrecvRequest;
        action.time = call.begin;
        action.request = known.request;
        action.envelope = known.envelope;
    } else {
        std::size_t next = 0;
        for (Action& action : actions) {
            if (!is_receive(action) || next == known.receives.size()) continue;
            action.request = known.receives[next++];
            if (action.request != kNoRequest) action.kind = Action::Kind::complete_receive;
        }
        for (const u64 request : known.sends) {
            Action& action = actions.emplace_back();
            action.kind = Action::Kind::complete_send;
            action.type = EventType::MpiIsendComplete;
            action.time = call.end;
            action.request = request;
        }
    }
}

/// Reads one call; false at the end.
bool PairedRequests::read() {
    MpiCall call;
    at_end_ = at_end_ || !program_(call);
    if (at_end_) return false;
    if (!concerns(call, call.actions)) return true;
    const bool sends = posts_send(call, call.actions);
    if (sends) end_claim();
    entries_.emplace_back();
    ++next_;
    if (sends || posts_receive(call, call.actions)) {
        post(sends);
    } else {
        complete(call);
    }
    return true;
}

void PairedRequests::post(bool sends) {
    if (!sends && drops_) drop_receives();
    entries_.back().request = request_++;
    (sends ? sends_ : receives_).push_back(next_ - 1);
}

void PairedRequests::complete(const MpiCall& call) {
    entries_.back().decided = true;
    finish_receives(call);
    finish_sends(call);
    if (ends_all(call.function)) ended_ = receives_.size();
}

/// The oldest receive ends.
PairedRequests::Entry& PairedRequests::end_receive() {
    Entry& posted = entry(receives_.front());
    receives_.pop_front();
    if (ended_ != 0) --ended_;
    posted.decided = true;
    return posted;
}

void PairedRequests::finish_receives(const MpiCall& call) {
    Entry& here = entries_.back();
    for (const Action& action : call.actions) {
        if (!is_receive(action)) continue;
        here.receives.push_back(kNoRequest);
        if (receives_.empty()) continue;
        Entry& posted = end_receive();
        posted.envelope = action.envelope;
        here.receives.back() = posted.request;
    }
}

void PairedRequests::finish_sends(const MpiCall& call) {
    const bool has_receives = !entries_.back().receives.empty();
    const u64 number = next_ - 1;
    if (has_receives) {
        if (!ends_all(call.function) || sends_.empty()) return;
        // A later call may name the sends alone.
        if (claim_ != kNoEntry) entry(claim_).decided = true;
        claim_ = number;
        entry(claim_).decided = false;
    } else if (call.function == MpiFunction::Waitall) {
        take_sends(number, sends_.size());
    } else if (call.actions.empty() && !is_poll(call.function)) {
        if (!sends_.empty()) return take_sends(number, 1);
        if (drops_ && !receives_.empty()) end_receive().request = kNoRequest;
    }
}

/// The call completes the oldest sends.
void PairedRequests::take_sends(u64 number, std::size_t count) {
    for (; count != 0; --count) {
        Entry& posted = entry(sends_.front());
        sends_.pop_front();
        posted.decided = true;
        entry(number).sends.push_back(posted.request);
    }
    if (!sends_.empty() || claim_ == kNoEntry) return;
    entry(claim_).decided = true;
    claim_ = kNoEntry;
}

void PairedRequests::end_claim() {
    if (claim_ != kNoEntry) take_sends(claim_, sends_.size());
}

void PairedRequests::drop_receives() {
    while (ended_ != 0) end_receive().request = kNoRequest;
}

/// The oldest call has to be decided now.
void PairedRequests::give_up_oldest() {
    end_claim();
    if (entries_.front().decided) return;
    if (!sends_.empty() && sends_.front() == first_) {
        sends_.pop_front();
        entries_.front().decided = true;
    } else {
        end_receive();
    }
    entries_.front().request = kNoRequest;
}

UnpairedRequests find_unpaired_requests(const std::function<bool(MpiCall&)>& program) {
    UnpairedRequests found;
    u64 posted = 0;
    u64 received = 0;
    for (MpiCall call; program(call);) {
        if (posts_receive(call, call.actions)) ++posted;
        found.any = found.any || posts_send(call, call.actions);
        if (call.family != CallFamily::completion) continue;
        received += static_cast<u64>(std::ranges::count_if(call.actions, is_receive));
    }
    found.any = found.any || received != 0;
    found.drops = posted > received;
    return found;
}

}  // namespace tracefold
