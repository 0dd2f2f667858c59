// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/requests/silent_requests.hpp"

#include "comm/mpi_error.hpp"
#include "replay_mpi/proof/watched.hpp"

namespace tracefold {

namespace {

constexpr int kSilentTag = 0;

void return_errors(MPI_Comm comm) {
    check_mpi(PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

}  // namespace

SilentRequests::SilentRequests() {
    check_mpi(PMPI_Comm_dup(MPI_COMM_SELF, &hidden_), "MPI_Comm_dup");
    return_errors(hidden_);
    check_mpi(PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, kSilentTag, hidden_, &pending_), "MPI_Irecv");
}

SilentRequests::~SilentRequests() {
    PMPI_Cancel(&pending_);
    PMPI_Wait(&pending_, MPI_STATUS_IGNORE);
    PMPI_Comm_free(&hidden_);
    if (watched_ != MPI_COMM_NULL) watched::Comm_free(&watched_);
}

void SilentRequests::open() {
    if (!expected_ || watched_ != MPI_COMM_NULL) return;
    check_mpi(watched::Comm_dup(MPI_COMM_SELF, &watched_), "MPI_Comm_dup");
    return_errors(watched_);
}

MPI_Request SilentRequests::post(u64 id) {
    posted_.insert(id);
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(watched::Irecv(nullptr, 0, MPI_BYTE, 0, kSilentTag, communicator(), &request),
              "MPI_Irecv");
    return request;
}

Message SilentRequests::message() const { return {communicator(), 0, kSilentTag + 1, {}}; }

}  // namespace tracefold
