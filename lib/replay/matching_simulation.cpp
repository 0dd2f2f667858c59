// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/matching_simulation.hpp"

#include "replay/matching_report.hpp"
#include "replay/mpi_call.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// True if a replay needs more memory for it than there can be. Receives are as large as what is
/// sent to them.
bool is_beyond_memory(const Action& action) {
    const auto& f = action.fields;
    switch (action.kind) {
        case Action::Kind::send:
            return action.envelope.bytes >= kBeyondMemory;
        case Action::Kind::collective:
        case Action::Kind::post_collective:
            return action.known && is_communication(action.part.kind) &&
                   std::max(action.part.sent, action.part.received) >= kBeyondMemory;
        case Action::Kind::record:
            if (action.type == EventType::RmaAtomic) return std::max(f[3], f[4]) >= kBeyondMemory;
            return (action.type == EventType::RmaPut || action.type == EventType::RmaGet) &&
                   f[2] >= kBeyondMemory;
        default:
            return false;
    }
}

/// Calls of a location before the next one has its turn.
constexpr u64 kTurn = 256;
/// Who has sent so much more than received waits until nobody else can go on.
constexpr i64 kFarAhead = 4096;

bool is_bare(const MpiCall& call) { return call.actions.empty(); }

}  // namespace

void MatchingSimulation::count_surplus(std::vector<Walker> walkers) {
    state_.begin(std::move(walkers));
    messages_.count_surplus();
}

void MatchingSimulation::begin_with(std::vector<ReplayPatch> communicators, FileTable files) {
    files_ = std::move(files);
    for (ReplayPatch& known : communicators) {
        const u32 location = known.location;
        known_.emplace(location, std::move(known));
    }
}

void MatchingSimulation::cut(std::vector<LocationWindow> windows) {
    cut_.emplace(std::move(windows), [this](u32 walker, u64 handle) -> const CommunicatorView* {
        const FileHandleDefinition* file = files_.find(handle);
        if (file == nullptr) return nullptr;
        return state_.tables[state_.walkers[walker].rank].find(file->comm);
    });
    state_.observer = &*cut_;
}

void MatchingSimulation::begin(std::vector<Walker> walkers) {
    state_.begin(std::move(walkers));
    state_.patches.resize(state_.walkers.size());
    collectives_.begin();
    for (u32 walker = 0; walker < state_.walkers.size(); ++walker) {
        const u32 location = state_.walkers[walker].location;
        MatchingState::Rank& rank = state_.rank_of(walker);
        ++rank.walkers;
        ++rank.threads;
        ReplayPatch& patch = state_.patches[walker];
        const auto known = known_.find(location);
        if (known != known_.end()) patch = std::move(known->second);
        patch.location = location;
        rank.made.insert(patch.early_communicators.begin(), patch.early_communicators.end());
        state_.ready.push_back(walker);
    }
}

void MatchingSimulation::walk(std::vector<Walker> walkers) {
    begin(std::move(walkers));
    while (true) {
        std::deque<u32>& queue = state_.ready.empty() ? ahead_ : state_.ready;
        if (!queue.empty()) {
            const u32 walker = queue.front();
            queue.pop_front();
            run(walker);
            continue;
        }
        const bool all_ended =
            std::ranges::all_of(state_.ranks, [](const auto& rank) { return rank.walkers == 0; });
        if (all_ended) break;
        if (!iterations_.resolve() && !threads_.release()) stalls_.resolve();
    }
    while (collectives_.has_unplaced()) {
        if (!collectives_.place_calls()) collectives_.give_up_unplaced();
    }
    MatchingReport(state_, messages_, window_cut()).add_leftovers();
}

/// Lets a location have its turn.
void MatchingSimulation::run(u32 walker) {
    // Where the order of arrival matters, nobody runs ahead.
    const u64 turn = messages_.has_surplus() ? 1 : kTurn;
    for (u64 i = 0; i < turn; ++i) {
        if (!step(walker)) return;
    }
    (state_.progress[walker].ahead > kFarAhead ? ahead_ : state_.ready).push_back(walker);
}

