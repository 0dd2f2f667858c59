// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/matching/matching_simulation.hpp"

#include "mpi/matching/matching_report.hpp"
#include "mpi/mpi_call.hpp"

#include <algorithm>

namespace tracefold {

namespace {

using Wait = MatchingState::Wait;

}  // namespace

bool ThreadTurns::read(u32 walker) {
    MatchingState::Progress& it = state_.progress[walker];
    if (it.has_read || it.at_end) return it.has_read;
    it.has_read = state_.walkers[walker].next(it.call);
    it.at_end = !it.has_read && !state_.walkers[walker].has_stopped();
    return it.has_read;
}

bool ThreadTurns::is_ordered(u32 walker) const {
    return state_.in_order_of_times && state_.rank_of(walker).threads > 1;
}

/// True if another thread of the rank has to begin, or to end, a call before this one.
bool ThreadTurns::comes_before(u32 other, u32 walker) {
    MatchingState::Progress& theirs = state_.progress[other];
    const u64 begin = state_.progress[walker].call.begin;
    if (theirs.in_call) return theirs.call.end <= begin;
    return read(other) && theirs.call.begin < begin;
}

bool ThreadTurns::may_begin(u32 walker) {
    MatchingState::Progress& it = state_.progress[walker];
    if (!is_ordered(walker)) return true;
    if (it.given_up) return true;
    // The walkers of a rank are contiguous.
    const u32 rank = state_.walkers[walker].rank;
    u32 other = walker;
    while (other > 0 && state_.walkers[other - 1].rank == rank) --other;
    for (; other < state_.walkers.size() && state_.walkers[other].rank == rank; ++other) {
        if (other == walker || !comes_before(other, walker)) continue;
        state_.block_on_rank(walker, Wait::thread, 0);
        return false;
    }
    return true;
}

void ThreadTurns::moved(u32 walker) {
    if (is_ordered(walker)) state_.wake(state_.rank_of(walker).blocked);
}

bool ThreadTurns::release() {
    u32 first = kNone;
    for (u32 walker = 0; walker < state_.progress.size(); ++walker) {
        const MatchingState::Progress& it = state_.progress[walker];
        if (it.wait != Wait::thread) continue;
        if (first == kNone || it.call.begin < state_.progress[first].call.begin) first = walker;
    }
    if (first == kNone) return false;
    state_.progress[first].wait = Wait::nothing;
    state_.progress[first].given_up = true;
    state_.ready.push_back(first);
    return true;
}

namespace {

using Wait = MatchingState::Wait;

}  // namespace

void StallResolution::resolve() {
    if (collectives_.place_calls()) return;
    std::vector<u32> chosen = choose();
    if (chosen.empty()) chosen = guessed_waits();
    if (chosen.empty() && collectives_.has_unplaced()) return collectives_.give_up_unplaced();
    if (chosen.empty()) {
        if (!reported_) report_deadlock();
        reported_ = true;
        const auto first = std::ranges::find_if(
            state_.progress, [](const auto& it) { return it.wait != Wait::nothing; });
        chosen.push_back(static_cast<u32>(first - state_.progress.begin()));
    }
    for (const u32 walker : chosen) {
        if (state_.progress[walker].wait != Wait::nothing) give_up(walker);
    }
}

/// All walkers whose partners have ended, otherwise one with a surplus receive.
std::vector<u32> StallResolution::choose() {
    std::vector<u32> chosen;
    u32 spare = kNone;
    for (u32 walker = 0; walker < state_.progress.size(); ++walker) {
        if (spare == kNone && is_spare(walker)) spare = walker;
        if (is_hopeless(walker)) chosen.push_back(walker);
    }
    if (chosen.empty() && spare != kNone) {
        --messages_.spare_receives(state_.walkers[spare].rank);
        chosen.push_back(spare);
    }
    return chosen;
}

bool StallResolution::is_spare(u32 walker) {
    return state_.progress[walker].wait == Wait::any_message &&
           messages_.spare_receives(state_.walkers[walker].rank) > 0;
}

bool StallResolution::is_hopeless(u32 walker) {
    switch (state_.progress[walker].wait) {
        case Wait::message:
        case Wait::receipt:
        case Wait::any_message:
            return messages_.is_hopeless(walker);
        case Wait::collective:
            return std::ranges::any_of(collectives_.absent(walker), [this](u32 rank) {
                return state_.ranks[rank].walkers == 0;
            });
        case Wait::request:
        case Wait::taken:
            return state_.rank_of(walker).walkers == 1;
        case Wait::epoch:
            return state_.ranks[state_.progress[walker].place].walkers == 0;
        case Wait::thread:
        case Wait::placing:
        case Wait::nothing:
            break;
    }
    return false;
}

void StallResolution::give_up(u32 walker) {
    MatchingState::Progress& it = state_.progress[walker];
    if (it.wait == Wait::collective) return collectives_.give_up(walker);
    it.wait = Wait::nothing;
    it.given_up = true;
    state_.ready.push_back(walker);
}

/// If a walker waits for another member than that of a collective without a record: the walkers
/// that may block it because their call is taken to wait for such a collective.
std::vector<u32> StallResolution::guessed_waits() const {
    std::vector<u32> guesses;
    bool others = false;
    for (u32 walker = 0; walker < state_.progress.size(); ++walker) {
        const Wait wait = state_.progress[walker].wait;
        others = others || (wait != Wait::nothing && wait != Wait::placing);
        if (waits_by_guess(walker)) guesses.push_back(walker);
    }
    return others ? guesses : std::vector<u32>();
}

/// True if a call waits for a collective without a record, which may be the wrong request.
bool StallResolution::waits_by_guess(u32 walker) const {
    const MatchingState::Progress& it = state_.progress[walker];
    if (it.wait != Wait::placing) return false;
    return it.call.actions[it.action].kind == Action::Kind::complete_collective;
}

void StallResolution::report_deadlock() {
    for (u32 walker = 0; walker < state_.progress.size(); ++walker) {
        if (state_.progress[walker].wait == Wait::nothing) continue;
        state_.findings.add(FindingKind::deadlock, [&] {
            return state_.call_text(walker) + " waits for " + wait_text(walker);
        });
    }
}

std::string StallResolution::wait_text(u32 walker) {
    const MatchingState::Progress& it = state_.progress[walker];
    switch (it.wait) {
        case Wait::message:
            return "a message " + channel_text(messages_.key(it.place));
        case Wait::receipt:
            return "the receive of a message " + channel_text(messages_.key(it.place));
        case Wait::any_message:
            return "any message";
        case Wait::placing:
            return "the members of its communicator";
        case Wait::request:
            return "another thread to post request " + std::to_string(it.number);
        case Wait::epoch:
            return "an epoch of rank " + std::to_string(it.place) + " on window " +
                   std::to_string(it.number);
        case Wait::taken:
            return "another thread to probe message " + std::to_string(it.number);
        default:
            return collectives_.wait_text(walker);
    }
}

namespace {

/// True if a replay needs more memory than exists. Receives are as large as their sends.
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

/// Calls of a location in one turn.
constexpr u64 kTurn = 256;
/// A walker with this many more messages sent than received runs last.
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
    add_disagreements();
    MatchingReport(state_, messages_, window_cut()).add_leftovers();
}

void MatchingSimulation::run(u32 walker) {
    // If the order of arrival matters, turns are one call.
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

/// Counts calls that their function alone classifies, before their records are read.
void MatchingSimulation::begin_call(u32 walker) {
    const MpiCall& call = state_.progress[walker].call;
    const auto example = [&] { return state_.call_text(walker); };
    const bool is_unsupported = treatment_of(call) == Treatment::unsupported;
    if (call.by_records && !is_unsupported) state_.findings.add(FindingKind::by_records, example);
    if (!is_unsupported && std::ranges::any_of(call.actions, is_beyond_memory)) {
        state_.findings.add(FindingKind::beyond_memory, example);
    }
    const auto is_paired = [](const Action& action) {
        return action.posts_request() && action.is_paired();
    };
    if (state_.sends_wait && std::ranges::any_of(call.actions, is_paired)) {
        state_.findings.add(FindingKind::paired_request, example);
    }
    if (!is_unsupported) note_not_issued(walker);
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

/// Predicts what a replay does not issue, before the call changes windows and files.
void MatchingSimulation::note_not_issued(u32 walker) {
    const MpiCall& call = state_.progress[walker].call;
    MatchingState::Rank& rank = state_.rank_of(walker);
    bool missed = false;
    if (call.family == CallFamily::window) {
        missed = call.actions.empty() ? rank.locks == 0 : uses_no_window(call, [&rank](u64 window) {
            return rank.windows.contains(window);
        });
        for (const Action& action : call.actions) {
            if (action.type == EventType::RmaRequestLock) ++rank.locks;
            if (action.type == EventType::RmaReleaseLock && rank.locks != 0) --rank.locks;
        }
    } else if (call.family == CallFamily::file) {
        const u64 handle = open_files_[walker].handle_of(call);
        const bool opens = find_record(call, EventType::IoCreateHandle) != nullptr;
        const bool names_one = handle != kNone || is_bare_file_call(call.function);
        missed = names_one ? !opens && !rank.files.contains(handle) : files_.handles().empty();
        open_files_[walker].note(call);
        uses_of(walker).add(call, 0);
    } else {
        missed = call.actions.empty();
    }
    if (missed && has_effect(call, !rank.windows.empty()))
        ++state_.counts.not_issued[state_.name_of_call(call)];
}

FileUses& MatchingSimulation::uses_of(u32 walker) {
    const u32 rank = state_.walkers[walker].rank;
    const auto found = file_uses_.try_emplace(rank, files_, state_.tables[rank]).first;
    return found->second;
}

/// Calls without a record on files whose ranks disagree on them.
void MatchingSimulation::add_disagreements() {
    std::vector<FileUses*> all;
    for (auto& [rank, uses] : file_uses_) all.push_back(&uses);
    FileUses::agree(files_, all, [](std::vector<u64>& /*values*/, bool /*sum*/) {});
    for (const auto& [rank, uses] : file_uses_) {
        uses.for_each([this](const FileUse& use) {
            if (use.bare) return;
            for (const auto& [function, calls] : use.functions) {
                state_.counts.not_issued[std::string(name_of(function))] += calls;
            }
        });
    }
}

/// Counts calls that make or free communicators without a record.
void MatchingSimulation::note_comm_call(u32 walker) {
    const MpiCall& call = state_.progress[walker].call;
    const CommunicatorTable& table = state_.tables[state_.walkers[walker].rank];
    const bool creates = call.family == CallFamily::comm_create;
    const auto example = [&] { return state_.call_text(walker); };
    FindingList& findings = state_.findings;
    if (call.patch_effect == MpiCall::PatchEffect::inferred) {
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
    // RmaCollectiveEnd marks the end of a window.
    if (action.type != EventType::RmaCollectiveEnd) {
        note_object(walker, action);
        return true;
    }
    // Members of a window create, fence and free it collectively.
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

/// Checks that windows and files are used between their creation and their end.
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
