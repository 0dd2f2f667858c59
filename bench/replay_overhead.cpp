// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a replay adds to the MPI calls that it issues: generated traces are replayed beside loops of
// the same calls written by hand, in turn, and the medians compared. On one process messages go to
// itself, so that hardly anything but the calls is measured.
//
// usage: [mpiexec -n RANKS] bench_replay_overhead [STEPS [RUNS]]
#include "comm/serial.hpp"
#include "pipeline/compress.hpp"
#include "replay_kernels.hpp"
#include "replay_mpi/common_start.hpp"
#include "replay_mpi/rank_replay.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include <unistd.h>

namespace {

using namespace tracefold;
namespace fs = std::filesystem;

constexpr u64 kLength = 1'000'000'000;
constexpr u64 kCallsAround = 2;  ///< a barrier on either side

int own_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

u64 process_count() {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return static_cast<u64>(size);
}

/// A folder that all processes know and the first one removes.
class Folder {
  public:
    Folder() {
        int number = ::getpid();
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
        path_ = fs::temp_directory_path() / ("tracefold-bench-" + std::to_string(number));
        if (own_rank() == 0) fs::create_directories(path_);
    }
    ~Folder() {
        MPI_Barrier(MPI_COMM_WORLD);
        if (own_rank() == 0) fs::remove_all(path_);
    }
    [[nodiscard]] std::string operator/(const std::string& name) const {
        return (path_ / name).string();
    }

  private:
    fs::path path_;
};

void write_archive(const ReplayKernel& kernel, u64 ranks, u64 steps, const std::string& folder) {
    GeneratedDefinitions definitions({{"nid", 1, ranks}}, {"/usr/bin/" + kernel.name}, {},
                                     [&](u64) { return kernel.events * steps; });
    fs::create_directories(folder);
    ArchiveWriter writer(folder, generated_archive(false), {false});
    definitions.write(writer, kLength);
    for (u64 rank = 0; rank < ranks; ++rank) {
        definitions.write_local(writer, rank, kLength);
        EventRecorder out(writer, definitions, rank);
        out.begin_program();
        for (u64 step = 0; step < steps; ++step) {
            kernel.record(out, rank, ranks);
            out.flush();
        }
        out.end_program();
        writer.close_location(rank);
    }
    writer.finish();
}

/// The folded trace of a kernel, written by the first process.
std::string write_trace(const ReplayKernel& kernel, u64 steps, const Folder& folder) {
    const std::string path = folder / (kernel.name + ".tfold");
    if (own_rank() == 0) {
        write_archive(kernel, process_count(), steps, folder / kernel.name);
        CompressOptions options;
        options.archive = folder / kernel.name;
        options.output = path;
        options.verify = false;
        SerialCommunicator comm;
        compress(comm, options);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return path;
}

double by_hand(const ReplayKernel& kernel, u64 steps) {
    const u64 start = agree_on_start(MPI_COMM_WORLD);
    wait_until(start);
    MPI_Barrier(MPI_COMM_WORLD);
    kernel.run(steps);
    MPI_Barrier(MPI_COMM_WORLD);
    return static_cast<double>(clock_now() - start);
}

double median(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void measure(const ReplayKernel& kernel, const std::string& path, Deltas deltas, u64 steps,
             int runs) {
    TraceFile file(path);
    ReplayOptions options;
    options.deltas = deltas;
    options.compute_scale = 0;  // the times are read, but nothing is waited for
    RankReplay rank(file, static_cast<u32>(own_rank()), {}, options);
    rank.prepare();
    rank.exchange();
    rank.allocate();
    const auto calls = static_cast<double>(kernel.calls * steps + kCallsAround);
    std::vector<double> of_replay;
    std::vector<double> of_loop;
    std::vector<double> difference;
    for (int run = 0; run < runs; ++run) {
        rank.run();
        of_replay.push_back(static_cast<double>(rank.runs().back().wall) / calls);
        of_loop.push_back(by_hand(kernel, steps) / calls);
        difference.push_back(of_replay.back() - of_loop.back());
    }
    if (own_rank() != 0) return;
    std::printf("%-12s deltas %-5s %10.0f calls: %7.1f ns a call replayed, %7.1f by hand, %6.1f more\n",
                kernel.name.c_str(), deltas == Deltas::none ? "none" : "exact", calls,
                median(of_replay), median(of_loop), median(difference));
}

void measure_all(u64 steps, int runs) {
    const Folder folder;
    for (const ReplayKernel& kernel : replay_kernels()) {
        if (kernel.needs_partner && process_count() == 1) continue;
        const std::string path = write_trace(kernel, steps, folder);
        measure(kernel, path, Deltas::none, steps, runs);
        measure(kernel, path, Deltas::exact, steps, runs);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int steps = argc > 1 ? std::atoi(argv[1]) : 20'000;
    const int runs = argc > 2 ? std::atoi(argv[2]) : 21;
    MPI_Init(&argc, &argv);
    int result = EXIT_FAILURE;
    try {
        if (steps < 1 || runs < 1) {
            std::fprintf(stderr, "usage: bench_replay_overhead [STEPS [RUNS]]\n");
        } else {
            measure_all(static_cast<u64>(steps), runs);
            result = EXIT_SUCCESS;
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_replay_overhead: %s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return result;
}
