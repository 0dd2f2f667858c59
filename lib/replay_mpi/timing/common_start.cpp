// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/timing/common_start.hpp"

#include "comm/mpi_error.hpp"
#include "replay_mpi/timing/clock.hpp"

namespace tracefold {

namespace {

constexpr int kRoundTrips = 8;
constexpr int kTag = 0;
constexpr u64 kLead = 2'000'000;  ///< nanoseconds
constexpr u64 kLeadPerProcess = 1'000;

u64 receive_time(int from, MPI_Comm comm) {
    u64 time = 0;
    check_mpi(PMPI_Recv(&time, 1, MPI_UINT64_T, from, kTag, comm, MPI_STATUS_IGNORE), "MPI_Recv");
    return time;
}

void send_time(u64 time, int to, MPI_Comm comm) {
    check_mpi(PMPI_Send(&time, 1, MPI_UINT64_T, to, kTag, comm), "MPI_Send");
}

void answer(int rank, MPI_Comm comm) {
    for (int i = 0; i < kRoundTrips; ++i) {
        receive_time(rank, comm);
        send_time(clock_now(), rank, comm);
    }
}

/// What to add to a time of rank 0 to get the own one; the fastest round trip tells best.
u64 distance_to_root(MPI_Comm comm) {
    u64 fastest = ~u64{0};
    u64 distance = 0;
    for (int i = 0; i < kRoundTrips; ++i) {
        const u64 sent = clock_now();
        send_time(sent, 0, comm);
        const u64 root = receive_time(0, comm);
        const u64 received = clock_now();
        if (received - sent < fastest) {
            fastest = received - sent;
            distance = sent + fastest / 2 - root;
        }
    }
    return distance;
}

}  // namespace

u64 agree_on_start(MPI_Comm comm) {
    int rank = 0;
    int size = 0;
    check_mpi(PMPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    check_mpi(PMPI_Comm_size(comm, &size), "MPI_Comm_size");
    u64 distance = 0;
    if (rank == 0) {
        for (int other = 1; other < size; ++other) answer(other, comm);
    } else {
        distance = distance_to_root(comm);
    }
    check_mpi(PMPI_Barrier(comm), "MPI_Barrier");
    u64 start = clock_now() + kLead + static_cast<u64>(size) * kLeadPerProcess;
    check_mpi(PMPI_Bcast(&start, 1, MPI_UINT64_T, 0, comm), "MPI_Bcast");
    return start + distance;
}

void wait_until(u64 moment) {
    while (clock_now() < moment) {
    }
}

}  // namespace tracefold
