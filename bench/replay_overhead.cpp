// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a replay adds to the MPI calls that it issues: generated traces are replayed beside loops of
// the same calls written by hand, in turn, and the medians compared. On one process messages go to
// itself, so that hardly anything but the calls is measured. With computation the loop waits as
// long as the replay does before every call, and the difference is what the replay takes beyond
// that.
//
// usage: [mpiexec -n RANKS] bench_replay_overhead [STEPS [RUNS [MODE]]]
#include "archives/compress.hpp"
#include "base/communicator.hpp"
#include "replay/detail/rank_replay.hpp"
#include "replay/timing/pacer.hpp"
#include "replay_kernels.hpp"

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
constexpr u64 kShortestGap = 100;  ///< of EventRecorder
constexpr u64 kCallsAround = 2;    ///< a barrier on either side

/// What is measured.
struct Mode {
    std::string name;
    Deltas deltas = Deltas::none;
    u64 gap = 0;  ///< nanoseconds that pass before every call
    u64 max_calls = ~u64{0};
};

/// Without gaps the times are read, but nothing is waited for. In short gaps a replay lives on what
/// it has read before the start, so that only so many calls of these are measured.
const std::vector<Mode>& modes() {
    static const std::vector<Mode> all = {
        {"none", Deltas::none},
        {"exact, no gaps", Deltas::exact},
        {"exact, gaps of 200 ns", Deltas::exact, 200, CallBuffer::kCalls - 96},
        {"exact, gaps of 500 ns", Deltas::exact, 500},
        {"exact, gaps of 2 us", Deltas::exact, 2000},
    };
    return all;
}

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

void write_archive(const ReplayKernel& kernel, u64 ranks, u64 steps, u64 gap,
                   const std::string& folder) {
    GeneratedDefinitions definitions({{"nid", 1, ranks}}, {"/usr/bin/" + kernel.name}, {},
                                     [&](u64) { return kernel.events * steps; });
    fs::create_directories(folder);
    ArchiveWriter writer(folder, generated_archive(false), {false});
    definitions.write(writer, kLength);
    for (u64 rank = 0; rank < ranks; ++rank) {
        definitions.write_local(writer, rank, kLength);
        EventRecorder out(writer, definitions, rank);
        out.begin_program();
        if (gap != 0) out.set_gap(gap - kShortestGap);
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
std::string write_trace(const ReplayKernel& kernel, u64 steps, u64 gap, const Folder& folder) {
    const std::string name = kernel.name + "-" + std::to_string(gap);
    const std::string path = folder / (name + ".tfold");
    if (own_rank() == 0 && !fs::exists(path)) {
        write_archive(kernel, process_count(), steps, gap, folder / name);
        CompressOptions options;
        options.archive = folder / name;
        options.output = path;
        options.verify = false;
        SerialCommunicator comm;
        compress(comm, options);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return path;
}

double by_hand(const ReplayKernel& kernel, u64 steps, u64 gap) {
    Pause pause(gap);
    const u64 start = agree_on_start(MPI_COMM_WORLD);
    wait_until(start);
    MPI_Barrier(MPI_COMM_WORLD);
    kernel.run(steps, pause);
    MPI_Barrier(MPI_COMM_WORLD);
    return static_cast<double>(clock_now() - start);
}

double median(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void measure(const ReplayKernel& kernel, const Mode& mode, u64 steps, int runs,
             const Folder& folder) {
    TraceFile file(write_trace(kernel, steps, mode.gap, folder));
    ReplayOptions options;
    options.deltas = mode.deltas;
    options.compute_scale = mode.gap == 0 ? 0 : 1;
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
        of_loop.push_back(by_hand(kernel, steps, mode.gap) / calls);
        difference.push_back(of_replay.back() - of_loop.back());
    }
    if (own_rank() != 0) return;
    std::printf("%-12s %-22s %8.0f calls: %7.1f ns a call replayed, %7.1f by hand, %6.1f more\n",
                kernel.name.c_str(), mode.name.c_str(), calls, median(of_replay), median(of_loop),
                median(difference));
}

void measure_all(u64 steps, int runs, const std::string& wanted) {
    const Folder folder;
    for (const ReplayKernel& kernel : replay_kernels()) {
        if (kernel.needs_partner && process_count() == 1) continue;
        for (const Mode& mode : modes()) {
            if (!wanted.empty() && mode.name != wanted) continue;
            measure(kernel, mode, std::min(steps, mode.max_calls / kernel.calls), runs, folder);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int steps = argc > 1 ? std::atoi(argv[1]) : 20'000;
    const int runs = argc > 2 ? std::atoi(argv[2]) : 21;
    const std::string mode = argc > 3 ? argv[3] : "";
    MPI_Init(&argc, &argv);
    int result = EXIT_FAILURE;
    try {
        if (steps < 1 || runs < 1) {
            std::fprintf(stderr, "usage: bench_replay_overhead [STEPS [RUNS [MODE]]]\n");
        } else {
            measure_all(static_cast<u64>(steps), runs, mode);
            result = EXIT_SUCCESS;
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_replay_overhead: %s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return result;
}
