// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// What reading the MPI calls of a file costs a replay: bench_rank_program FILE.tfold [repetitions]
// walks the programs of all ranks, without issuing anything, and prints the median time of a call.
#include "replay/rank_program.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

using namespace tracefold;
using Clock = std::chrono::steady_clock;

struct Pass {
    u64 calls = 0;
    u64 actions = 0;
    double seconds = 0;
};

/// Reads the calls of all ranks; setting up a program is not counted.
Pass walk(TraceFile& file) {
    Pass pass;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        for (const u32 location : mpi_locations(file, rank)) {
            RankProgram program(file, location);
            Operation operation;
            const auto start = Clock::now();
            while (program.next(operation)) {
                ++pass.calls;
                pass.actions += operation.actions.size();
            }
            pass.seconds += std::chrono::duration<double>(Clock::now() - start).count();
        }
    }
    return pass;
}

void measure(const char* path, int repetitions) {
    TraceFile file(path);
    std::vector<double> seconds;
    Pass pass;
    for (int i = 0; i < repetitions; ++i) {
        pass = walk(file);
        seconds.push_back(pass.seconds);
    }
    std::sort(seconds.begin(), seconds.end());
    std::printf("%s: %llu calls, %llu actions, %.1f ns a call\n", path,
                static_cast<unsigned long long>(pass.calls),
                static_cast<unsigned long long>(pass.actions),
                seconds[seconds.size() / 2] * 1e9 / static_cast<double>(pass.calls));
}

}  // namespace

int main(int argc, char** argv) {
    const int repetitions = argc > 2 ? std::atoi(argv[2]) : 5;
    if (argc < 2 || repetitions < 1) {
        std::fprintf(stderr, "usage: bench_rank_program FILE.tfold [repetitions]\n");
        return 2;
    }
    try {
        measure(argv[1], repetitions);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_rank_program: %s\n", error.what());
        return 1;
    }
    return 0;
}
