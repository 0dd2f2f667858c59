// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/completion_runs.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u64 kMostCalls = 4096;

bool completes_request(const Action& action) {
    return action.ends_request() && action.kind != Action::Kind::cancelled;
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

void CompletionIdiomDetector::begin_rank() {
    outstanding_.clear();
    left_.clear();
}

void CompletionIdiomDetector::add(const MpiCall& call, const CompletionRun* run) {
    for (const Action& action : call.actions) {
        if (!action.posts_request()) {
            complete(action.request);
        } else if (action.request != kNoRequest && action.known) {
            if (outstanding_.emplace(action.request, action.kind).second) ++left_[action.kind];
        }
    }
    if (run == nullptr) return;
    std::set<Kind> kinds;
    for (const u64 request : run->requests) {
        const auto known = outstanding_.find(request);
        if (known != outstanding_.end()) kinds.insert(known->second);
        complete(request);
    }
    const bool all = std::ranges::any_of(kinds, [this](Kind kind) { return left_[kind] == 0; });
    surplus_[run->function] += all ? 1 : -1;
}

void CompletionIdiomDetector::complete(u64 request) {
    const auto known = outstanding_.find(request);
    if (known == outstanding_.end()) return;
    --left_[known->second];
    outstanding_.erase(known);
}

std::set<MpiFunction> CompletionIdiomDetector::functions() const {
    std::set<MpiFunction> functions;
    for (const auto& [function, surplus] : surplus_) {
        if (surplus > 0) functions.insert(function);
    }
    return functions;
}

std::set<MpiFunction> CompletionIdiomDetector::candidates() {
    return {MpiFunction::Waitany, MpiFunction::Waitsome, MpiFunction::Testany,
            MpiFunction::Testsome};
}

}  // namespace tracefold
