// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/unrecorded_requests.hpp"

namespace tracefold {

namespace {

/// Such calls wait for one request, which a record names if it was that of a message.
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

}  // namespace tracefold
