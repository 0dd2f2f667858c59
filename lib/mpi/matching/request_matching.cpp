// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/matching/request_matching.hpp"

#include <algorithm>

namespace tracefold {

namespace {

using Request = MatchingState::Request;

Action::Kind posting_kind_of(Request::Kind kind) {
    switch (kind) {
        case Request::Kind::receive:
        case Request::Kind::unknown_receive:
        case Request::Kind::taken_receive:
            return Action::Kind::post_receive;
        case Request::Kind::collective:
        case Request::Kind::unknown_collective:
        case Request::Kind::unplaced:
            return Action::Kind::post_collective;
        default:
            return Action::Kind::send;
    }
}

std::string_view word_of(Action::Kind kind) {
    switch (kind) {
        case Action::Kind::complete_send:
        case Action::Kind::send:
            return "a send";
        case Action::Kind::complete_receive:
        case Action::Kind::post_receive:
            return "a receive";
        default:
            return "a collective operation";
    }
}

}  // namespace

/// The request of a completion. MPI may reuse a handle for another thread as soon as one thread is
/// done with it; the recorder then confuses the two requests.
u64 RequestMatching::own_request(u32 walker, const Action& action) {
    const MatchingState::Rank& rank = state_.rank_of(walker);
    if (rank.threads == 1 || action.kind == Action::Kind::complete_collective) {
        return action.request;
    }
    const Request* const named = rank.requests.find(action.request);
    if (named != nullptr && named->call.walker == walker) return action.request;
    const bool receives = action.kind == Action::Kind::complete_receive;
    u32 channel = kNone;
    if (receives && !messages_.find_channel(walker, action.envelope, false, channel)) {
        return action.request;
    }
    const auto may_be_meant = [&](const Request& request) {
        if (request.call.walker != walker) return false;
        if (!receives) return request.kind == Request::Kind::send;
        return request.kind == Request::Kind::unknown_receive ||
               (request.kind == Request::Kind::receive && request.place == channel);
    };
    u64 oldest = kNoRequest;
    rank.requests.for_each([&](u64 id, const Request& request) {
        if (may_be_meant(request)) oldest = std::min(oldest, id);
    });
    return oldest == kNoRequest ? action.request : oldest;
}

bool RequestMatching::complete(u32 walker, const Action& action) {
    auto& requests = state_.rank_of(walker).requests;
    const MatchingState::Progress& it = state_.progress[walker];
    const u64 id = it.arrived ? it.request : own_request(walker, action);
    const Request* const found = requests.find(id);
    if (found == nullptr) return complete_unknown(walker, action);
    if (!wait(walker, action, id, *found)) return false;
    if (found->kind != Request::Kind::left_out) note_crossed(walker, action, id, *found);
    // The program may have waited for it elsewhere.
    if (found->kind == Request::Kind::unplaced) return true;
    if (id != action.request) {
        state_.findings.add(FindingKind::swapped_request, [&] {
            return state_.call_text(walker) + ": request " + std::to_string(action.request) +
                   " for " + std::to_string(id);
        });
        state_.patches[walker].renames.push_back({it.call.index, action.request, id});
    }
    requests.erase(id);
    return true;
}

/// Waits for the request's operation; false if it is incomplete.
bool RequestMatching::wait(u32 walker, const Action& action, u64 id, const Request& request) {
    const CallPlace here = state_.here(walker);
    switch (request.kind) {
        case Request::Kind::send:
            return !state_.sends_wait ||
                   messages_.wait_for_receipt(walker, request.place, request.number);
        case Request::Kind::receive:
            if (!messages_.wait(walker, request.place, request.number, request.call)) return false;
            if (state_.observer != nullptr) state_.observer->completed(request.call, here);
            break;
        case Request::Kind::unknown_receive:
            return complete_late(walker, action, id, request);
        case Request::Kind::collective:
            if (!collectives_.wait(walker, request.place, request.number)) return false;
            if (state_.observer != nullptr) {
                state_.observer->completed_collective(request.call, here);
            }
            break;
        case Request::Kind::unplaced:
            if (!state_.progress[walker].given_up) {
                state_.block_on_rank(walker, MatchingState::Wait::placing, action.request);
                return false;
            }
            state_.findings.add(FindingKind::late_completion,
                                [&] { return state_.call_text(walker); });
            state_.leave_out(here);
            break;
        case Request::Kind::left_out:
            state_.leave_out(here);
            break;
        case Request::Kind::taken_receive:
            if (request.lost) state_.leave_out(here);
            break;
        default:
            break;
    }
    return true;
}

/// A receive whose envelope only its completion records.
bool RequestMatching::complete_late(u32 walker, const Action& action, u64 id,
                                    const Request& request) {
    if (action.kind != Action::Kind::complete_receive) return true;
    if (!state_.progress[walker].arrived) {
        state_.progress[walker].request = id;
        state_.patches[request.call.walker].receives.push_back(
            {request.call.index, id, action.envelope});
    }
    return messages_.receive(walker, action);
}

/// Another thread may still post the request.
bool RequestMatching::complete_unknown(u32 walker, const Action& action) {
    MatchingState::Progress& it = state_.progress[walker];
    const bool receives = action.kind == Action::Kind::complete_receive;
    if (!it.arrived && !it.given_up && state_.rank_of(walker).walkers > 1) {
        state_.block_on_rank(walker, MatchingState::Wait::request, action.request);
        return false;
    }
    if (!it.arrived) {
        it.given_up = false;
        it.request = action.request;
        note_unknown(walker, action);
        if (receives) {
            const CallPlace here = state_.here(walker);
            state_.patches[walker].unposted.push_back({here.index, here.action});
        }
    }
    return !receives || messages_.receive(walker, action);
}

void RequestMatching::note_unknown(u32 walker, const Action& action) {
    state_.findings.add(FindingKind::unknown_request, [&] {
        return state_.call_text(walker) + ": request " + std::to_string(action.request);
    });
}

/// If threads of a rank mix up their handles, a mismatch with another thread's request is ignored,
/// unless a replay would wait forever.
void RequestMatching::note_crossed(u32 walker, const Action& action, u64 id,
                                   const Request& request) {
    const Action::Kind posted = posting_kind_of(request.kind);
    if (action.completes(posted)) return;
    const bool never_completes = request.kind == Request::Kind::unknown_receive ||
                                 request.kind == Request::Kind::unknown_collective;
    if (request.call.walker != walker && !never_completes) return;
    state_.findings.add(FindingKind::crossed_request, [&] {
        return state_.call_text(walker) + ": completes " + std::string(word_of(action.kind)) +
               " by request " + std::to_string(id) + ", with which call " +
               std::to_string(request.call.index) + " began " + std::string(word_of(posted));
    });
}

void RequestMatching::cancel(u32 walker, const Action& action) {
    auto& requests = state_.rank_of(walker).requests;
    const Request* const found = requests.find(action.request);
    if (found == nullptr) return note_unknown(walker, action);
    if (found->kind == Request::Kind::send) {
        messages_.retract(found->place);
        const CallPlace place = found->call;
        if (state_.observer != nullptr) {
            state_.observer->cancelled_send(state_.walkers[place.walker].location, place.index);
        }
    }
    requests.erase(action.request);
}

}  // namespace tracefold
