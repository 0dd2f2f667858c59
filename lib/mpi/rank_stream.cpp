// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/rank_stream.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kStep = 4096;

bool is_buffered(MpiFunction function) { return function == MpiFunction::Bsend; }

/// Sends with a mode that simulator formats lack.
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

bool has_message(const MpiCall& call) {
    return std::ranges::any_of(call.actions,
                               [](const Action& action) { return action.message != kNoMessage; });
}

}  // namespace

RankStream::RankStream(TraceFile& file, const CommunicationSurvey& survey, u32 rank, RankSink& sink,
                       CallOutcomes* outcomes, Times times)
    : survey_(survey),
      sink_(sink),
      outcomes_(outcomes),
      rank_(rank),
      table_(file, rank),
      nanoseconds_(file.definitions()) {
    const std::vector<u32> locations = mpi_locations(file, rank);
    const bool keeps_times = file.summary().timing != TimingLevel::none;
    if (locations.size() > 1 && !keeps_times) {
        throw Error(ErrorKind::unsupported,
                    "several threads of rank " + std::to_string(rank) +
                        " call MPI, and their order is unknown without times");
    }
    // The order of threads is that of the times in the file.
    if (locations.size() > 1) times = Times::read;
    has_times_ = keeps_times && times != Times::skip;
    tells_computation_ = has_times_ && sink.needs_computation();
    for (const u32 location : locations) {
        const auto number = static_cast<u32>(threads_.size());
        MpiCallReader reader(file, location, has_times_ ? times : Times::skip);
        threads_.push_back({{number, location, std::move(reader)}});
        threads_.back().reader.infer(survey.patch(location));
        if (locations.size() == 1 || !has_times_) threads_.back().reader.remember_loops();
    }
}

u64 RankStream::run(const ProgressSink& progress) {
    u64 told = 0;
    while (step()) {
        if (calls_ - told < kStep || !progress) continue;
        progress(calls_ - told);
        told = calls_;
    }
    if (progress) progress(calls_ - told);
    return calls_;
}

bool RankStream::step() {
    if (threads_.size() > 1) return step_merged();
    if (!read()) return false;
    tell();
    return true;
}

bool RankStream::read() {
    threads_.front().read();
    return !threads_.front().at_end;
}

void RankStream::tell() {
    Thread& thread = threads_.front();
    if (tells_computation_) pass_time(thread.call);
    begin_call(thread);
    end_call(thread);
    ++calls_;
}

bool RankStream::step_merged() {
    if (!has_begun_) {
        for (Thread& thread : threads_) thread.read();
    }
    has_begun_ = true;
    // On a tie, a call begins before another one ends.
    const auto order = [](const Thread& thread) {
        return std::pair(thread.time(), thread.in_call);
    };
    Thread* const thread = next_thread(threads_, order);
    if (thread == nullptr) return false;
    pass_time_between(*thread);
    if (!thread->in_call) {
        begin_call(*thread);
        thread->in_call = true;
    } else {
        end_call(*thread);
        thread->read();
        ++calls_;
    }
    return true;
}

void RankStream::begin_call(Thread& thread) {
    sends_.clear();
    receives_.clear();
    thread.waits.clear();
    thread.collective_fate.reset();
    thread.lost = thread.call.dropped;
    const MpiCall& call = thread.call;
    sink_.begin_call(thread.location, call);
    if (call.patch_effect == MpiCall::PatchEffect::left_out) return;
    for (const Action& action : call.actions) begin_action(thread, action);
    if (call.family == CallFamily::matched_receive && call.inferred.comm != kNone) {
        receives_.push_back(message(call.inferred));
    }
    take_messages(thread);
}

