// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/detail/mpi_in_flight.hpp"

#include "comm/mpi_error.hpp"

#include <algorithm>
#include <utility>

namespace tracefold::inline comm {

namespace {

/// Not that of send() and receive().
constexpr int kTagInFlight = 1;

bool all_done(std::vector<MPI_Request>& requests) {
    int done = 0;
    check_mpi(PMPI_Testall(static_cast<int>(requests.size()), requests.data(), &done,
                           MPI_STATUSES_IGNORE),
              "MPI_Testall");
    return done != 0;
}

}  // namespace

MpiSendInFlight::MpiSendInFlight(MPI_Comm comm, int to, std::size_t piece_bytes, std::string bytes)
    : content_(std::make_unique<Content>()) {
    content_->size = bytes.size();
    content_->bytes = std::move(bytes);
    const auto start = [&](const void* from, int count, MPI_Datatype type) {
        requests_.push_back(MPI_REQUEST_NULL);
        check_mpi(PMPI_Isend(from, count, type, to, kTagInFlight, comm, &requests_.back()),
                  "MPI_Isend");
    };
    start(&content_->size, 1, MPI_UINT64_T);
    for (std::size_t offset = 0; offset < content_->bytes.size(); offset += piece_bytes) {
        start(content_->bytes.data() + offset,
              static_cast<int>(std::min(piece_bytes, content_->bytes.size() - offset)), MPI_BYTE);
    }
}

MpiSendInFlight::~MpiSendInFlight() {
    bool given_up = false;
    for (MPI_Request& request : requests_) {
        if (request == MPI_REQUEST_NULL) continue;
        PMPI_Request_free(&request);
        given_up = true;
    }
    // MPI may still read it.
    if (given_up) static_cast<void>(content_.release());
}

bool MpiSendInFlight::test() { return all_done(requests_); }

MpiReceiveInFlight::MpiReceiveInFlight(MPI_Comm comm, int from, std::size_t piece_bytes)
    : comm_(comm), from_(from), piece_bytes_(piece_bytes), requests_(1, MPI_REQUEST_NULL) {
    check_mpi(PMPI_Irecv(&size_, 1, MPI_UINT64_T, from_, kTagInFlight, comm_, requests_.data()),
              "MPI_Irecv");
}

MpiReceiveInFlight::~MpiReceiveInFlight() {
    for (MPI_Request& request : requests_) {
        if (request == MPI_REQUEST_NULL) continue;
        PMPI_Cancel(&request);
        PMPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

bool MpiReceiveInFlight::test() {
    if (!all_done(requests_)) return false;
    if (has_size_) return true;
    has_size_ = true;
    receive_pieces();
    return all_done(requests_);
}

void MpiReceiveInFlight::receive_pieces() {
    bytes_.resize(static_cast<std::size_t>(size_));
    requests_.clear();
    for (std::size_t offset = 0; offset < bytes_.size(); offset += piece_bytes_) {
        requests_.push_back(MPI_REQUEST_NULL);
        const auto count = static_cast<int>(std::min(piece_bytes_, bytes_.size() - offset));
        check_mpi(PMPI_Irecv(bytes_.data() + offset, count, MPI_BYTE, from_, kTagInFlight, comm_,
                             &requests_.back()),
                  "MPI_Irecv");
    }
}

}  // namespace tracefold::inline comm
