// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/enumerator_names.hpp"
#include "replay/matching_simulation.hpp"

#include <algorithm>

// What the calls of MatchingSimulation do.
namespace tracefold {

namespace {

/// Receives of values that have no size report lengths around 2^64.
constexpr u64 kNoSize = u64{1} << 62U;

}  // namespace

/// Recorders before Score-P 8 define no intercommunicators.
std::string MatchingSimulation::text_of_unknown(u64 comm) const {
    std::string words = "communicator " + std::to_string(comm);
    if (definitions_.communicator(comm) != nullptr) return words;
    words += ", which is not defined";
    if (misses_intercommunicators_) words += ": one that MPI_Intercomm_create made";
    return words;
}

const CommunicatorView* MatchingSimulation::view(u32 walker, u64 comm) {
    State& state = states_[walker];
    if (state.comm == comm && state.view != nullptr) return state.view;
    const CommunicatorView* view = tables_[walkers_[walker].rank].find(comm);
    state.comm = comm;
    state.view = view;
    if (view != nullptr) {
        ranks_[walkers_[walker].rank].used.insert(comm);
        return view;
    }
    findings_.add(FindingKind::unknown_communicator,
                  [&] { return call_text(walker) + ": " + text_of_unknown(comm); });
    return nullptr;
}

/// Threads may use what another one frees later.
bool MatchingSimulation::is_freed(u32 walker, u64 comm) const {
    const Rank& rank = ranks_[walkers_[walker].rank];
    return rank.threads == 1 && !rank.freed.empty() && rank.freed.contains(comm);
}

/// False if the message goes nowhere known.
bool MatchingSimulation::find_channel(u32 walker, const Envelope& envelope, bool sends,
                                      u32& channel) {
    const u32 me = walkers_[walker].rank;
    const CommunicatorView* comm = view(walker, envelope.comm);
    if (comm == nullptr) return false;
    const std::span<const u64> peers = comm->peers();
    if (envelope.peer >= peers.size()) {
        findings_.add(FindingKind::unknown_communicator, [&] {
            return call_text(walker) + ": rank " + std::to_string(envelope.peer) +
                   " of communicator " + std::to_string(envelope.comm);
        });
        return false;
    }
    const u32 peer = static_cast<u32>(peers[envelope.peer]);
    channel = channels_.find({envelope.comm, sends ? me : peer, sends ? peer : me, envelope.tag});
    if (!is_freed(walker, envelope.comm)) return true;
    findings_.add(FindingKind::freed_communicator, [&] { return call_text(walker); });
    return true;
}

void MatchingSimulation::met(const Channels::Match& match, const Channels::Key& key) {
    ++messages_;
    bytes_ += match.sent;
    if (observer_ != nullptr) observer_->matched(match.sender, match.receiver);
    if (is_unreceived(match.receiver)) return note_unreceived(match, key);
    if (match.sent == match.received || match.received >= kNoSize) return;
    findings_.add(FindingKind::different_bytes, [&] {
        return text(match.receiver) + ": " + text(key) + ", sent by " + text(match.sender) +
               " as " + std::to_string(match.sent) + " bytes, received as " +
               std::to_string(match.received);
    });
}

void MatchingSimulation::send(u32 walker, const Action& action) {
    u32 channel = 0;
    if (!find_channel(walker, action.envelope, true, channel)) return;
    Channels::Channel& it = channels_[channel];
    Channels::Match match;
    ++states_[walker].ahead;
    const bool merge = it.surplus <= 0;
    if (channels_.send(channel, action.envelope.bytes, here(walker), action.time, merge, match)) {
        met(match, it.key);
    }
    if (!it.blocked.empty()) wake(it.blocked);
    if (action.request == kNoRequest) return;
    add_request(walker, action.request, {Pending::Kind::send, channel, 0, here(walker)});
}

bool MatchingSimulation::receive(u32 walker, const Action& action) {
    State& state = states_[walker];
    if (!state.arrived) {
        u32 channel = 0;
        if (!find_channel(walker, action.envelope, false, channel)) return true;
        Channels::Match match;
        state.arrived = true;
        state.place = channel;
        state.number = channels_[channel].posted;
        --state.ahead;
        if (channels_.post(channel, action.envelope.bytes, here(walker), match)) {
            met(match, channels_[channel].key);
        }
    }
    if (!wait_message(walker, state.place, state.number, here(walker))) return false;
    if (observer_ != nullptr) observer_->completed(here(walker), here(walker));
    return true;
}

void MatchingSimulation::post_receive(u32 walker, const Action& action) {
    Pending pending{Pending::Kind::unknown_receive, 0, 0, here(walker)};
    if (action.known && find_channel(walker, action.envelope, false, pending.place)) {
        Channels::Match match;
        pending.kind = Pending::Kind::receive;
        pending.number = channels_[pending.place].posted;
        --states_[walker].ahead;
        if (channels_.post(pending.place, action.envelope.bytes, here(walker), match)) {
            met(match, channels_[pending.place].key);
        }
    }
    add_request(walker, action.request, pending);
}

/// True if others have to be waited for; `key` is that of the context.
bool MatchingSimulation::meet(CallPlace place, u64 key, const CollectivePart& part, u32& context,
                              u64& number) {
    const u32 walker = place.walker;
    const CommunicatorView* comm = view(walker, part.comm);
    if (comm == nullptr || comm->members.size() + comm->remote.size() < 2) return false;
    const u32 me = walkers_[walker].rank;
    // A window outlives its communicator.
    const bool uses = is_communication(part.kind) && (key & kWindowContext) == 0;
    if (uses && is_freed(walker, part.comm)) {
        findings_.add(FindingKind::freed_communicator, [&] { return call_text(walker); });
    }
    context = instances_.find(key, [comm] {
        std::vector<u32> members(comm->members.begin(), comm->members.end());
        members.insert(members.end(), comm->remote.begin(), comm->remote.end());
        return members;
    });
    if (instances_[context].first_side == 0) {
        instances_[context].first_side = static_cast<u32>(comm->members.size());
    }
    number = instances_.arrive(context, {me, place, part.root, part.sent, part.received}, part);
    if (instances_.is_full(context, number)) hold(context, number);
    return true;
}

/// All members have come.
void MatchingSimulation::hold(u32 context, u64 number) {
    CollectiveInstances::Instance& instance = instances_.instance(context, number);
    const auto example = [&] {
        std::string words =
            text(instance.present.front().place) + " and " + text(instance.present.back().place);
        return words + ": communicator " + std::to_string(instance.part.comm) + ", " +
               enumerator_name(instance.part.kind);
    };
    ++collectives_;
    if (!instance.alike) {
        findings_.add(FindingKind::different_collective, example);
    } else if (instance.sent != instance.received) {
        findings_.add(FindingKind::unequal_volume, example);
    }
    if (observer_ != nullptr) observer_->met(instances_[context], instance);
    std::vector<u32> blocked = std::move(instance.blocked);
    instances_.end(context, number);
    wake(blocked);
}

bool MatchingSimulation::collective(u32 walker, u64 key, const CollectivePart& part) {
    State& state = states_[walker];
    if (!state.arrived) {
        state.arrived = true;
        if (!meet(here(walker), key, part, state.place, state.number)) return true;
    }
    return wait_collective(walker, state.place, state.number);
}

void MatchingSimulation::post_collective(u32 walker, const Action& action) {
    Pending pending{Pending::Kind::unknown_collective, 0, 0, here(walker)};
    if (action.known) {
        const bool waits =
            meet(here(walker), action.part.comm, action.part, pending.place, pending.number);
        pending.kind = waits ? Pending::Kind::collective : Pending::Kind::send;
    }
    add_request(walker, action.request, pending);
}

void MatchingSimulation::add_request(u32 walker, u64 id, const Pending& pending) {
    Rank& rank = ranks_[walkers_[walker].rank];
    rank.requests[id] = pending;
    if (!rank.blocked.empty()) wake(rank.blocked);
}

/// Which request a completion means. MPI may give the same handle to one thread as soon as another
/// one is done with it, and then the recorder takes one request for another.
u64 MatchingSimulation::own_request(u32 walker, const Action& action) {
    const Rank& rank = ranks_[walkers_[walker].rank];
    if (rank.threads == 1 || action.kind == Action::Kind::complete_collective) {
        return action.request;
    }
    const auto named = rank.requests.find(action.request);
    if (named != rank.requests.end() && named->second.call.walker == walker) return action.request;
    const bool receives = action.kind == Action::Kind::complete_receive;
    u32 channel = kNone;
    if (receives && !find_channel(walker, action.envelope, false, channel)) return action.request;
    const auto may_be_meant = [&](const Pending& pending) {
        if (pending.call.walker != walker) return false;
        if (!receives) return pending.kind == Pending::Kind::send;
        return pending.kind == Pending::Kind::unknown_receive ||
               (pending.kind == Pending::Kind::receive && pending.place == channel);
    };
    u64 oldest = kNoRequest;
    for (const auto& [id, pending] : rank.requests) {
        if (may_be_meant(pending)) oldest = std::min(oldest, id);
    }
    return oldest == kNoRequest ? action.request : oldest;
}

bool MatchingSimulation::complete(u32 walker, const Action& action) {
    auto& requests = ranks_[walkers_[walker].rank].requests;
    const u64 request =
        states_[walker].arrived ? states_[walker].request : own_request(walker, action);
    const auto found = requests.find(request);
    if (found == requests.end()) return complete_unknown(walker, action);
    const Pending& pending = found->second;
    switch (pending.kind) {
        case Pending::Kind::receive:
            if (!wait_message(walker, pending.place, pending.number, pending.call)) return false;
            if (observer_ != nullptr) observer_->completed(pending.call, here(walker));
            break;
        case Pending::Kind::unknown_receive:
            if (!complete_late(walker, action, request, pending)) return false;
            break;
        case Pending::Kind::collective:
            if (!wait_collective(walker, pending.place, pending.number)) return false;
            if (observer_ != nullptr) observer_->completed_collective(pending.call, here(walker));
            break;
        case Pending::Kind::unresolved:
            if (!states_[walker].given_up) {
                ranks_[walkers_[walker].rank].blocked.push_back(walker);
                block(walker, State::Wait::naming, 0, action.request);
                return false;
            }
            findings_.add(FindingKind::late_completion, [&] { return call_text(walker); });
            leave_out(here(walker));
            return true;
        case Pending::Kind::left_out:
            leave_out(here(walker));
            break;
        case Pending::Kind::taken_receive:
            if (pending.lost) leave_out(here(walker));
            break;
        default:
            break;
    }
    if (request != action.request) {
        findings_.add(FindingKind::swapped_request, [&] {
            return call_text(walker) + ": request " + std::to_string(action.request) + " for " +
                   std::to_string(request);
        });
        patches_[walker].renames.push_back({here(walker).index, action.request, request});
    }
    requests.erase(found);
    return true;
}

/// A receive whose call says nothing, but its completion does.
bool MatchingSimulation::complete_late(u32 walker, const Action& action, u64 request,
                                       const Pending& pending) {
    if (action.kind != Action::Kind::complete_receive) return true;
    if (!states_[walker].arrived) {
        states_[walker].request = request;
        patches_[pending.call.walker].receives.push_back(
            {pending.call.index, request, action.envelope});
    }
    return receive(walker, action);
}

/// Another thread may still post the request.
bool MatchingSimulation::complete_unknown(u32 walker, const Action& action) {
    State& state = states_[walker];
    Rank& rank = ranks_[walkers_[walker].rank];
    if (!state.arrived && !state.given_up && rank.walkers > 1) {
        rank.blocked.push_back(walker);
        block(walker, State::Wait::request, 0, action.request);
        return false;
    }
    if (!state.arrived) {
        state.given_up = false;
        state.request = action.request;
        findings_.add(FindingKind::unknown_request, [&] {
            return call_text(walker) + ": request " + std::to_string(action.request);
        });
        if (action.kind == Action::Kind::complete_receive) {
            patches_[walker].unposted.push_back({here(walker).index, here(walker).action});
        }
    }
    return action.kind != Action::Kind::complete_receive || receive(walker, action);
}

void MatchingSimulation::cancel(u32 walker, const Action& action) {
    auto& requests = ranks_[walkers_[walker].rank].requests;
    const auto found = requests.find(action.request);
    if (found == requests.end()) {
        findings_.add(FindingKind::unknown_request, [&] {
            return call_text(walker) + ": request " + std::to_string(action.request);
        });
        return;
    }
    if (found->second.kind == Pending::Kind::send) {
        channels_.retract(found->second.place);
        const CallPlace place = found->second.call;
        if (observer_ != nullptr) {
            observer_->cancelled_send(walkers_[place.walker].location, place.index);
        }
    }
    requests.erase(found);
}

bool MatchingSimulation::record(u32 walker, const Action& action) {
    // It follows the end of a window.
    if (action.type != EventType::RmaCollectiveEnd) {
        note_object(walker, action);
        return true;
    }
    // Members of a window meet where it is created, fenced and freed.
    CollectivePart part;
    const u64 window = action.fields[2];
    part.kind = collective_kind(action.fields[0]);
    part.comm = definitions_.window_communicator(window);
    part.root = static_cast<u32>(action.fields[3]);
    return collective(walker, kWindowContext | window, part);
}

/// Windows and files are used between their creation and their end.
void MatchingSimulation::note_object(u32 walker, const Action& action) {
    Rank& rank = ranks_[walkers_[walker].rank];
    const RecordInfo& info = event_info(action.type);
    if (action.type == EventType::IoCreateHandle) {
        const FileHandleDefinition* file = files_.find(action.fields[0]);
        if (file != nullptr && file->comm != kNone) (void)view(walker, file->comm);
    }
    for (u8 i = 0; i < info.field_count; ++i) {
        const FieldKind kind = info.fields[i].kind;
        if (kind != FieldKind::rma_win && kind != FieldKind::io_handle) continue;
        auto& objects = kind == FieldKind::rma_win ? rank.windows : rank.files;
        const u64 object = action.fields[i];
        if (action.type == EventType::RmaWinCreate || action.type == EventType::IoCreateHandle) {
            objects.insert(object);
        } else if (!objects.contains(object)) {
            findings_.add(FindingKind::closed_object, [&] {
                return call_text(walker) + ": " + std::string(info.fields[i].name) + " " +
                       std::to_string(object);
            });
        }
        if (action.type == EventType::RmaWinDestroy || action.type == EventType::IoDestroyHandle) {
            objects.erase(object);
        }
    }
}

}  // namespace tracefold