void RankStream::end_call(Thread& thread) {
    if (thread.call.patch_effect != MpiCall::PatchEffect::left_out) {
        for (const Action& action : thread.call.actions) {
            if (!action.ends_request()) continue;
            // Omitted requests are not waited for.
            const auto found = slots_.find(action.request);
            if (found == slots_.end()) continue;
            thread.waits.push_back(found->second);
            slots_.erase(found);
        }
    }
    if (!thread.waits.empty()) {
        const bool all = slots_.empty() && never_waited_ == 0 && threads_.size() == 1;
        sink_.wait(thread.waits, all);
        free_.insert(free_.end(), thread.waits.begin(), thread.waits.end());
    }
    sink_.end_call(thread.location, thread.call);
    if (outcomes_ != nullptr) outcomes_->count(thread.call, fate_of(thread));
}

/// Time between calls, and in local calls, is computation; time in tests and probes is waiting.
/// Time before MPI_Init does not count.
void RankStream::pass_time(const MpiCall& call) {
    const bool is_local = call.family == CallFamily::local;
    if (!first_call_) idle_ += elapsed(computed_until_, call.begin);
    if (call.family == CallFamily::init) idle_ = local_ = 0;
    if (is_local) {
        idle_ += elapsed(call.begin, call.end);
        local_ += elapsed(call.begin, call.end);
    }
    first_call_ = false;
    computed_until_ = call.end;
    const bool reaches_others = !call.actions.empty() ||
                                call.family == CallFamily::matched_receive ||
                                call.family == CallFamily::finalize;
    if (reaches_others && !is_local) compute();
}

/// With several threads, the rank computes while no thread is in a call.
void RankStream::pass_time_between(const Thread& thread) {
    const u64 now = std::max(thread.time(), computed_until_);
    if (in_calls_ == 0 && !first_call_) idle_ += now - computed_until_;
    first_call_ = false;
    computed_until_ = now;
    if (!thread.in_call && thread.call.family == CallFamily::init) idle_ = 0;
    if (thread.call.family != CallFamily::local) {
        in_calls_ = thread.in_call ? in_calls_ - 1 : in_calls_ + 1;
    }
    if (!thread.in_call && !thread.call.actions.empty()) compute();
}

void RankStream::compute() {
    const u64 all = nanoseconds_.of(idle_);
    const u64 in_calls = nanoseconds_.of(local_);
    idle_ = local_ = 0;
    if (all != 0) sink_.compute(all - in_calls, in_calls);
}

/// A call that sends and receives starts both at once.
void RankStream::take_messages(Thread& thread) {
    if (sends_.size() + receives_.size() == 1 && threads_.size() == 1) {
        if (sends_.empty()) {
            sink_.receive(receives_.front(), kBlocking);
        } else {
            sink_.send(sends_.front(), kBlocking);
        }
        return;
    }
    for (const RankMessage& received : receives_) {
        thread.waits.push_back(take_slot());
        sink_.receive(received, thread.waits.back());
    }
    for (const RankMessage& sent : sends_) {
        thread.waits.push_back(take_slot());
        sink_.send(sent, thread.waits.back());
    }
}

void RankStream::begin_action(Thread& thread, const Action& action) {
    switch (action.kind) {
        case Action::Kind::send:
            send(thread, action);
            break;
        case Action::Kind::probe:
            // A message taken by a probe is received there: this preserves the order of messages.
            thread.lost = thread.lost || !action.known;
            if (action.message != kNoMessage && action.known) {
                receives_.push_back(message(action.envelope));
            }
            break;
        case Action::Kind::receive:
            if (action.message == kNoMessage) receives_.push_back(message(action.envelope));
            break;
        case Action::Kind::post_receive:
            if (action.message != kNoMessage) break;
            thread.lost = thread.lost || !action.known;
            if (action.known) sink_.receive(message(action.envelope), open(action.request));
            break;
        case Action::Kind::collective:
            collective(thread, action.part.comm, kNoRequest);
            break;
        case Action::Kind::post_collective:
            thread.lost = thread.lost || !action.known;
            if (action.known) collective(thread, action.part.comm, action.request);
            break;
        case Action::Kind::record:
            if (action.type == EventType::RmaCollectiveEnd) {
                collective(thread, kWindowContext | action.fields[2], kNoRequest);
            }
            break;
        default:
            break;
    }
}