/// Walks one call, or the rest of one. False if the location has to wait or has ended.
bool MatchingSimulation::step(u32 walker) {
    MatchingState::Progress& it = state_.progress[walker];
    if (!it.in_call && !next_call(walker)) return false;
    if (it.call.family == CallFamily::matched_receive && is_bare(it.call)) {
        if (!messages_.receive_any(walker)) return false;
    }
    for (; it.action < it.call.actions.size(); ++it.action) {
        if (!take(walker, it.call.actions[it.action])) return false;
        it.arrived = false;
        it.given_up = false;
        it.placed = false;
    }
    it.in_call = false;
    if (state_.observer != nullptr) state_.observer->ended(walker, it.call);
    threads_.moved(walker);
    return true;
}

bool MatchingSimulation::next_call(u32 walker) {
    MatchingState::Progress& it = state_.progress[walker];
    if (!threads_.read(walker)) {
        if (state_.walkers[walker].has_stopped()) {
            iterations_.stop(walker);
            return false;
        }
        end(walker);
        threads_.moved(walker);
        return false;
    }
    if (!threads_.may_begin(walker)) return false;
    it.has_read = false;
    it.action = 0;
    it.in_call = true;
    it.arrived = false;
    it.given_up = false;
    ++state_.counts.calls;
    state_.rank_of(walker).called = true;
    begin_call(walker);
    if (state_.observer != nullptr) state_.observer->began(walker, it.call);
    threads_.moved(walker);
    return true;
}

/// Counts calls that are known to be a matter of their own before their records are looked at.
void MatchingSimulation::begin_call(u32 walker) {
    const MpiCall& call = state_.progress[walker].call;
    const auto example = [&] { return state_.call_text(walker); };
    const bool is_unsupported = treatment_of(call) == Treatment::unsupported;
    if (call.by_records && !is_unsupported) state_.findings.add(FindingKind::by_records, example);
    if (!is_unsupported && std::ranges::any_of(call.actions, is_beyond_memory)) {
        state_.findings.add(FindingKind::beyond_memory, example);
    }
    switch (call.family) {
        case CallFamily::neighbour:
            if (is_unsupported) state_.findings.add(FindingKind::neighbour, example);
            break;
        case CallFamily::comm_create:
        case CallFamily::comm_free:
            note_comm_call(walker);
            break;
        case CallFamily::finalize:
            state_.rank_of(walker).finalized = true;
            break;
        default:
            if (call.function == MpiFunction::Session_finalize) {
                state_.rank_of(walker).finalized = true;
            }
            if (!is_unsupported) break;
            ++state_.counts.unsupported[state_.name_of_call(call)];
            state_.findings.add(FindingKind::unsupported, example);
            break;
    }
}

/// Counts calls that make or free communicators without a record.
void MatchingSimulation::note_comm_call(u32 walker) {
    const MpiCall& call = state_.progress[walker].call;
    const CommunicatorTable& table = state_.tables[state_.walkers[walker].rank];
    const bool creates = call.family == CallFamily::comm_create;
    const auto example = [&] { return state_.call_text(walker); };
    FindingList& findings = state_.findings;
    if (call.treatment == MpiCall::Treatment::inferred) {
        findings.add(creates ? FindingKind::inferred_communicator : FindingKind::inferred_free,
                     example);
    } else if (!is_bare(call)) {
        return;
    } else if (!creates) {
        findings.add(FindingKind::unrecorded_free, example);
    } else if (call.function == MpiFunction::Intercomm_create && !has_intercommunicators(table)) {
        findings.add(FindingKind::undefined_intercommunicator, example);
        state_.misses_intercommunicators = true;
    } else {
        findings.add(FindingKind::unrecorded_creation, example);
    }
}

