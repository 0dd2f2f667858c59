// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/completion_runs.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kMostCalls = 4096;

bool completes_request(const Action& action) {
    return action.ends_request() && action.kind != Action::Kind::cancelled;
}

}  // namespace

bool CompletionRuns::may_be_in_run(const MpiCall& call) const {
    return functions_.contains(call.function) &&
           call.patch_effect != MpiCall::PatchEffect::left_out &&
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

namespace {

[[noreturn]] void fail_uneven() {
    throw Error(ErrorKind::corrupt,
                "the members of a communicator took part in different numbers of collectives");
}

}  // namespace

void VectorSizes::record(u32 rank, u64 comm, const Contribution& sizes) {
    Sequence& sequence = sequences_[{rank, comm}];
    sequence.sent.push(sizes.sent);
    sequence.received.push(sizes.received);
    ++sequence.count;
}

void VectorSizes::finish() {
    for (auto& [key, sequence] : sequences_) {
        sequence.columns[0] = sequence.sent.finish(pool_);
        sequence.columns[1] = sequence.received.finish(pool_);
    }
}

VectorSizes::Walk::Group& VectorSizes::Walk::group(u64 comm, std::span<const u64> members) {
    const auto [place, is_new] = groups_.try_emplace(comm);
    Group& group = place->second;
    if (!is_new) return group;
    group.left = ~u64{0};
    for (const u64 member : members) {
        const auto found = sizes_.sequences_.find({static_cast<u32>(member), comm});
        if (found == sizes_.sequences_.end()) fail_uneven();
        const FoldedSource source{sizes_.pool_.patterns(), sizes_.pool_.columns()};
        for (const u32 column : found->second.columns) group.cursors.emplace_back(source, column);
        group.left = std::min(group.left, found->second.count);
    }
    group.sizes.resize(members.size());
    return group;
}

std::span<const Contribution> VectorSizes::Walk::next(u64 comm, std::span<const u64> members) {
    Group& known = group(comm, members);
    for (u64 rounds = 1 + std::exchange(skipped_[comm], 0); rounds > 0; --rounds) {
        if (known.left-- == 0) fail_uneven();
        for (std::size_t i = 0; i < known.sizes.size(); ++i) {
            known.sizes[i].sent = known.cursors[2 * i].next();
            known.sizes[i].received = known.cursors[2 * i + 1].next();
        }
    }
    return known.sizes;
}

}  // namespace tracefold
