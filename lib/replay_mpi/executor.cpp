// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/executor.hpp"

#include "comm/mpi_error.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Some recorders write nothing about collectives but their names.
bool has_part(const Operation& operation) {
    return std::any_of(operation.actions.begin(), operation.actions.end(),
                       [](const Action& action) {
                           return action.kind == Action::Kind::collective ||
                                  (action.kind == Action::Kind::post_collective && action.known);
                       });
}

}  // namespace

Treatment treatment_of(const Operation& operation) {
    switch (operation.family) {
        case CallFamily::init:
        case CallFamily::finalize:
        case CallFamily::persistent_init:
        case CallFamily::cancel:
        case CallFamily::request_free:
        case CallFamily::local:
            return Treatment::counted;
        case CallFamily::collective:
        case CallFamily::post_collective:
            return has_part(operation) ? Treatment::issued : Treatment::unsupported;
        case CallFamily::probe:
        case CallFamily::matched_receive:
        case CallFamily::neighbour:
        case CallFamily::window:
        case CallFamily::file:
        case CallFamily::unsupported:
            return Treatment::unsupported;
        default:
            return Treatment::issued;
    }
}

Executor::Executor(Communicators& communicators, Requests& requests, SizeExchange& sizes,
                   double bytes_scale)
    : communicators_(communicators),
      requests_(requests),
      amounts_(bytes_scale),
      point_to_point_(communicators, amounts_, buffers_, silent_),
      completion_(silent_),
      collectives_(communicators, sizes, amounts_, buffers_) {}

void Executor::prepare(const Operation& operation) {
    point_to_point_.prepare(operation);
    collectives_.prepare(operation);
}

void Executor::execute(const Operation& operation) {
    switch (operation.family) {
        case CallFamily::send:
        case CallFamily::receive:
        case CallFamily::send_receive:
        case CallFamily::post_send:
        case CallFamily::post_receive:
        case CallFamily::start:
            point_to_point_.execute(operation, requests_);
            break;
        case CallFamily::completion:
            completion_.execute(operation, requests_);
            communicators_.complete(operation);
            collectives_.complete(operation);
            break;
        case CallFamily::collective:
        case CallFamily::post_collective:
            collectives_.execute(operation, requests_);
            break;
        case CallFamily::comm_create:
            communicators_.create(operation, requests_);
            break;
        case CallFamily::comm_free:
            communicators_.destroy(operation);
            break;
        default:
            break;
    }
}

/// Receives without arguments are cancelled; sends that nobody waited for are left to MPI.
void Executor::finish() {
    for (const u64 id : silent_.posted()) {
        MPI_Request* request = requests_.find(id);
        if (request == nullptr) continue;
        check_mpi(MPI_Cancel(request), "MPI_Cancel");
        check_mpi(MPI_Wait(request, MPI_STATUS_IGNORE), "MPI_Wait");
        requests_.remove(id);
    }
    silent_.clear();
    point_to_point_.finish();
}

}  // namespace tracefold
