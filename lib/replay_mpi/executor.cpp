// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/executor.hpp"

#include "comm/mpi_error.hpp"

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
      completion_(silent_, objects.inferences, threads),
      collectives_(objects.communicators, sizes, objects.inferences, amounts_, buffers_),
      neighbours_(objects.communicators, objects.inferences, amounts_, buffers_) {}

void Executor::prepare(const Operation& operation) {
    if (operation.treatment == Operation::Treatment::outside) {
        objects_.inferences.count(Inference::outside_window);
        point_to_point_.note_ids(operation);
        return;
    }
    if (operation.treatment == Operation::Treatment::prepared) {
        objects_.inferences.count(Inference::made_before);
    }
    const bool left_out = operation.treatment == Operation::Treatment::left_out;
    if (left_out || operation.dropped) objects_.inferences.count(Inference::partner_missing);
    if (left_out && operation.family != CallFamily::probe) return;
    objects_.wildcards.add(operation);
    point_to_point_.prepare(operation);
    probes_.prepare(operation);
    completion_.prepare(operation);
    collectives_.prepare(operation);
    neighbours_.prepare(operation);
    if (operation.family == CallFamily::window) {
        objects_.windows.prepare(operation, amounts_, buffers_);
    }
    if (operation.family == CallFamily::file) {
        objects_.files.prepare(operation, amounts_, buffers_);
    }
    if (threads_ && operation.family == CallFamily::comm_free) {
        objects_.inferences.count(Inference::comm_freed_late);
    }
}

void Executor::set_up(const Operation& operation) {
    if (operation.family == CallFamily::window) {
        if (!objects_.windows.set_up(operation)) return;
    }
    issue(operation);
}

void Executor::complete_all() {
    objects_.requests.for_each([this](u64 id, MPI_Request& request) {
        if (silent_.posted().contains(id) || point_to_point_.is_silent(id)) return;
        check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    });
}

/// What another thread makes may be a moment late.
void Executor::wait_for_communicators(const Operation& operation) const {
    for (const Action& action : operation.actions) {
        const u64 comm = action.envelope.comm != kNone ? action.envelope.comm : action.part.comm;
        if (comm == kNone || action.kind == Action::Kind::create_comm) continue;
        while (objects_.communicators.find(comm) == MPI_COMM_NULL) std::this_thread::yield();
    }
}

void Executor::execute(const Operation& operation) {
    if (threads_) {
        wait_for_communicators(operation);
        // Other threads may not be done with it: it is freed in the end.
        if (operation.family == CallFamily::comm_free) return;
    }
    issue(operation);
}

void Executor::issue(const Operation& operation) {
    switch (operation.family) {
        case CallFamily::send:
        case CallFamily::receive:
        case CallFamily::send_receive:
        case CallFamily::post_send:
        case CallFamily::post_receive:
        case CallFamily::start:
            point_to_point_.execute(operation, objects_.requests);
            break;
        case CallFamily::probe:
        case CallFamily::matched_receive:
            probes_.execute(operation, objects_.requests);
            break;
        case CallFamily::completion:
        case CallFamily::request_free:
            if (operation.actions.empty() && waits(operation.function)) neighbours_.complete();
            point_to_point_.receive_unposted(operation);
            if (completion_.execute(operation, objects_.requests)) {
                objects_.communicators.complete(operation);
                collectives_.complete(operation);
            }
            break;
        case CallFamily::collective:
        case CallFamily::post_collective:
            collectives_.execute(operation, objects_.requests);
            break;
        case CallFamily::comm_create:
            objects_.communicators.create(operation, objects_.requests);
            neighbours_.note(operation);
            break;
        case CallFamily::neighbour:
            neighbours_.execute(operation);
            break;
        case CallFamily::comm_free:
            neighbours_.note(operation);
            objects_.communicators.destroy(operation);
            break;
        case CallFamily::window:
            objects_.windows.execute(operation, {amounts_, buffers_, objects_.requests});
            break;
        case CallFamily::file:
            objects_.files.execute(operation, {amounts_, buffers_, objects_.requests});
            break;
        default:
            break;
    }
}

/// Collectives without a record that no call was taken to complete.
void Executor::wait_for_unrecorded() {
    std::vector<u64> waited;
    objects_.requests.for_each([&waited](u64 id, MPI_Request& request) {
        if (id < kFirstUnrecordedRequest) return;
        check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
        waited.push_back(id);
    });
    for (const u64 id : waited) {
        objects_.requests.remove(id);
        collectives_.complete(id);
    }
}

/// Receives without arguments are cancelled; sends that nobody waited for are left to MPI.
void Executor::finish() {
    for (const u64 id : silent_.posted()) {
        MPI_Request* request = objects_.requests.find(id);
        if (request == nullptr) continue;
        check_mpi(MPI_Cancel(request), "MPI_Cancel");
        check_mpi(MPI_Wait(request, MPI_STATUS_IGNORE), "MPI_Wait");
        objects_.requests.remove(id);
    }
    silent_.clear();
    wait_for_unrecorded();
    neighbours_.complete();
    neighbours_.reset();
    point_to_point_.finish(objects_.requests);
}

}  // namespace tracefold
