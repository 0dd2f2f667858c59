// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/requests/silent_requests.hpp"

#include "comm/mpi_error.hpp"

namespace tracefold {

SilentRequests::SilentRequests() {
    check_mpi(MPI_Comm_dup(MPI_COMM_SELF, &comm_), "MPI_Comm_dup");
    check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    pending_ = post();
}

SilentRequests::~SilentRequests() {
    MPI_Cancel(&pending_);
    MPI_Wait(&pending_, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm_);
}

MPI_Request SilentRequests::post() const {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, 0, kTag, comm_, &request), "MPI_Irecv");
    return request;
}

MPI_Request SilentRequests::post(u64 id) {
    posted_.insert(id);
    return post();
}

}  // namespace tracefold