/// False if the action has to wait.
bool MatchingSimulation::take(u32 walker, const Action& action) {
    switch (action.kind) {
        case Action::Kind::send:
            messages_.send(walker, action);
            return true;
        case Action::Kind::probe:
            return messages_.probe(walker, action);
        case Action::Kind::receive:
            return action.message == kNoMessage ? messages_.receive(walker, action)
                                                : messages_.receive_taken(walker, action);
        case Action::Kind::post_receive:
            if (action.message != kNoMessage) return messages_.receive_taken(walker, action);
            messages_.post_receive(walker, action);
            return true;
        case Action::Kind::collective:
        case Action::Kind::post_collective:
            return take_collective(walker, action);
        case Action::Kind::complete_send:
        case Action::Kind::complete_receive:
        case Action::Kind::complete_collective:
            return requests_.complete(walker, action);
        case Action::Kind::cancelled:
            requests_.cancel(walker, action);
            return true;
        case Action::Kind::create_comm:
            create_communicator(walker, action.part.comm);
            return true;
        case Action::Kind::destroy_comm:
            state_.rank_of(walker).freed.insert(action.part.comm);
            return true;
        case Action::Kind::record:
            return take_record(walker, action);
        case Action::Kind::tested:
            return true;
    }
    return true;
}

bool MatchingSimulation::take_collective(u32 walker, const Action& action) {
    if (action.unrecorded) return collectives_.unrecorded(walker, action);
    if (action.kind == Action::Kind::collective) {
        return collectives_.call(walker, action.part.comm, action.part);
    }
    collectives_.post(walker, action);
    return true;
}

void MatchingSimulation::create_communicator(u32 walker, u64 comm) {
    MatchingState::Rank& rank = state_.rank_of(walker);
    rank.freed.erase(comm);
    rank.made.insert(comm);
    if (cut_ && state_.progress[walker].call.family == CallFamily::comm_create) {
        cut_->created(comm, state_.here(walker));
    }
}

bool MatchingSimulation::take_record(u32 walker, const Action& action) {
    if (action.type == EventType::RmaGroupSync) return take_epoch(walker, action);
    // It follows the end of a window.
    if (action.type != EventType::RmaCollectiveEnd) {
        note_object(walker, action);
        return true;
    }
    // Members of a window create, fence and free it together.
    CollectivePart part;
    const u64 window = action.fields[2];
    part.kind = collective_kind(action.fields[0]);
    part.comm = state_.definitions.window_communicator(window);
    part.root = static_cast<u32>(action.fields[3]);
    return collectives_.call(walker, kWindowContext | window, part);
}

bool MatchingSimulation::take_epoch(u32 walker, const Action& action) {
    if (!state_.progress[walker].arrived) note_object(walker, action);
    return !state_.in_order_of_times || epochs_.take(walker, action);
}

/// Windows and files are used between their creation and their end.
void MatchingSimulation::note_object(u32 walker, const Action& action) {
    MatchingState::Rank& rank = state_.rank_of(walker);
    const RecordInfo& info = event_info(action.type);
    if (action.type == EventType::IoCreateHandle) {
        const FileHandleDefinition* file = files_.find(action.fields[0]);
        if (file != nullptr && file->comm != kNone) (void)state_.view(walker, file->comm);
    }
    for (u8 i = 0; i < info.field_count; ++i) {
        const FieldKind kind = info.fields[i].kind;
        if (kind != FieldKind::rma_win && kind != FieldKind::io_handle) continue;
        auto& objects = kind == FieldKind::rma_win ? rank.windows : rank.files;
        const u64 object = action.fields[i];
        if (action.type == EventType::RmaWinCreate || action.type == EventType::IoCreateHandle) {
            objects.insert(object);
        } else if (!objects.contains(object)) {
            state_.findings.add(FindingKind::closed_object, [&] {
                return state_.call_text(walker) + ": " + std::string(info.fields[i].name) + " " +
                       std::to_string(object);
            });
        }
        if (action.type == EventType::RmaWinDestroy || action.type == EventType::IoDestroyHandle) {
            objects.erase(object);
        }
    }
}

void MatchingSimulation::end(u32 walker) {
    MatchingState::Rank& rank = state_.rank_of(walker);
    if (--rank.walkers != 0 || rank.finalized) return;
    state_.findings.add(rank.called ? FindingKind::unfinished : FindingKind::no_calls,
                        [&] { return "rank " + std::to_string(state_.walkers[walker].rank); });
}

bool MatchingSimulation::misses_communicators() {
    return MatchingReport(state_, messages_, window_cut()).misses_communicators();
}

CheckResult MatchingSimulation::report() {
    return MatchingReport(state_, messages_, window_cut()).result(collectives_);
}

}  // namespace tracefold
