// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/wildcards.hpp"

#include <algorithm>
#include <vector>

namespace tracefold {

namespace {

/// A sequence folds if it has at most one number per this many values.
constexpr u64 kFolds = 4;
/// Least number of messages for a decision.
constexpr u64 kFewest = 8;

/// Numbers in the folded form of a sequence.
u64 items_of(const StructurePool& pool, u32 id) {
    const Column& column = pool.columns()[id];
    u64 items = column.values.size();
    if (!column.is_folded()) return items;
    const Pattern& pattern = pool.patterns()[column.pattern];
    items += pattern.root.size() + items_of(pool, column.alphabet);
    for (const auto& loop : pattern.loops) items += loop.size();
    for (const NodeCount& count : column.counts) items += items_of(pool, count.column);
    return items;
}

}  // namespace

void Wildcards::add(const MpiCall& call) {
    if (call.family == CallFamily::matched_receive && call.inferred.comm != kNone) {
        classes_[{call.inferred.comm, call.inferred.tag}].matched = true;
    }
    for (const Action& action : call.actions) {
        if (action.message != kNoMessage) {
            classes_[{action.envelope.comm, action.envelope.tag}].matched = true;
        } else if (action.is_matched_here()) {
            receive(action.envelope, action.request);
        }
    }
    complete(call);
}

/// A receive that never completes stays posted.
void Wildcards::receive(const Envelope& envelope, u64 request) {
    Class& it = classes_[{envelope.comm, envelope.tag}];
    if (it.count++ == 0) it.first = envelope.peer;
    it.varies = it.varies || it.first != envelope.peer;
    it.largest = std::max(it.largest, envelope.bytes);
    it.sources.push(envelope.peer);
    if (request != kNoRequest) {
        it.posted.push_back(request);
    } else if (!it.posted.empty()) {
        it.in_order = false;
    }
}

/// A call may complete the oldest requests together in any order.
void Wildcards::complete(const MpiCall& call) {
    std::map<Key, std::vector<u64>> completed;
    for (const Action& action : call.actions) {
        if (action.kind != Action::Kind::complete_receive) continue;
        completed[{action.envelope.comm, action.envelope.tag}].push_back(action.request);
    }
    for (auto& [key, requests] : completed) {
        Class& it = classes_[key];
        for (std::size_t left = requests.size(); left > 0 && !it.posted.empty(); --left) {
            const auto found = std::ranges::find(requests, it.posted.front());
            if (found == requests.end()) {
                it.in_order = false;
                break;
            }
            it.posted.pop_front();
        }
        if (it.in_order) continue;
        std::erase_if(it.posted, [&done = requests](u64 request) {
            return std::ranges::find(done, request) != done.end();
        });
    }
}

bool Wildcards::is_irregular(Class& receives) {
    if (receives.count < kFewest) return false;
    StructurePool pool;
    const u32 sources = receives.sources.finish(pool);
    return items_of(pool, sources) * kFolds > receives.count;
}

void Wildcards::decide(WildcardChoice choice, bool threads) {
    for (auto& [key, it] : classes_) {
        if (choice == WildcardChoice::none || it.matched || it.count == 0) continue;
        const bool detected = it.varies && it.in_order && !threads && is_irregular(it);
        if (!detected && choice != WildcardChoice::all) continue;
        decided_[key] = it.largest;
        receives_ += it.count;
    }
    any_ = !decided_.empty();
    classes_.clear();
}

}  // namespace tracefold