void RankStream::send(Thread& thread, const Action& action) {
    const MpiCall& call = thread.call;
    if (call.unreceived || survey_.is_cancelled(thread.location, call.index)) {
        thread.lost = true;
    } else if (action.request != kNoRequest) {
        sink_.send(message(action.envelope), open(action.request));
    } else if (is_buffered(call.function)) {
        ++never_waited_;
        sink_.send(message(action.envelope), take_slot());
    } else {
        sends_.push_back(message(action.envelope));
    }
}

RankStream::ContextState& RankStream::context_state(u64 key) {
    const auto [found, fresh] = contexts_.try_emplace(key);
    ContextState& state = found->second;
    if (!fresh) return state;
    state.context = survey_.context(key);
    if (state.context == nullptr) return state;
    const std::vector<u32>& members = state.context->members;
    state.member = static_cast<u32>(std::ranges::find(members, rank_) - members.begin());
    state.exchanges.emplace(survey_.exchanges_of(*state.context));
    return state;
}

void RankStream::collective(Thread& thread, u64 key, u64 request) {
    ContextState& state = context_state(key);
    thread.collective_fate = ExportOutcome::merged;
    // Collectives of one process move no data.
    if (state.context == nullptr) return;
    const Exchange& exchange = survey_.exchange(state.exchanges->next());
    // The predefined communicators.
    const CallFamily family = thread.call.family;
    if (family == CallFamily::init || family == CallFamily::finalize) return;
    RequestSlot slot = kBlocking;
    if (request != kNoRequest) {
        slot = open(request);
    } else if (threads_.size() > 1) {
        slot = take_slot();
        thread.waits.push_back(slot);
    }
    thread.collective_fate = sink_.collective({*state.context, exchange, state.member}, slot);
    if (exchange.is_compromise()) thread.collective_fate = ExportOutcome::approximated;
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

RankMessage RankStream::message(const Envelope& envelope) {
    if (envelope.comm != channel_comm_ || envelope.tag != channel_tag_) {
        channel_ = survey_.channel(envelope.comm, envelope.tag);
        channel_comm_ = envelope.comm;
        channel_tag_ = envelope.tag;
    }
    const CommunicatorView& comm = view(envelope.comm);
    const std::span<const u64> peers = comm.peers();
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
                                            " is not a member of communicator " +
                                            std::to_string(comm));
    }
    return *view_;
}

ExportOutcome RankStream::fate_of(const Thread& thread) {
    const MpiCall& call = thread.call;
    const std::optional<ExportOutcome>& collective = thread.collective_fate;
    const bool is_alone = collective == ExportOutcome::merged;
    if (call.patch_effect == MpiCall::PatchEffect::left_out || thread.lost)
        return ExportOutcome::dropped;
    switch (call.family) {
        case CallFamily::collective:
        case CallFamily::post_collective:
            return collective.value_or(ExportOutcome::dropped);
        case CallFamily::comm_create:
        case CallFamily::comm_free:
            return collective && !is_alone ? ExportOutcome::approximated : ExportOutcome::merged;
        case CallFamily::window:
            if (is_alone) return ExportOutcome::merged;
            return collective ? ExportOutcome::approximated : ExportOutcome::dropped;
        case CallFamily::send:
        case CallFamily::post_send:
            return has_send_mode(call.function) ? ExportOutcome::approximated
                                                : ExportOutcome::written;
        case CallFamily::completion:
            return thread.waits.empty() ? ExportOutcome::merged : ExportOutcome::written;
        case CallFamily::persistent_init:
        case CallFamily::cancel:
        case CallFamily::request_free:
        case CallFamily::local:
            return ExportOutcome::merged;
        case CallFamily::probe:
            return has_message(call) ? ExportOutcome::written : ExportOutcome::merged;
        case CallFamily::matched_receive:
            return has_message(call) ? ExportOutcome::merged : ExportOutcome::written;
        case CallFamily::neighbour:
        case CallFamily::file:
        case CallFamily::unsupported:
            return ExportOutcome::dropped;
        default:
            return ExportOutcome::written;
    }
}

}  // namespace tracefold
