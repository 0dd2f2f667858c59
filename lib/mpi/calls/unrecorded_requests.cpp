// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/calls/unrecorded_requests.hpp"

namespace tracefold {

namespace {

/// Such a call waits for one request; for a message, a record names it.
bool waits_for_one(MpiFunction function) {
    return function == MpiFunction::Wait || function == MpiFunction::Waitany;
}

bool waits_for_all(MpiFunction function) {
    return function == MpiFunction::Waitall || function == MpiFunction::Waitsome;
}

}  // namespace

bool UnrecordedRequests::posts(std::span<const Action> actions) {
    return !actions.empty() && actions.back().unrecorded &&
           actions.back().kind == Action::Kind::post_collective;
}

bool UnrecordedRequests::concerns(const MpiCall& call, std::span<const Action> actions) const {
    if (posts(actions)) return true;
    if (outstanding_.empty()) return false;
    return waits_for_all(call.function) || (waits_for_one(call.function) && actions.empty());
}

void UnrecordedRequests::apply(const MpiCall& call, std::vector<Action>& actions) {
    if (posts(actions)) {
        actions.back().request = next_;
        outstanding_.push_back({next_++, actions.back().part});
        return;
    }
    const std::size_t count = waits_for_all(call.function) ? outstanding_.size() : 1;
    for (std::size_t i = 0; i < count; ++i) complete(call.end, actions);
}

void UnrecordedRequests::complete(u64 time, std::vector<Action>& actions) {
    Action& action = actions.emplace_back();
    action.kind = Action::Kind::complete_collective;
    action.type = EventType::NonBlockingCollectiveComplete;
    action.unrecorded = true;
    action.time = time;
    action.request = outstanding_.front().request;
    action.part = outstanding_.front().part;
    outstanding_.pop_front();
}

namespace {

bool is_matched(MpiFunction function) {
    return function == MpiFunction::Mprobe || function == MpiFunction::Improbe;
}

bool may_receive(CallFamily family) {
    return family == CallFamily::receive || family == CallFamily::send_receive ||
           family == CallFamily::post_receive || family == CallFamily::start;
}

/// The message received by a call; comm kNone if it is not received now.
bool receives(const MpiCall& call, Envelope& envelope) {
    const bool outside = call.patch_effect == MpiCall::PatchEffect::outside;
    envelope = {};
    if (call.family == CallFamily::matched_receive && call.actions.empty()) {
        if (!outside) envelope = call.inferred;
        return true;
    }
    for (const Action& action : call.actions) {
        const bool posts = action.kind == Action::Kind::post_receive && action.known;
        if (!posts && action.kind != Action::Kind::receive) continue;
        if (!outside) envelope = action.envelope;
        return true;
    }
    return call.dropped && may_receive(call.family);
}

}  // namespace

/// Reads up to the next receive; false at the end.
bool ProbeDetector::read() {
    MpiCall call;
    while (!at_end_) {
        at_end_ = !program_(call);
        if (at_end_) break;
        if (call.family == CallFamily::probe) {
            last_probe_[is_matched(call.function) ? 1 : 0] = call.index;
        }
        Receive receive;
        if (!receives(call, receive.envelope)) continue;
        receive.index = call.index;
        receive.matched = call.family == CallFamily::matched_receive;
        receive.last_probe = last_probe_[receive.matched ? 1 : 0];
        ahead_.push_back(receive);
        return true;
    }
    return false;
}

ProbeDetector::Receive* ProbeDetector::next_receive(u64 after, bool matched) {
    while (!ahead_.empty() && ahead_.front().index <= after) ahead_.pop_front();
    for (std::size_t i = 0; i < ahead_.size() || read(); ++i) {
        // The buffer may hold receives before the probe.
        if (ahead_[i].index <= after || ahead_[i].matched != matched) continue;
        if (!ahead_[i].claimed) return &ahead_[i];
    }
    return nullptr;
}

void ProbeDetector::look(MpiCall& probe) {
    const bool matched = is_matched(probe.function);
    const bool polls =
        probe.function == MpiFunction::Iprobe || probe.function == MpiFunction::Improbe;
    Receive* receive = next_receive(probe.index, matched);
    probe.patch_effect = MpiCall::PatchEffect::left_out;
    if (receive == nullptr || receive->envelope.comm == kNone) {
        // A matched probe without a message has the source MPI_PROC_NULL.
        if (receive != nullptr && !polls) receive->claimed = matched;
        return;
    }
    probe.patch_effect = MpiCall::PatchEffect::inferred;
    probe.inferred = receive->envelope;
    probe.found = !polls || receive->last_probe == probe.index;
    if (matched && probe.found) receive->claimed = true;
}

}  // namespace tracefold
