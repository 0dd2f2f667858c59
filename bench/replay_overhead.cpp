// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a replay adds to the MPI calls that it issues: one rank of a trace is replayed with MPI
// functions that do nothing, beside a loop of the same calls written by hand.
//
// usage: mpiexec -n RANKS bench_replay_overhead FILE.tfold [RANK [RUNS]]
#include "replay_mpi/location_replay.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace {

u_int64_t calls = 0;

int nothing(MPI_Request* request = nullptr) {
    ++calls;
    if (request != nullptr) *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

}  // namespace

// In front of those of the MPI library, below what looks at the calls of a replay.
extern "C" {
int PMPI_Isend(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) {
    return nothing(request);
}
int PMPI_Irecv(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) {
    return nothing(request);
}
int PMPI_Send(const void*, int, MPI_Datatype, int, int, MPI_Comm) { return nothing(); }
int PMPI_Recv(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*) { return nothing(); }
int PMPI_Wait(MPI_Request*, MPI_Status*) { return nothing(); }
int PMPI_Waitall(int, MPI_Request[], MPI_Status*) { return nothing(); }
int PMPI_Barrier(MPI_Comm) { return nothing(); }
int PMPI_Allreduce(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) { return nothing(); }
}

namespace {

using namespace tracefold;

/// Nanoseconds per call of a replay.
double replayed(LocationReplay& location) {
    location.rewind(false);
    calls = 0;
    const u64 start = clock_now();
    location.run(start, 0, nullptr, 0);
    return static_cast<double>(clock_now() - start) / static_cast<double>(calls);
}

/// The calls of a stencil with four neighbours.
double by_hand(u64 count) {
    std::vector<char> buffer(1024);
    MPI_Request requests[8];
    calls = 0;
    const u64 start = clock_now();
    while (calls < count) {
        for (int i = 0; i < 4; ++i) {
            MPI_Irecv(buffer.data(), 64, MPI_BYTE, i, i, MPI_COMM_WORLD, &requests[i]);
        }
        for (int i = 0; i < 4; ++i) {
            MPI_Isend(buffer.data(), 64, MPI_BYTE, i, i, MPI_COMM_WORLD, &requests[4 + i]);
        }
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    }
    return static_cast<double>(clock_now() - start) / static_cast<double>(calls);
}

double median(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

int measure(const std::string& path, u32 rank, int runs) {
    TraceFile file(path);
    ProcessObjects objects(file, rank, false);
    SizeExchange sizes(objects.table);
    Executor executor(objects, sizes, 1.0, false);
    LocationReplay location(file, mpi_locations(file, rank).front(), nullptr, executor, {});
    location.prepare();
    executor.allocate();
    std::vector<double> of_replay;
    std::vector<double> of_loop;
    std::vector<double> difference;
    for (int run = 0; run < runs; ++run) {
        of_replay.push_back(replayed(location));
        of_loop.push_back(by_hand(calls));
        difference.push_back(of_replay.back() - of_loop.back());
    }
    std::cout << path << ", rank " << rank << ": " << location.calls() << " calls, medians of "
              << runs << " runs in ns per call: replay " << median(of_replay) << ", by hand "
              << median(of_loop) << ", difference " << median(difference) << '\n';
    return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::cerr << "usage: bench_replay_overhead FILE.tfold [RANK [RUNS]]\n";
        return 2;
    }
    MPI_Init(&argc, &argv);
    const int result = measure(argv[1], argc > 2 ? static_cast<u32>(std::atoi(argv[2])) : 0,
                               argc > 3 ? std::atoi(argv[3]) : 21);
    MPI_Finalize();
    return result;
}
