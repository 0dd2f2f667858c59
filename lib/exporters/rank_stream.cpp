// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/rank_stream.hpp"

#include "core/error.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u64 kStep = 4096;

u32 only_location(TraceFile& file, u32 rank) {
    const std::vector<u32> locations = mpi_locations(file, rank);
    if (locations.size() == 1) return locations.front();
    throw Error(ErrorKind::unsupported,
                "several threads of rank " + std::to_string(rank) +
                    " call MPI, and the format has one sequence of calls for each rank");
}

bool is_buffered(MpiFunction function) { return function == MpiFunction::Bsend; }

/// Sends with a mode that no simulator's trace has.
bool has_send_mode(MpiFunction function) {
    switch (function) {
        case MpiFunction::Bsend:
        case MpiFunction::Ssend:
        case MpiFunction::Rsend:
        case MpiFunction::Ibsend:
        case MpiFunction::Issend:
        case MpiFunction::Irsend:
            return true;
        default:
            return false;
    }
}

}  // namespace

RankStream::RankStream(TraceFile& file, const Survey& survey, u32 rank, RankSink& sink,
                       CallFates& fates)
    : survey_(survey),
      sink_(sink),
      fates_(fates),
      location_(only_location(file, rank)),
      rank_(rank),
      table_(file, rank),
      program_(file, location_,
               file.summary().timing == TimingLevel::none ? Times::skip : Times::read),
      nanoseconds_(file.definitions()),
      has_times_(file.summary().timing != TimingLevel::none) {
    program_.infer(survey.inference(location_));
}

u64 RankStream::run(const ProgressSink& progress) {
    u64 calls = 0;
    for (Operation operation; program_.next(operation);) {
        take(operation);
        if (++calls % kStep == 0 && progress) progress(kStep);
    }
    if (progress) progress(calls % kStep);
    return calls;
}

void RankStream::take(const Operation& operation) {
    completed_.clear();
    sends_.clear();
    receives_.clear();
    collective_fate_.reset();
    lost_ = operation.dropped;
    pass_time(operation);
    if (operation.treatment != Operation::Treatment::left_out) {
        take_actions(operation);
    }
    fates_.count(operation, fate_of(operation));
}

/// What passes between calls is computation, and so is what passes in calls that reach nobody.
/// Within tests and probes the program waits.
void RankStream::pass_time(const Operation& operation) {
    if (!has_times_) return;
    const bool is_local = operation.family == CallFamily::local;
    if (!first_call_) idle_ += operation.begin - computed_until_;
    if (is_local) idle_ += operation.end - operation.begin;
    first_call_ = false;
    computed_until_ = operation.end;
    const bool reaches_others = !operation.actions.empty() ||
                                operation.family == CallFamily::matched_receive ||
                                operation.family == CallFamily::finalize;
    if (is_local || !reaches_others || idle_ == 0) return;
    const u64 nanoseconds = nanoseconds_.of(idle_);
    idle_ = 0;
    if (nanoseconds != 0) sink_.compute(nanoseconds);
}

void RankStream::take_actions(const Operation& operation) {
    for (const Action& action : operation.actions) take_action(operation, action);
    if (operation.family == CallFamily::matched_receive && operation.inferred.comm != kNone) {
        receives_.push_back(message(operation.inferred));
    }
    take_messages();
    wait();
}

/// A call that both sends and receives does so at once.
void RankStream::take_messages() {
    if (sends_.size() + receives_.size() == 1) {
        if (sends_.empty()) {
            sink_.receive(receives_.front(), kBlocking);
        } else {
            sink_.send(sends_.front(), kBlocking);
        }
        return;
    }
    for (const RankMessage& received : receives_) {
        completed_.push_back(take_slot());
        sink_.receive(received, completed_.back());
    }
    for (const RankMessage& sent : sends_) {
        completed_.push_back(take_slot());
        sink_.send(sent, completed_.back());
    }
}

void RankStream::take_action(const Operation& operation, const Action& action) {
    switch (action.kind) {
        case Action::Kind::send:
            if (operation.unreceived || survey_.is_cancelled(location_, operation.index)) {
                lost_ = true;
            } else if (action.request != kNoRequest) {
                sink_.send(message(action.envelope), open(action.request));
            } else if (is_buffered(operation.function)) {
                ++never_waited_;
                sink_.send(message(action.envelope), take_slot());
            } else {
                sends_.push_back(message(action.envelope));
            }
            break;
        case Action::Kind::receive:
            receives_.push_back(message(action.envelope));
            break;
        case Action::Kind::post_receive:
            lost_ = lost_ || !action.known;
            if (action.known) sink_.receive(message(action.envelope), open(action.request));
            break;
        case Action::Kind::collective:
            collective(operation, action.part.comm, kNoRequest);
            break;
        case Action::Kind::post_collective:
            lost_ = lost_ || !action.known;
            if (action.known) collective(operation, action.part.comm, action.request);
            break;
        case Action::Kind::complete_send:
        case Action::Kind::complete_receive:
        case Action::Kind::complete_collective:
        case Action::Kind::cancelled:
            complete(action.request);
            break;
        case Action::Kind::record:
            if (action.type == EventType::RmaCollectiveEnd) {
                collective(operation, kWindowRoom | action.fields[2], kNoRequest);
            }
            break;
        default:
            break;
    }
}

