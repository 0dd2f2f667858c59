// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// What reading the MPI calls of a file costs a replay: bench_mpi_calls FILE.tfold [repetitions]
// walks the programs of all ranks, with and without their times, without issuing anything, and
// prints the median time of a call.
#include "mpi/mpi_call_reader.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <vector>

namespace {

using namespace tracefold;

/// Seconds that this thread has worked: others on the machine do not count.
double worked() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Pass {
    u64 calls = 0;
    u64 actions = 0;
    double seconds = 0;
};

/// Reads the calls of all ranks; setting up a program is not counted.
Pass walk(TraceFile& file, Times times) {
    Pass pass;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        for (const u32 location : mpi_locations(file, rank)) {
            MpiCallReader program(file, location, times);
            MpiCall call;
            const double start = worked();
            while (program.next(call)) {
                ++pass.calls;
                pass.actions += call.actions.size();
            }
            pass.seconds += worked() - start;
        }
    }
    return pass;
}

void measure(TraceFile& file, Times times, int repetitions) {
    std::vector<double> seconds;
    Pass pass;
    for (int i = 0; i < repetitions; ++i) {
        pass = walk(file, times);
        seconds.push_back(pass.seconds);
    }
    std::sort(seconds.begin(), seconds.end());
    std::printf("%s: %llu calls, %llu actions, %.1f ns a call %s times\n",
                file.container().path().c_str(), static_cast<unsigned long long>(pass.calls),
                static_cast<unsigned long long>(pass.actions),
                seconds[seconds.size() / 2] * 1e9 / static_cast<double>(pass.calls),
                times == Times::read ? "with" : "without");
}

}  // namespace

int main(int argc, char** argv) {
    const int repetitions = argc > 2 ? std::atoi(argv[2]) : 5;
    if (argc < 2 || repetitions < 1) {
        std::fprintf(stderr, "usage: bench_mpi_calls FILE.tfold [repetitions]\n");
        return 2;
    }
    try {
        TraceFile file(argv[1]);
        measure(file, Times::read, repetitions);
        measure(file, Times::skip, repetitions);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_mpi_calls: %s\n", error.what());
        return 1;
    }
    return 0;
}
