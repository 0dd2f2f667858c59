// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/completion_runs.hpp"

#include <algorithm>

namespace tracefold::inline proxy {

namespace {

constexpr u64 kMostCalls = 4096;

bool completes_request(const Action& action) {
    return action.kind == Action::Kind::complete_send ||
           action.kind == Action::Kind::complete_receive ||
           action.kind == Action::Kind::complete_collective;
}

}  // namespace

bool CompletionRuns::may_be_in_run(const MpiCall& call) const {
    return functions_.contains(call.function) && call.treatment != MpiCall::Treatment::left_out &&
           std::ranges::all_of(call.actions, [](const Action& action) {
               return completes_request(action) || action.kind == Action::Kind::tested;
           });
}

bool CompletionRuns::next(MpiCall& call) {
    begins_ = false;
    if (!ahead_.empty()) {
        call = ahead_.front();
        ahead_.pop_front();
        return true;
    }
    if (held_) {
        call = *held_;
        call.actions = held_actions_;
        held_.reset();
    } else if (!source_(call)) {
        return false;
    }
    if (may_be_in_run(call)) read_run(call);
    return true;
}

void CompletionRuns::read_run(MpiCall& first) {
    run_ = {};
    run_.function = first.function;
    add(first);
    for (MpiCall call; source_(call);) {
        if (run_.calls == kMostCalls || !may_be_in_run(call)) {
            held_ = call;
            held_actions_.assign(call.actions.begin(), call.actions.end());
            break;
        }
        add(call);
        ahead_.push_back(call);
    }
    begins_ = !run_.requests.empty();
}

void CompletionRuns::add(MpiCall& call) {
    ++run_.calls;
    for (const Action& action : call.actions) {
        if (completes_request(action)) run_.requests.push_back(action.request);
    }
    call.actions = {};
}

}  // namespace tracefold::inline proxy
