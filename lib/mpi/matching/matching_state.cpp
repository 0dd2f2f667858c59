// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/matching/matching_state.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr FindingInfo kInfos[] = {
#define TRACEFOLD_INFO(name, hinders, what, done) {#name, hinders, what, done},
    TRACEFOLD_FINDINGS(TRACEFOLD_INFO)
#undef TRACEFOLD_INFO
};

}  // namespace

const FindingInfo& finding_info(FindingKind kind) { return kInfos[static_cast<std::size_t>(kind)]; }

bool can_be_skipped(FindingKind kind) {
    return kind == FindingKind::unsupported || kind == FindingKind::pending_collective ||
           kind == FindingKind::neighbour;
}

std::vector<Finding> FindingList::found() const {
    std::vector<Finding> list;
    for (std::size_t kind = 0; kind < all_.size(); ++kind) {
        if (all_[kind].count == 0) continue;
        list.push_back(all_[kind]);
        list.back().kind = static_cast<FindingKind>(kind);
    }
    return list;
}

bool FindingList::can_repeat(const FindingList& before) const {
    return std::ranges::equal(all_, before.all_, [](const Finding& now, const Finding& was) {
        return now.count == was.count || now.examples.size() == Finding::kExamples;
    });
}

void FindingList::add(const FindingList& before, u64 times) {
    for (std::size_t kind = 0; kind < all_.size(); ++kind) {
        all_[kind].count += (all_[kind].count - before.all_[kind].count) * times;
    }
}

const Finding* CheckResult::find(FindingKind kind) const {
    const auto found =
        std::find_if(findings.begin(), findings.end(),
                     [kind](const Finding& finding) { return finding.kind == kind; });
    return found == findings.end() ? nullptr : &*found;
}

bool CheckResult::can_be_replayed() const {
    return std::ranges::none_of(
        findings, [](const Finding& finding) { return finding_info(finding.kind).hinders; });
}

const Finding* CheckResult::hindrance() const {
    const auto found = std::ranges::find_if(findings, [](const Finding& finding) {
        return finding_info(finding.kind).hinders && !can_be_skipped(finding.kind);
    });
    return found == findings.end() ? nullptr : &*found;
}

namespace {

/// Recorders before Score-P 8 define no intercommunicators.
std::string text_of_unknown(const MatchingState& state, u64 comm) {
    std::string words = "communicator " + std::to_string(comm);
    if (state.definitions.communicator(comm) != nullptr) return words;
    words += ", which is not defined";
    if (state.misses_intercommunicators) words += ": created by MPI_Intercomm_create";
    return words;
}

}  // namespace

void MatchingState::begin(std::vector<Walker> all) {
    walkers = std::move(all);
    progress.assign(walkers.size(), {});
}

const CommunicatorView* MatchingState::view(u32 walker, u64 comm) {
    Progress& it = progress[walker];
    if (it.comm == comm && it.view != nullptr) return it.view;
    it.comm = comm;
    it.view = tables[walkers[walker].rank].find(comm);
    if (it.view != nullptr) {
        rank_of(walker).used.insert(comm);
        return it.view;
    }
    findings.add(FindingKind::unknown_communicator,
                 [&] { return call_text(walker) + ": " + text_of_unknown(*this, comm); });
    return nullptr;
}

bool MatchingState::is_freed(u32 walker, u64 comm) const {
    const Rank& rank = rank_of(walker);
    return rank.threads == 1 && !rank.freed.empty() && rank.freed.contains(comm);
}

void MatchingState::block(u32 walker, Wait wait, u32 place, u64 number) {
    progress[walker].wait = wait;
    progress[walker].place = place;
    progress[walker].number = number;
}

void MatchingState::block_on_rank(u32 walker, Wait wait, u64 number) {
    rank_of(walker).blocked.push_back(walker);
    block(walker, wait, 0, number);
}

void MatchingState::wake(std::vector<u32>& blocked) {
    for (const u32 walker : blocked) {
        if (progress[walker].wait == Wait::nothing) continue;
        progress[walker].wait = Wait::nothing;
        ready.push_back(walker);
    }
    blocked.clear();
}

void MatchingState::add_request(u32 walker, u64 id, const Request& request) {
    Rank& rank = rank_of(walker);
    rank.requests[id] = request;
    if (!rank.blocked.empty()) wake(rank.blocked);
}

std::string MatchingState::text(CallPlace place) const {
    const Walker& walker = walkers[place.walker];
    std::string words = "rank " + std::to_string(walker.rank);
    if (ranks[walker.rank].threads > 1) words += " location " + std::to_string(walker.location);
    return words + " call " + std::to_string(place.index);
}

std::string MatchingState::name_of_call(const MpiCall& call) const {
    return std::string(name_of(call, definitions));
}

std::string MatchingState::call_text(u32 walker) const {
    return text(here(walker)) + " (" + name_of_call(progress[walker].call) + ")";
}

std::string channel_text(const Channels::Key& key) {
    return "from rank " + std::to_string(key.source) + " to rank " +
           std::to_string(key.destination) + ", tag " + std::to_string(key.tag) +
           ", communicator " + std::to_string(key.comm);
}

}  // namespace tracefold
