// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/completion_runs.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u64 kMostCalls = 4096;

bool completes_request(const Action& action) {
    return action.kind == Action::Kind::complete_send ||
           action.kind == Action::Kind::complete_receive ||
           action.kind == Action::Kind::complete_collective;
}

}  // namespace

bool CompletionRuns::may_be_in_run(const Operation& operation) const {
    return functions_.contains(operation.function) &&
           operation.treatment != Operation::Treatment::left_out &&
           std::ranges::all_of(operation.actions, [](const Action& action) {
               return completes_request(action) || action.kind == Action::Kind::tested;
           });
}

bool CompletionRuns::next(Operation& operation) {
    begins_ = false;
    if (!ahead_.empty()) {
        operation = ahead_.front();
        ahead_.pop_front();
        return true;
    }
    if (held_) {
        operation = *held_;
        operation.actions = held_actions_;
        held_.reset();
    } else if (!source_(operation)) {
        return false;
    }
    if (may_be_in_run(operation)) read_run(operation);
    return true;
}

void CompletionRuns::read_run(Operation& first) {
    run_ = {};
    run_.function = first.function;
    add(first);
    for (Operation operation; source_(operation);) {
        if (run_.calls == kMostCalls || !may_be_in_run(operation)) {
            held_ = operation;
            held_actions_.assign(operation.actions.begin(), operation.actions.end());
            break;
        }
        add(operation);
        ahead_.push_back(operation);
    }
    begins_ = !run_.requests.empty();
}

void CompletionRuns::add(Operation& operation) {
    ++run_.calls;
    for (const Action& action : operation.actions) {
        if (completes_request(action)) run_.requests.push_back(action.request);
    }
    operation.actions = {};
}

}  // namespace tracefold
