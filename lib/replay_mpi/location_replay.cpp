// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/location_replay.hpp"

#include <algorithm>

namespace tracefold {

namespace {

void add_bytes(const Action& action, CallCounter& counter) {
    switch (action.kind) {
        case Action::Kind::send:
            counter.sent += action.envelope.bytes;
            break;
        case Action::Kind::receive:
            counter.received += action.envelope.bytes;
            break;
        case Action::Kind::post_receive:
            if (action.known) counter.received += action.envelope.bytes;
            break;
        case Action::Kind::collective:
        case Action::Kind::post_collective:
            counter.sent += action.part.sent;
            counter.received += action.part.received;
            break;
        default:
            break;
    }
}

}  // namespace

LocationReplay::LocationReplay(TraceFile& file, u32 location, const LocationInference* inference,
                               Executor& executor, const PacerOptions& pacing)
    : file_(file),
      location_(location),
      inference_(inference),
      pacer_needs_times_(pacing.deltas != Deltas::none),
      executor_(executor),
      pacer_(pacing) {}

void LocationReplay::count(const Operation& operation) {
    CallCounter& counter = counters_[static_cast<std::size_t>(operation.function)];
    ++counter.calls;
    counter.recorded_ticks += operation.end - operation.begin;
    for (const Action& action : operation.actions) add_bytes(action, counter);
    if (operation.family == CallFamily::matched_receive) {
        counter.received += operation.inferred.bytes;
    }
}

void LocationReplay::prepare() {
    start_program(Times::read);
    Operation operation;
    bool begun = false;
    bool ended = false;
    while (program_->next(operation)) {
        const Treatment treatment = treatment_of(operation);
        if (operation.family == CallFamily::init) {
            start_ticks_ = operation.end;
            end_ticks_ = operation.end;
            begun = true;
        }
        if (operation.family == CallFamily::finalize) {
            end_ticks_ = operation.begin;
            ended = true;
        }
        // Inferences look at all calls, be they issued or not.
        executor_.prepare(operation);
        if (treatment == Treatment::counted) ++counted_;
        if (treatment == Treatment::unsupported) {
            ++left_out_[file_.definitions().region_name(operation.region)];
        }
        if (treatment != Treatment::issued) continue;
        if (!begun) start_ticks_ = operation.begin;
        begun = true;
        if (!ended) end_ticks_ = operation.end;
        life_ = {std::min(life_.begin, operation.begin), operation.end};
        ++calls_;
        count(operation);
    }
}

void LocationReplay::start_program(Times times) {
    program_ = std::make_unique<RankProgram>(file_, location_, times);
    program_->infer(inference_);
}

void LocationReplay::rewind(bool in_order) {
    const bool times = pacer_needs_times_ || in_order;
    start_program(times ? Times::read : Times::skip);
}

void LocationReplay::forget_times() {
    for (CallCounter& counter : counters_) counter.replayed_nanoseconds = 0;
}

void LocationReplay::issue(const Operation& operation) {
    if (check_ == nullptr) {
        executor_.execute(operation);
        return;
    }
    observation_.start();
    executor_.execute(operation);
    observation_.stop();
    check_->compare(operation, observation_);
}

void LocationReplay::run(u64 start, u64 ticks, ThreadOrder* order, std::size_t thread) {
    if (check_ != nullptr) check_->forget_communicators();
    pacer_.start(start, ticks);
    Operation operation;
    while (program_->next(operation)) {
        if (operation.family == CallFamily::finalize) {
            pacer_.before_call(operation.begin);
            continue;
        }
        if (treatment_of(operation) != Treatment::issued) continue;
        if (order != nullptr) order->before_call(thread, operation.begin, operation.end);
        const u64 begin = pacer_.before_call(operation.begin);
        in_flight_.begin(operation);
        issue(operation);
        in_flight_.end();
        const u64 end = clock_now();
        pacer_.after_call(end, operation.end);
        counters_[static_cast<std::size_t>(operation.function)].replayed_nanoseconds += end - begin;
    }
    if (order != nullptr) order->end(thread);
    wall_ = clock_now() - start;
}

}  // namespace tracefold
