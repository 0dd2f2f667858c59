// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction/rank_operations.hpp"

#include "forecast/network.hpp"
#include "mpi/schedule.hpp"

#include <algorithm>

namespace tracefold {

namespace {

void move_slots(NetworkOperation& operation, const std::vector<u32>& from, std::vector<u32>& to) {
    if (operation.kind != NetworkOperation::Kind::wait) return;
    const auto first = from.begin() + operation.first;
    operation.first = static_cast<u32>(to.size());
    to.insert(to.end(), first, first + operation.count);
}

}  // namespace

void RepeatedOperations::append(std::size_t place, u32 node, NetworkOperations& out) const {
    for (std::size_t i = place == 0 ? 0 : ends_[place - 1]; i < ends_[place]; ++i) {
        NetworkOperation& operation = out.list.emplace_back(operations_[i]);
        operation.node = node;
        move_slots(operation, slots_, out.slots);
    }
}

void RepeatedOperations::begin(const RepeatedCall& call, bool at_rest) {
    if (call.iteration != iteration_ || call.place != ends_.size()) forget();
    if (call.iteration == 0 || call.place != 0 || !at_rest) return;
    iteration_ = call.iteration;
    ends_.clear();
    operations_.clear();
    slots_.clear();
}

void RepeatedOperations::end(const RepeatedCall& call, bool is_plain, bool at_rest,
                             const NetworkOperations& out) {
    if (iteration_ == 0) return;
    if (!is_plain) return forget();
    for (std::size_t i = first_; i < out.list.size(); ++i) {
        move_slots(operations_.emplace_back(out.list[i]), out.slots, slots_);
    }
    ends_.push_back(operations_.size());
    if (ends_.size() < call.calls) return;
    is_known_ = at_rest;
    if (!is_known_) forget();
}

namespace {

constexpr i64 kPicoseconds = 1000;  ///< per nanosecond

/// The kind of operation outside of the model; empty if the call is modelled.
std::string_view unmodelled_kind(const MpiCall& call, bool met) {
    switch (call.family) {
        case CallFamily::file:
            return "I/O";
        case CallFamily::window:
            return met ? "" : "one-sided";
        case CallFamily::neighbour:
            return "neighbourhood collectives";
        case CallFamily::unsupported:
            return "unknown calls";
        default:
            return "";
    }
}

/// True if an action only sends or receives messages and completes requests.
bool is_of_messages(const Action& action) {
    switch (action.kind) {
        case Action::Kind::send:
        case Action::Kind::receive:
        case Action::Kind::post_receive:
        case Action::Kind::complete_send:
        case Action::Kind::complete_receive:
        case Action::Kind::tested:
            return true;
        default:
            return false;
    }
}

/// True if equal actions of the call always yield equal operations.
bool is_plain(const MpiCall& call) {
    switch (call.family) {
        case CallFamily::send:
        case CallFamily::post_send:
            // A buffered send occupies a slot for good.
            if (call.function == MpiFunction::Bsend) return false;
            break;
        case CallFamily::receive:
        case CallFamily::post_receive:
        case CallFamily::send_receive:
        case CallFamily::completion:
        case CallFamily::local:
            break;
        default:
            return false;
    }
    return std::ranges::all_of(call.actions, is_of_messages);
}

}  // namespace

RankOperations::RankOperations(const Shared& shared, u32 rank)
    : shared_(shared),
      location_(mpi_locations(shared.file, rank).front()),
      stream_(shared.file, shared.survey, rank, *this, nullptr,
              has_mpi_regions_only(shared.file, location_) ? shared.times : Times::skip),
      paths_(shared.file, location_, rank, shared.times, shared.tree, shared.threads),
      rate_(shared.file.definitions().tick_rate()),
      remembers_(is_alone() && !shared.survey.has_cancelled()) {
    if (!is_alone()) return;
    if (shared.looks_for_any_source) any_source_.emplace();
    if (shared.steps != nullptr) {
        steps_.emplace(shared.file, location_, shared.steps->of(location_));
    }
}

bool RankOperations::next(NetworkOperations& out) {
    out_ = &out;
    if (!remembers_) return stream_.step();
    if (repeated_.knows(stream_.coming())) {
        repeat();
        return true;
    }
    if (!stream_.read()) return false;
    tell_alone();
    return true;
}

/// Appends a known iteration.
void RankOperations::repeat() {
    const RepeatedCalls::Iteration iteration = stream_.leave_out();
    MpiCall call;
    for (std::size_t place = 0; place < iteration.calls.size(); ++place) {
        iteration.tell(place, call);
        begin_alone(call);
        repeated_.append(place, call_.node, *out_);
        if (any_source_) any_source_->add(call, seconds(call_.end - call_.begin));
    }
}

void RankOperations::tell_alone() {
    const RepeatedCall place = stream_.repeated();
    repeated_.begin(place, stream_.is_at_rest());
    stream_.tell();
    repeated_.end(place, is_plain(stream_.call()), stream_.is_at_rest(), *out_);
}

i64 RankOperations::picoseconds(u64 ticks) const {
    return static_cast<i64>(rate_.picoseconds(ticks));
}

/// Computation of several threads; for a single one, its call paths supply it.
void RankOperations::compute(u64 between_calls, u64 in_calls) {
    if (is_alone()) return;
    add_compute(kNone, static_cast<i64>(between_calls + in_calls) * kPicoseconds);
}

void RankOperations::begin_call(u32 location, const MpiCall& call) {
    met_ = false;
    frees_ = std::ranges::any_of(call.actions, [](const Action& action) {
        return action.kind == Action::Kind::collective && destroys_handle(action.part.kind);
    });
    if (is_alone()) {
        begin_alone(call);
        repeated_.mark(*out_);
        return;
    }
    if (threads_in_calls_++ == 0) busy_since_ = shared_.clock.since_start(location, call.begin);
    if (location == location_) note_times(call, call.begin, call.end);
}

void RankOperations::begin_alone(const MpiCall& call) {
    if (call.region == kNone) {
        call_.node = paths_.here();
        call_.begin = call_.end;
    } else {
        call_ = paths_.next(call);
    }
    // Excludes time before MPI_Init.
    if (!has_begun_ || call.family == CallFamily::init) paths_.clear();
    note_times(call, call_.begin, call_.end);
    if (call.family == CallFamily::local) paths_.add(call_.node, call_.end - call_.begin);
    if (steps_) call_.node = steps_->next();
    const bool reaches_others = !call.actions.empty() ||
                                call.family == CallFamily::matched_receive ||
                                call.family == CallFamily::finalize;
    if (reaches_others && call.family != CallFamily::local) flush_parts();
}

void RankOperations::note_times(const MpiCall& call, u64 begin, u64 end) {
    if (over_) return;
    const bool is_init = call.family == CallFamily::init;
    if (!has_begun_ || is_init) begin_ = is_init ? end : begin;
    has_begun_ = true;
    over_ = call.family == CallFamily::finalize;
    end_ = over_ ? begin : end;
}

void RankOperations::flush_parts() {
    for (const auto& part : paths_.parts()) {
        add_compute(steps_ ? call_.node : part.node, picoseconds(part.ticks));
    }
    paths_.clear();
}

void RankOperations::add_compute(u32 node, i64 time) {
    if (time == 0) return;
    const bool goes_on = !out_->list.empty() &&
                         out_->list.back().kind == NetworkOperation::Kind::compute &&
                         out_->times.size() == out_->list.back().first + out_->list.back().count;
    if (!goes_on) {
        NetworkOperation compute{NetworkOperation::Kind::compute, false, call_.node};
        compute.first = static_cast<u32>(out_->times.size());
        out_->list.push_back(compute);
    }
    ++out_->list.back().count;
    out_->times.push_back({node, time});
}

void RankOperations::end_call(u32 location, const MpiCall& call) {
    if (!is_alone()) return note_threads(call, location);
    if (any_source_) any_source_->add(call, seconds(call_.end - call_.begin));
    take_as_recorded(call);
}

/// Several threads count as computing while none is in a call: of calls outside of the model, only
/// number and time remain.
void RankOperations::note_threads(const MpiCall& call, u32 location) {
    ++of_threads_.calls;
    const u64 end = shared_.clock.since_start(location, call.end);
    if (--threads_in_calls_ == 0) of_threads_.seconds += seconds(elapsed(busy_since_, end));
    const std::string_view kind = unmodelled_kind(call, false);
    if (!kind.empty()) count_unmodelled(kind, seconds(elapsed(call.begin, call.end)));
}

UnmodelledByKind RankOperations::held_order() {
    UnmodelledByKind held;
    if (of_threads_.calls != 0) held["calls of several threads"] = of_threads_;
    if (!any_source_) return held;
    const AnySource::Receives receives = any_source_->of_any_source();
    if (receives.count != 0) held["receives of any source"] = {receives.count, receives.seconds};
    return held;
}

double RankOperations::seconds(u64 ticks) const { return rate_.seconds(ticks); }

void RankOperations::count_unmodelled(std::string_view kind, double time) {
    UnmodelledCalls& calls = unmodelled_[kind];
    ++calls.calls;
    calls.seconds += time;
}

void RankOperations::take_as_recorded(const MpiCall& call) {
    const std::string_view kind = unmodelled_kind(call, met_);
    if (kind.empty()) return;
    flush_parts();
    const i64 time = picoseconds(call_.end - call_.begin);
    count_unmodelled(kind, static_cast<double>(time) / kPicosecondsPerSecond);
    NetworkOperation recorded{NetworkOperation::Kind::recorded, false, call_.node};
    recorded.first = static_cast<u32>(out_->times.size());
    recorded.count = 1;
    out_->times.push_back({call_.node, time});
    out_->list.push_back(recorded);
}

void RankOperations::transfer(NetworkOperation::Kind kind, const RankMessage& message,
                              RequestSlot slot) {
    NetworkOperation operation{kind, slot == kBlocking, call_.node, message.peer};
    operation.slot = operation.blocks ? own_slot(0) : stream_slot(slot);
    operation.channel = message.channel;
    operation.bytes = message.bytes;
    out_->list.push_back(operation);
}

void RankOperations::send(const RankMessage& message, RequestSlot slot) {
    transfer(NetworkOperation::Kind::send, message, slot);
}

void RankOperations::receive(const RankMessage& message, RequestSlot slot) {
    transfer(NetworkOperation::Kind::receive, message, slot);
}

void RankOperations::wait(std::span<const RequestSlot> slots, bool /*all*/) {
    const auto first = static_cast<u32>(out_->slots.size());
    for (const RequestSlot slot : slots) out_->slots.push_back(stream_slot(slot));
    add_wait(*out_, first);
}

void RankOperations::wait_for_own(NetworkOperations& out, u32 slots) const {
    const auto first = static_cast<u32>(out.slots.size());
    for (u32 slot = 0; slot < slots; ++slot) out.slots.push_back(own_slot(slot));
    add_wait(out, first);
}

void RankOperations::add_wait(NetworkOperations& out, u32 first) const {
    NetworkOperation wait{NetworkOperation::Kind::wait, false, call_.node};
    wait.first = first;
    wait.count = static_cast<u32>(out.slots.size()) - first;
    out.list.push_back(wait);
}

ExportOutcome RankOperations::collective(const RankCollective& collective, RequestSlot slot) {
    met_ = true;
    // Libraries may free a communicator without waiting for its other members.
    if (frees_) return ExportOutcome::expanded;
    if (!shared_.fills_matrices && is_matrix(collective.exchange.kind())) {
        ++empty_matrices_.calls;
        if (slot == kBlocking) {
            if (is_alone()) empty_matrices_.seconds += seconds(call_.end - call_.begin);
            return ExportOutcome::expanded;
        }
    }
    const u64 context = u64{shared_.survey.channel_count()} + collective.context.number;
    const u64 instance = ++instances_[collective.context.number];
    if (slot == kBlocking) {
        expand(collective, context, *out_);
        return ExportOutcome::expanded;
    }
    // The branch runs concurrently with other operations.
    auto branch = std::make_unique<NetworkOperations>();
    expand(collective, instance << 32U | context, *branch);
    NetworkOperation operation{NetworkOperation::Kind::branch, false, call_.node};
    operation.first = static_cast<u32>(out_->branches.size());
    operation.slot = stream_slot(slot);
    out_->branches.push_back(std::move(branch));
    out_->list.push_back(operation);
    return ExportOutcome::expanded;
}

void RankOperations::expand(const RankCollective& collective, u64 channel, NetworkOperations& out) {
    if (!shared_.fills_matrices && is_matrix(collective.exchange.kind())) return;
    make_schedule(collective.exchange, collective.member, shared_.collectives, schedule_);
    for_each_round(schedule_, [&](std::span<const ScheduledMessage> round) {
        u32 slots = 0;
        for (const ScheduledMessage& one : round) {
            const auto kind =
                one.sends ? NetworkOperation::Kind::send : NetworkOperation::Kind::receive;
            NetworkOperation operation{kind, round.size() == 1, call_.node,
                                       collective.context.members[one.peer]};
            operation.slot = own_slot(slots++);
            operation.channel = channel;
            operation.bytes = one.bytes;
            out.list.push_back(operation);
        }
        if (slots > 1) wait_for_own(out, slots);
    });
}

}  // namespace tracefold
