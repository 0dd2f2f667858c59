// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/detail/location_replay.hpp"

#include "base/mpi.hpp"
#include "replay/proof/observation.hpp"
#include "replay/timing/pacer.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

constexpr std::size_t kBatches = 21;
constexpr int kMeasuredSteps = 100;
constexpr u64 kCallsOfStep = 2;
/// Larger values are not overhead, but preemption.
constexpr u64 kMost = 200;

template <class Call>
u64 duration(const Call& call) {
    const u64 begin = clock_now();
    call();
    return clock_now() - begin;
}

/// Median over batches of the nanoseconds in the two calls of a step.
template <class First, class Second>
u64 batch_of(const First& first, const Second& second) {
    std::array<u64, kBatches> sums{};
    for (u64& sum : sums) {
        for (int i = 0; i < kMeasuredSteps; ++i) {
            sum += duration(first);
            sum += duration(second);
        }
    }
    std::ranges::nth_element(sums, sums.begin() + kBatches / 2);
    return sums[kBatches / 2];
}

}  // namespace

u64 issue_overhead(Executor& executor, CallInFlight& in_flight, u64 world) {
    if (world == kNone) return 0;
    Action send;
    send.kind = Action::Kind::send;
    send.request = 0;
    send.envelope = {world, static_cast<u32>(MPI_PROC_NULL), 0, 0};
    Action sent = send;
    sent.kind = Action::Kind::complete_send;
    MpiCall post;
    post.function = MpiFunction::Isend;
    post.family = CallFamily::post_send;
    post.actions = {&send, 1};
    MpiCall wait;
    wait.function = MpiFunction::Wait;
    wait.family = CallFamily::completion;
    wait.actions = {&sent, 1};
    const auto issue = [&](const MpiCall& mpi_call) {
        in_flight.begin(mpi_call);
        executor.execute(mpi_call);
        in_flight.end();
    };
    MPI_Request request = MPI_REQUEST_NULL;
    const auto isend = [&request] {
        const int code =
            PMPI_Isend(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
        check_mpi(code, "MPI_Isend");
    };
    const auto wait_for = [&request] {
        check_mpi(PMPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    };
    const HiddenCalls hidden;
    const u64 replayed = batch_of([&] { issue(post); }, [&] { issue(wait); });
    const u64 bare = batch_of(isend, wait_for);
    const u64 more = replayed - std::min(bare, replayed);
    return std::min(more / (kMeasuredSteps * kCallsOfStep), kMost);
}

namespace {

/// True outside of the replayed part of the program.
bool is_out(const MpiCall& mpi_call) {
    return mpi_call.patch_effect == MpiCall::PatchEffect::outside ||
           mpi_call.patch_effect == MpiCall::PatchEffect::prepared;
}

Volume volume_of(const Action& action) {
    switch (action.kind) {
        case Action::Kind::send:
            return {action.envelope.bytes, 0};
        case Action::Kind::receive:
            return {0, action.envelope.bytes};
        case Action::Kind::post_receive:
            return {0, action.known ? action.envelope.bytes : 0};
        case Action::Kind::collective:
        case Action::Kind::post_collective:
            return {action.part.sent, action.part.received};
        default:
            return {};
    }
}

Volume volume_of(const MpiCall& mpi_call) {
    Volume volume;
    if (mpi_call.family == CallFamily::matched_receive) volume.received = mpi_call.inferred.bytes;
    for (const Action& action : mpi_call.actions) volume += volume_of(action);
    return volume;
}

}  // namespace

LocationReplay::LocationReplay(TraceFile& file, u32 location, const ReplayPatch* patch,
                               Executor& executor, const PacerOptions& pacing,
                               const UnrecordedCalls& unrecorded)
    : file_(file),
      unrecorded_(unrecorded),
      location_(location),
      patch_(patch),
      pacing_(pacing),
      executor_(executor),
      pacer_(pacing) {}

void LocationReplay::count(const MpiCall& mpi_call) {
    CallCounter& counter = counters_[static_cast<std::size_t>(mpi_call.function)];
    ++counter.calls;
    counter.recorded_ticks += mpi_call.end - mpi_call.begin;
    const Volume volume = volume_of(mpi_call);
    counter.volume += volume;
    sized_calls_.expect(mpi_call.function, volume.sent + volume.received);
}

void LocationReplay::measure(const MpiCall& mpi_call, u64 nanoseconds) {
    const Volume volume = volume_of(mpi_call);
    CallCounter& counter = counters_[static_cast<std::size_t>(mpi_call.function)];
    ++counter.issued;
    counter.issued_volume += volume;
    counter.replayed_nanoseconds += nanoseconds;
    sized_calls_.add(mpi_call.function, volume.sent + volume.received, nanoseconds);
}

void LocationReplay::prepare(Traffic& traffic) {
    MpiCallReader program(file_, location_);
    program.infer(patch_);
    MpiCall mpi_call;
    bool begun = false;
    bool ended = false;
    while (program.next(mpi_call)) {
        infer_neighbours(mpi_call);
        const Treatment treatment = treatment_of(mpi_call);
        if (is_out(mpi_call)) {
            executor_.prepare(mpi_call);
            ++counted_;
            continue;
        }
        if (mpi_call.family == CallFamily::init) {
            start_ticks_ = mpi_call.end;
            end_ticks_ = mpi_call.end;
            begun = true;
        }
        if (mpi_call.family == CallFamily::finalize) {
            end_ticks_ = mpi_call.begin;
            ended = true;
        }
        // Inferences need all calls, issued or not.
        executor_.prepare(mpi_call);
        if (treatment == Treatment::counted) ++counted_;
        if (treatment == Treatment::unsupported) {
            ++left_out_[std::string(name_of(mpi_call, file_.definitions()))];
        }
        if (communicates(mpi_call)) {
            ++communicating_;
            issued_communicating_ += treatment == Treatment::issued ? 1 : 0;
        }
        if (treatment != Treatment::issued) continue;
        if (!begun) start_ticks_ = mpi_call.begin;
        begun = true;
        if (!ended) end_ticks_ = mpi_call.end;
        life_ = {std::min(life_.begin, mpi_call.begin), mpi_call.end};
        ++calls_;
        count(mpi_call);
        traffic.add(mpi_call);
    }
    if (has_window() && patch_->window.start_ticks != 0) {
        start_ticks_ = patch_->window.start_ticks;
        end_ticks_ = std::max(end_ticks_, start_ticks_);
    }
}

/// In a part of the program, it is unknown which of these calls all members make.
void LocationReplay::infer_neighbours(MpiCall& mpi_call) {
    if (mpi_call.family != CallFamily::neighbour || has_window()) return;
    if (executor_.neighbours().are_chosen()) {
        mpi_call.patch_effect = MpiCall::PatchEffect::inferred;
    }
}

void LocationReplay::set_up() {
    MpiCallReader program(file_, location_, Times::skip);
    program.infer(patch_);
    const u64 end = std::max(patch_->window.from, patch_->prepared);
    MpiCall mpi_call;
    while (program.next(mpi_call) && mpi_call.index < end) {
        if (mpi_call.patch_effect != MpiCall::PatchEffect::prepared) continue;
        in_flight_.begin(mpi_call);
        // No comparison, but later ones need the requests.
        if (check_ != nullptr) observation_.start();
        executor_.set_up(mpi_call);
        observation_.stop();
        in_flight_.end();
    }
    executor_.hold_locks();
}

Times LocationReplay::paced_times() const {
    switch (pacing_.deltas) {
        case Deltas::mean:
            return Times::mean;
        case Deltas::sample:
            return {Times::sample, pacing_.seed};
        case Deltas::exact:
            return Times::read;
        default:
            return Times::skip;
    }
}

void LocationReplay::rewind(bool in_order) {
    if (keeps_times_) times_.prepare(calls_);
    MpiCallReader calls(file_, location_, in_order ? Times(Times::read) : paced_times());
    calls.infer(patch_);
    calls.remember_loops();
    if (in_order) calls.pace(paced_times());
    if (has_window()) {
        MpiCall before;
        for (u64 left = patch_->window.from; left > 0 && calls.next(before); --left) {
        }
    }
    calls_ahead_.start(std::move(calls), pacing_.deltas != Deltas::none);
    while (calls_ahead_.fill()) {
    }
}

/// With generated times, each location has its own clock, from MPI_Init or the first call on.
void LocationReplay::begin_pacing(const MpiCall& mpi_call, u64 start) {
    if (mpi_call.family == CallFamily::init) {
        pacer_.start(start, mpi_call.paced_end);
    } else if (!paced_ && treatment_of(mpi_call) == Treatment::issued) {
        pacer_.start(clock_now(), mpi_call.paced_begin);
    } else {
        return;
    }
    paced_ = true;
}

void LocationReplay::forget_runs() {
    pacer_.forget_asked();
    sized_calls_.clear();
    for (CallCounter& counter : counters_) {
        counter.issued = 0;
        counter.issued_volume = {};
        counter.replayed_nanoseconds = 0;
    }
}

bool LocationReplay::issue(const MpiCall& mpi_call) {
    const u64 before = Observation::issued();
    const bool is_left_out = unrecorded_.contains(mpi_call.function);
    if (check_ != nullptr) observation_.start();
    if (!is_left_out) executor_.execute(mpi_call);
    if (check_ != nullptr) {
        observation_.stop();
        check_->compare(mpi_call, observation_);
    }
    if (Observation::issued() != before) return true;
    const bool has_window = mpi_call.family == CallFamily::window && executor_.has_window();
    return !is_left_out && !has_effect(mpi_call, has_window);
}

void LocationReplay::run(u64 start, u64 ticks, ThreadOrder* order, std::size_t thread) {
    if (check_ != nullptr) check_->restart();
    pacer_.start(start, ticks);
    paced_ = pacing_.deltas == Deltas::none || pacing_.deltas == Deltas::exact;
    const bool own_clock = !paced_;
    const auto fill = [this] { return calls_ahead_.fill(); };
    while (calls_ahead_.next()) {
        MpiCall& next = calls_ahead_.current();
        if (is_out(next)) {
            if (next.index >= patch_->window.to) break;
            continue;
        }
        infer_neighbours(next);
        if (own_clock) begin_pacing(next, start);
        if (next.family == CallFamily::finalize) {
            pacer_.before_call(next.paced_begin);
            continue;
        }
        if (treatment_of(next) != Treatment::issued) continue;
        if (order != nullptr) order->before_call(thread, next.begin, next.end);
        const u64 begin = pacer_.before_call(next.paced_begin, fill);
        const MpiCall& mpi_call = calls_ahead_.current();
        in_flight_.begin(mpi_call);
        const bool is_issued = issue(mpi_call);
        in_flight_.end();
        const u64 end = std::max(clock_now(), begin);
        pacer_.after_call(end, mpi_call.paced_end);
        if (is_issued) measure(mpi_call, end - begin);
        if (keeps_times_) times_.add(begin - start, end - start);
    }
    if (order != nullptr) order->end(thread);
    wall_ = clock_now() - start;
    if (keeps_times_) times_.set_end(wall_);
}

}  // namespace tracefold
