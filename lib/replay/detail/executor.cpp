// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/detail/executor.hpp"

#include "base/mpi.hpp"
#include "mpi/recorded_function.hpp"
#include "replay/proof/watched.hpp"

#include <thread>

namespace tracefold {

namespace {

bool waits(MpiFunction function) {
    return function == MpiFunction::Wait || function == MpiFunction::Waitall ||
           function == MpiFunction::Waitany || function == MpiFunction::Waitsome;
}

}  // namespace

Executor::Executor(ProcessObjects& objects, SizeExchange& sizes, double bytes_scale, bool threads)
    : objects_(objects),
      amounts_(bytes_scale),
      threads_(threads),
      messages_(objects.communicators, objects.wildcards, amounts_),
      probes_(messages_, buffers_, silent_, objects.inferences, objects.taken, threads),
      point_to_point_(messages_, amounts_, buffers_, silent_, objects.inferences),
      completion_(silent_, objects.inferences),
      collectives_(objects.communicators, sizes, objects.inferences, amounts_, buffers_),
      neighbours_(objects.communicators, objects.inferences, amounts_, buffers_) {}

void Executor::prepare(const MpiCall& call) {
    if (call.patch_effect == MpiCall::PatchEffect::outside) {
        objects_.inferences.count(Inference::outside_window);
        point_to_point_.note_ids(call);
        return;
    }
    if (call.patch_effect == MpiCall::PatchEffect::prepared) {
        objects_.inferences.count(Inference::made_before);
    }
    if (!asks_for_message(call.family)) {
        const bool left_out = call.patch_effect == MpiCall::PatchEffect::left_out;
        if (left_out || call.dropped) objects_.inferences.count(Inference::partner_missing);
        if (left_out) return;
    }
    objects_.wildcards.add(call);
    if (call.by_records) objects_.inferences.count(Inference::by_records);
    if (call.family != CallFamily::recorded) return prepare_objects(call);
    for_each_operation(call, [this](const MpiCall& operation) { prepare_objects(operation); });
}

void Executor::prepare_objects(const MpiCall& call) {
    objects_.requests.expect(call);
    point_to_point_.prepare(call);
    probes_.prepare(call);
    completion_.prepare(call);
    collectives_.prepare(call);
    neighbours_.prepare(call);
    if (call.family == CallFamily::window) {
        objects_.windows.prepare(call, amounts_, buffers_);
    }
    if (call.family == CallFamily::file) {
        objects_.files.prepare(call, amounts_, buffers_);
    }
    if (threads_ && call.family == CallFamily::comm_free) {
        objects_.inferences.count(Inference::comm_freed_late);
    }
}

void Executor::set_up(const MpiCall& call) {
    if (call.family == CallFamily::window) {
        if (!objects_.windows.set_up(call)) return;
    }
    issue(call);
}

void Executor::complete_all() {
    objects_.requests.for_each([this](u64 id, MPI_Request& request) {
        if (silent_.posted().contains(id) || point_to_point_.is_silent(id)) return;
        check_mpi(watched::Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    });
}

/// Communicators of other threads may be slightly late.
void Executor::wait_for_communicators(const MpiCall& call) const {
    for (const Action& action : call.actions) {
        const u64 comm = action.envelope.comm != kNone ? action.envelope.comm : action.part.comm;
        if (comm == kNone || action.kind == Action::Kind::create_comm) continue;
        while (objects_.communicators.find(comm) == MPI_COMM_NULL) std::this_thread::yield();
    }
}

void Executor::execute(const MpiCall& call) {
    if (threads_) {
        wait_for_communicators(call);
        // Other threads may still use it: it is freed at the end.
        if (call.family == CallFamily::comm_free) return;
    }
    issue(call);
}

void Executor::issue(const MpiCall& call) {
    switch (call.family) {
        case CallFamily::send:
        case CallFamily::receive:
        case CallFamily::send_receive:
        case CallFamily::post_send:
        case CallFamily::post_receive:
        case CallFamily::start:
            point_to_point_.execute(call, objects_.requests);
            break;
        case CallFamily::probe:
        case CallFamily::matched_receive:
            probes_.execute(call, objects_.requests);
            break;
        case CallFamily::completion:
        case CallFamily::request_free:
            if (call.actions.empty() && waits(call.function)) neighbours_.complete();
            point_to_point_.receive_unposted(call);
            if (completion_.execute(call, objects_.requests)) {
                objects_.communicators.complete(call);
                collectives_.complete(call);
            }
            break;
        case CallFamily::collective:
        case CallFamily::post_collective:
            collectives_.execute(call, objects_.requests);
            break;
        case CallFamily::comm_create:
            objects_.communicators.create(call, objects_.requests);
            neighbours_.note(call);
            break;
        case CallFamily::neighbour:
            neighbours_.execute(call);
            break;
        case CallFamily::comm_free:
            neighbours_.note(call);
            objects_.communicators.destroy(call);
            break;
        case CallFamily::window:
            objects_.windows.execute(call, {amounts_, buffers_, objects_.requests});
            break;
        case CallFamily::file:
            objects_.files.execute(call, {amounts_, buffers_, objects_.requests});
            break;
        case CallFamily::recorded:
            for_each_operation(call, [this](const MpiCall& operation) { issue(operation); });
            break;
        default:
            break;
    }
}

/// Waits for collectives without a record that no call completed.
void Executor::wait_for_unrecorded() {
    std::vector<u64> waited;
    objects_.requests.for_each([&waited](u64 id, MPI_Request& request) {
        if (id < kFirstUnrecordedRequest) return;
        check_mpi(watched::Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
        waited.push_back(id);
    });
    for (const u64 id : waited) {
        objects_.requests.remove(id);
        collectives_.complete(id);
    }
}

/// Receives without arguments are cancelled; sends without a wait are left to MPI.
void Executor::finish() {
    for (const u64 id : silent_.posted()) {
        MPI_Request* request = objects_.requests.find(id);
        if (request == nullptr) continue;
        check_mpi(watched::Cancel(request), "MPI_Cancel");
        check_mpi(watched::Wait(request, MPI_STATUS_IGNORE), "MPI_Wait");
        objects_.requests.remove(id);
    }
    silent_.clear();
    wait_for_unrecorded();
    neighbours_.complete();
    neighbours_.reset();
    point_to_point_.finish(objects_.requests);
}

}  // namespace tracefold
