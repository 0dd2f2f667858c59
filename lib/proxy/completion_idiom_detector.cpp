// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/completion_idiom_detector.hpp"

#include <algorithm>

namespace tracefold::inline proxy {

void CompletionIdiomDetector::begin_rank() {
    outstanding_.clear();
    left_.clear();
}

void CompletionIdiomDetector::add(const MpiCall& call, const CompletionRun* run) {
    for (const Action& action : call.actions) {
        const bool posts = action.kind == Kind::post_receive || action.kind == Kind::send ||
                           action.kind == Kind::post_collective;
        if (!posts) {
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

}  // namespace tracefold::inline proxy