RankStream::RoomState& RankStream::room_state(u64 key) {
    const auto [found, fresh] = rooms_.try_emplace(key);
    RoomState& state = found->second;
    if (!fresh) return state;
    state.room = survey_.room(key);
    if (state.room == nullptr) return state;
    const std::vector<u32>& members = state.room->members;
    state.member = static_cast<u32>(std::ranges::find(members, rank_) - members.begin());
    state.exchanges.emplace(survey_.exchanges_of(*state.room));
    return state;
}

void RankStream::collective(const Operation& operation, u64 key, u64 request) {
    RoomState& state = room_state(key);
    collective_fate_ = Fate::merged;
    // Those of one process alone move nothing.
    if (state.room == nullptr) return;
    const Exchange& exchange = survey_.exchange(state.exchanges->next());
    // The communicators that are there from the start.
    if (operation.family == CallFamily::init || operation.family == CallFamily::finalize) return;
    const RequestSlot slot = request == kNoRequest ? kBlocking : open(request);
    collective_fate_ = sink_.collective({*state.room, exchange, state.member}, slot);
    if (exchange.is_compromise()) collective_fate_ = Fate::approximated;
}

RequestSlot RankStream::open(u64 request) {
    const RequestSlot slot = take_slot();
    slots_.insert_or_assign(request, slot);
    return slot;
}

RequestSlot RankStream::take_slot() {
    if (free_.empty()) return slot_count_++;
    const RequestSlot slot = free_.back();
    free_.pop_back();
    return slot;
}

/// Requests that were left out are not waited for.
void RankStream::complete(u64 request) {
    const auto found = slots_.find(request);
    if (found == slots_.end()) return;
    completed_.push_back(found->second);
    slots_.erase(found);
}

void RankStream::wait() {
    if (completed_.empty()) return;
    sink_.wait(completed_, slots_.empty() && never_waited_ == 0);
    free_.insert(free_.end(), completed_.begin(), completed_.end());
}

RankMessage RankStream::message(const Envelope& envelope) {
    if (envelope.comm != channel_comm_ || envelope.tag != channel_tag_) {
        channel_ = survey_.channel(envelope.comm, envelope.tag);
        channel_comm_ = envelope.comm;
        channel_tag_ = envelope.tag;
    }
    const CommunicatorView& comm = view(envelope.comm);
    const std::span<const u64> peers = comm.inter ? comm.remote : comm.members;
    if (envelope.peer >= peers.size()) {
        throw Error(ErrorKind::corrupt, "a message names a rank that its communicator lacks");
    }
    return {static_cast<u32>(peers[envelope.peer]), channel_, envelope.bytes, envelope.comm,
            envelope.tag};
}

const CommunicatorView& RankStream::view(u64 comm) {
    if (comm == view_comm_ && view_ != nullptr) return *view_;
    view_ = table_.find(comm);
    view_comm_ = comm;
    if (view_ == nullptr) {
        throw Error(ErrorKind::corrupt, "rank " + std::to_string(rank_) +
                                            " is no member of communicator " +
                                            std::to_string(comm));
    }
    return *view_;
}

Fate RankStream::fate_of(const Operation& operation) const {
    if (operation.treatment == Operation::Treatment::left_out || lost_) return Fate::dropped;
    switch (operation.family) {
        case CallFamily::collective:
        case CallFamily::post_collective:
            return collective_fate_.value_or(Fate::dropped);
        case CallFamily::comm_create:
        case CallFamily::comm_free:
            return collective_fate_ ? Fate::approximated : Fate::merged;
        case CallFamily::window:
            return collective_fate_ ? Fate::approximated : Fate::dropped;
        case CallFamily::send:
        case CallFamily::post_send:
            return has_send_mode(operation.function) ? Fate::approximated : Fate::written;
        case CallFamily::completion:
            return completed_.empty() ? Fate::merged : Fate::written;
        case CallFamily::persistent_init:
        case CallFamily::cancel:
        case CallFamily::request_free:
        case CallFamily::probe:
        case CallFamily::local:
            return Fate::merged;
        case CallFamily::neighbour:
        case CallFamily::file:
        case CallFamily::unsupported:
            return Fate::dropped;
        default:
            return Fate::written;
    }
}

}  // namespace tracefold
