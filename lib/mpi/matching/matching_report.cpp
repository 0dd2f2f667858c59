// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/matching/matching_report.hpp"

#include <algorithm>

namespace tracefold {

namespace {}  // namespace

WindowCut::Side WindowCut::side(CallPlace place) const {
    const LocationWindow& window = windows_[place.walker];
    if (place.index < window.from) return Side::before;
    return place.index < window.to ? Side::inside : Side::after;
}

void WindowCut::matched(CallPlace sender, CallPlace receiver) {
    const bool sends = side(sender) == Side::inside;
    const Side receives = side(receiver);
    if (sends && receives == Side::after) leave_out(sender);
    if (sends && receives == Side::before) early_.emplace(receiver, sender);
    if (!sends && receives == Side::inside) leave_out(receiver);
}

void WindowCut::probed(CallPlace sender, CallPlace probe) {
    if (side(probe) != Side::inside) return;
    if (side(sender) == Side::inside) {
        probed_.emplace_back(sender, probe);
    } else {
        leave_out(probe);
    }
}

/// Leaves out probes whose messages are not sent.
void WindowCut::cut_probes() {
    std::ranges::sort(left_out_, ByPlace());
    Places cut;
    for (const auto& [sender, probe] : probed_) {
        if (std::ranges::binary_search(left_out_, sender, ByPlace())) cut.push_back(probe);
    }
    left_out_.insert(left_out_.end(), cut.begin(), cut.end());
}

void WindowCut::completed(CallPlace receiver, CallPlace completion) {
    if (early_.empty() || side(completion) != Side::before) return;
    const auto found = early_.find(receiver);
    if (found == early_.end()) return;
    leave_out(found->second);
    early_.erase(found);
}

void WindowCut::unreceived(CallPlace sender) {
    if (side(sender) == Side::inside) leave_out(sender);
}

void WindowCut::leave_out_inside(const Places& places) {
    for (const CallPlace place : places) {
        if (side(place) == Side::inside) leave_out(place);
    }
}

bool WindowCut::is_cut(const Places& places) const {
    return std::ranges::any_of(
        places, [this, &places](CallPlace place) { return side(place) != side(places.front()); });
}

void WindowCut::matched_collective(const CollectiveInstances::Context& context,
                                   const CollectiveInstances::Instance& instance) {
    const bool of_window = (context.key & kWindowContext) != 0;
    Places places;
    for (const CollectiveInstances::Arrival& arrival : instance.present)
        places.push_back(arrival.place);
    const CollectiveKind kind = instance.part.kind;
    const bool cut = is_cut(places);
    const bool begun = std::ranges::any_of(
        places, [this](CallPlace place) { return side(place) == Side::before; });
    const bool fence = of_window && !destroys_handle(kind) && (begun || !cut);
    if (creates_handle(kind) || fence) {
        make(std::move(places));
    } else if (destroys_handle(kind)) {
        free(places);
    } else if (cut) {
        leave_out_inside(places);
    }
}

/// Objects made entirely before or entirely after the part need no preparation.
void WindowCut::make(Places places) {
    if (is_cut(places) || side(places.front()) == Side::inside) {
        making_.push_back(std::move(places));
    }
}

/// An object that one member still needs is freed at the end.
void WindowCut::free(const Places& places) {
    if (!is_cut(places)) return;
    for (const CallPlace place : places) leave_out(place);
}

void WindowCut::ended(u32 walker, const MpiCall& call) {
    if (call.family == CallFamily::file) files_.add(walker, call);
}

void WindowCut::cut_file_call(FileCallsInCommon::Role role, Places places) {
    switch (role) {
        case FileCallsInCommon::Role::opens:
            return make(std::move(places));
        case FileCallsInCommon::Role::closes:
            return free(places);
        case FileCallsInCommon::Role::other:
            if (!is_cut(places)) return;
            break;
        case FileCallsInCommon::Role::alone:
            break;
    }
    leave_out_inside(places);
}

void WindowCut::created(u64 comm, CallPlace place) { created_[comm].push_back(place); }

/// By location: the call up to which everything is made in advance.
std::vector<u64> WindowCut::prepared() const {
    std::vector<u64> limits;
    for (const LocationWindow& window : windows_) limits.push_back(window.from);
    std::vector<const Places*> all;
    for (const Places& places : making_) all.push_back(&places);
    for (const auto& [comm, places] : created_) all.push_back(&places);
    bool changed = true;
    while (changed) {
        changed = false;
        for (const Places* places : all) {
            const bool needed =
                is_cut(*places) || std::ranges::any_of(*places, [&limits](CallPlace place) {
                    return place.index < limits[place.walker];
                });
            if (!needed) continue;
            for (const CallPlace place : *places) {
                if (place.index < limits[place.walker]) continue;
                limits[place.walker] = place.index + 1;
                changed = true;
            }
        }
    }
    return limits;
}

void WindowCut::finish(std::vector<ReplayPatch>& patches) {
    files_.finish();
    cut_probes();
    const std::vector<u64> limits = prepared();
    for (std::size_t walker = 0; walker < windows_.size(); ++walker) {
        patches[walker].window = windows_[walker];
        patches[walker].window.is_part = true;
        patches[walker].prepared = limits[walker];
    }
    for (const CallPlace place : left_out_) {
        patches[place.walker].left_out.push_back({place.index, place.action});
    }
    for (const auto& [receiver, sender] : early_) {
        patches[receiver.walker].early.push_back({receiver.index, receiver.action});
    }
}

namespace {

using Request = MatchingState::Request;

/// Sorts and removes duplicates.
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

/// Reports operations that were posted and never completed.
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
    // With a cut, their messages may be outside.
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
            // Unrecorded requests: the call that waited for them is unknown.
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
                                [&] { return text(rank, comm) + ", which no call creates"; });
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
    result.not_issued = std::move(state_.counts.not_issued);
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
