// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/matching_report.hpp"

#include <algorithm>

namespace tracefold {

namespace {

using Request = MatchingState::Request;

/// In rising order, each once.
template <class Entry>
void sort_once(std::vector<Entry>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

void MatchingReport::add_leftovers() {
    for (u32 rank = 0; rank < state_.ranks.size(); ++rank) add_requests(rank);
    messages_.report_unreceived([this](CallPlace sender) {
        if (cut_ != nullptr) cut_->unreceived(sender);
    });
    add_communicators();
}

/// What was posted and never completed.
void MatchingReport::add_requests(u32 rank) {
    std::vector<Request> left;
    state_.ranks[rank].requests.for_each(
        [&left](u64, const Request& request) { left.push_back(request); });
    std::ranges::sort(left, [](const Request& a, const Request& b) {
        return a.call.walker != b.call.walker ? a.call.walker < b.call.walker
                                              : a.call.index < b.call.index;
    });
    std::vector<CallPlace> unknown;
    for (const Request& request : left) {
        add_request(request);
        if (request.kind == Request::Kind::unknown_receive) unknown.push_back(request.call);
    }
    // In a part of the program their messages may be outside.
    if (cut_ == nullptr) messages_.pair_pending(rank, unknown);
}

void MatchingReport::add_request(const Request& request) {
    const auto example = [&] { return state_.text(request.call); };
    switch (request.kind) {
        case Request::Kind::unknown_receive:
        case Request::Kind::receive:
        case Request::Kind::taken_receive:
            state_.findings.add(FindingKind::pending_receive, example);
            break;
        case Request::Kind::send:
            state_.findings.add(FindingKind::pending_send, example);
            break;
        case Request::Kind::collective:
            // Nobody knows what waited for those without a record.
            if (request.is_unrecorded) break;
            [[fallthrough]];
        case Request::Kind::unknown_collective:
            state_.findings.add(FindingKind::pending_collective, example);
            break;
        default:
            break;
    }
}

/// Communicators in use that no call of the rank makes.
std::vector<u64> MatchingReport::unmade(u32 rank) const {
    const CommunicatorTable& table = state_.tables[rank];
    std::vector<u64> found;
    for (const u64 comm : state_.ranks[rank].used) {
        const bool made = state_.ranks[rank].made.contains(comm);
        if (!made && !table.is_predefined(comm)) found.push_back(comm);
    }
    std::sort(found.begin(), found.end());
    return found;
}

bool MatchingReport::misses_communicators() const {
    for (u32 rank = 0; rank < state_.ranks.size(); ++rank) {
        if (!unmade(rank).empty()) return true;
    }
    return false;
}

void MatchingReport::add_communicators() {
    const auto text = [](u32 rank, u64 comm) {
        return "rank " + std::to_string(rank) + ": communicator " + std::to_string(comm);
    };
    for (u32 rank = 0; rank < state_.ranks.size(); ++rank) {
        for (const u64 comm : unmade(rank)) {
            state_.findings.add(FindingKind::unknown_communicator,
                                [&] { return text(rank, comm) + ", which no call makes"; });
        }
    }
    for (std::size_t walker = 0; walker < state_.walkers.size(); ++walker) {
        for (const u64 comm : state_.patches[walker].early_communicators) {
            state_.findings.add(FindingKind::early_communicator,
                                [&] { return text(state_.walkers[walker].rank, comm); });
        }
    }
}

CheckResult MatchingReport::result(CollectiveMatching& collectives) {
    if (cut_ != nullptr) cut_->finish(state_.patches);
    for (const Channels::Channel& channel : messages_.channels()) {
        if (state_.observer != nullptr) state_.observer->channel(channel.key);
    }
    CheckResult result;
    result.ranks = static_cast<u32>(state_.ranks.size());
    for (const MatchingState::Rank& rank : state_.ranks) {
        result.locations += rank.called ? rank.threads : 0;
    }
    result.calls = state_.counts.calls;
    result.messages = state_.counts.messages;
    result.bytes = state_.counts.bytes;
    result.collectives = state_.counts.collectives;
    result.unsupported = std::move(state_.counts.unsupported);
    result.threads =
        std::ranges::any_of(state_.ranks, [](const auto& rank) { return rank.threads > 1; });
    result.findings = state_.findings.found();
    take_patches(collectives, result);
    return result;
}

void MatchingReport::take_patches(CollectiveMatching& collectives, CheckResult& result) {
    for (u32 walker = 0; walker < state_.patches.size(); ++walker) {
        ReplayPatch& patch = state_.patches[walker];
        patch.collectives = collectives.pack_inferred(walker);
        if (patch.empty()) continue;
        std::sort(patch.receives.begin(), patch.receives.end(),
                  [](const auto& a, const auto& b) { return a.index < b.index; });
        sort_once(patch.sizes);
        sort_once(patch.left_out);
        sort_once(patch.early);
        sort_once(patch.unposted);
        sort_once(patch.unreceived);
        result.patches.push_back(std::move(patch));
    }
}

}  // namespace tracefold
