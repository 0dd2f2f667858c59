// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_kernels.hpp"

#include <array>

#include <mpi.h>

namespace tracefold {

namespace {

constexpr int kMessages = 4;
constexpr int kBytes = 64;
constexpr int kTag = 7;

struct Place {
    int rank = 0;
    int size = 1;

    /// Two messages go to the next rank and two to the one before.
    [[nodiscard]] int target(int message) const {
        return (message < kMessages / 2 ? rank + 1 : rank + size - 1) % size;
    }
    [[nodiscard]] int source(int message) const {
        return (message < kMessages / 2 ? rank + size - 1 : rank + 1) % size;
    }
};

Place own_place() {
    Place place;
    MPI_Comm_rank(MPI_COMM_WORLD, &place.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &place.size);
    return place;
}

void record_exchange(EventRecorder& out, u64 rank, u64 ranks) {
    const Place place{static_cast<int>(rank), static_cast<int>(ranks)};
    std::array<u64, 2 * kMessages> requests{};
    for (int i = 0; i < kMessages; ++i) requests[i] = out.irecv();
    for (int i = 0; i < kMessages; ++i) {
        requests[kMessages + i] = out.isend(static_cast<u64>(place.target(i)), i, kBytes);
    }
    out.enter("MPI_Waitall");
    for (int i = 0; i < kMessages; ++i) {
        out.received(static_cast<u64>(place.source(i)), i, kBytes, requests[i]);
    }
    for (int i = 0; i < kMessages; ++i) out.sent(requests[kMessages + i]);
    out.leave();
}

void run_exchange(u64 steps, Pause& pause) {
    const Place place = own_place();
    std::array<char, kMessages * kBytes> in{};
    std::array<char, kMessages * kBytes> out{};
    std::array<MPI_Request, 2 * kMessages> requests{};
    for (u64 step = 0; step < steps; ++step) {
        for (int i = 0; i < kMessages; ++i) {
            pause();
            PMPI_Irecv(&in[i * kBytes], kBytes, MPI_BYTE, place.source(i), i, MPI_COMM_WORLD,
                       &requests[i]);
        }
        for (int i = 0; i < kMessages; ++i) {
            pause();
            PMPI_Isend(&out[i * kBytes], kBytes, MPI_BYTE, place.target(i), i, MPI_COMM_WORLD,
                       &requests[kMessages + i]);
        }
        pause();
        PMPI_Waitall(2 * kMessages, requests.data(), MPI_STATUSES_IGNORE);
    }
}

void record_ping_pong(EventRecorder& out, u64 rank, u64) {
    if (rank > 1) return;
    if (rank == 0) out.send(1, kTag, kBytes);
    out.receive(1 - rank, kTag, kBytes);
    if (rank == 1) out.send(0, kTag, kBytes);
}

void run_ping_pong(u64 steps, Pause& pause) {
    const int rank = own_place().rank;
    std::array<char, kBytes> data{};
    for (u64 step = 0; step < steps && rank < 2; ++step) {
        pause();
        if (rank == 0) {
            PMPI_Send(data.data(), kBytes, MPI_BYTE, 1, kTag, MPI_COMM_WORLD);
            pause();
        }
        PMPI_Recv(data.data(), kBytes, MPI_BYTE, 1 - rank, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) {
            pause();
            PMPI_Send(data.data(), kBytes, MPI_BYTE, 0, kTag, MPI_COMM_WORLD);
        }
    }
}

void record_collectives(EventRecorder& out, u64, u64 ranks) {
    const u64 bytes = sizeof(u64) * ranks;
    out.collective("MPI_Allreduce", EventRecorder::kAllreduce, bytes, bytes);
    out.collective("MPI_Barrier", EventRecorder::kBarrier);
}

void run_collectives(u64 steps, Pause& pause) {
    u64 in = 0;
    u64 out = 0;
    for (u64 step = 0; step < steps; ++step) {
        pause();
        PMPI_Allreduce(&out, &in, 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
        pause();
        PMPI_Barrier(MPI_COMM_WORLD);
    }
}

}  // namespace

const std::vector<ReplayKernel>& replay_kernels() {
    static const std::vector<ReplayKernel> kernels = {
        {"exchange", 2 * kMessages + 1, 8 * kMessages + 2, false, record_exchange, run_exchange},
        {"ping-pong", 2, 6, true, record_ping_pong, run_ping_pong},
        {"collectives", 2, 8, false, record_collectives, run_collectives},
    };
    return kernels;
}

}  // namespace tracefold
