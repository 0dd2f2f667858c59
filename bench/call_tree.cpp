// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Time and memory of a call-path profile over processes, on a tree without a program behind it:
//   [mpirun -n P] bench_call_tree NODES LOCATIONS [METRICS]
// Values are worked out as they are needed, so that what is measured is sharing them out and adding
// them up. Prints a line per enumeration.
#include "base/world.hpp"
#include "support/synthetic_profile.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <string>

namespace {

using namespace tracefold;

double now() {
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(time).count();
}

/// Seconds that this process has worked: others on the machine do not count.
double worked() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Resident memory of this process in bytes: at most so far.
u64 peak_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        u64 kilobytes = 0;
        if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
    }
    return 0;
}

void forget_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

void measure(Communicator& comm, u32 nodes, u32 locations, u32 metrics, NodeOrder order) {
    ProfileInput input = synthetic_profile(nodes, locations, metrics, static_cast<u32>(comm.rank()),
                                           static_cast<u32>(comm.size()));
    ProfileOptions options;
    options.order = order;
    forget_peak();
    comm.barrier();
    const double start = now();
    const double start_work = worked();
    const CallProfile profile = compute_call_profile(comm, std::move(input), options);
    const auto work = static_cast<u64>((worked() - start_work) * 1e6);
    comm.barrier();
    const double seconds = now() - start;
    const std::vector<u64> works = comm.all_gather(work);
    const std::vector<u64> peaks = comm.all_gather(peak_memory());
    if (comm.rank() != 0) return;
    u64 rows = 0;
    u64 remote = 0;
    for (const ProfileCost& cost : profile.costs) {
        rows = std::max(rows, cost.row_bytes);
        remote += cost.remote_children;
    }
    std::printf(
        "%-13s %6.2f s, %6.2f s of work, %8.1f MB of values, %8.1f MB in all per process, %7llu "
        "children "
        "elsewhere, sum %.0f\n",
        std::string(order_name(order)).c_str(), seconds,
        static_cast<double>(*std::max_element(works.begin(), works.end())) / 1e6,
        static_cast<double>(rows) / 1e6,
        static_cast<double>(*std::max_element(peaks.begin(), peaks.end())) / 1e6,
        static_cast<unsigned long long>(remote),
        static_cast<double>(profile.moments(0, ProfileMetric::visits, true).sum()));
}

}  // namespace

int main(int argc, char** argv) {
    const bool launched =
        std::getenv("PMI_RANK") != nullptr || std::getenv("OMPI_COMM_WORLD_RANK") != nullptr;
    const auto comm = make_world(launched, &argc, &argv);
    if (argc < 3) {
        std::fputs("usage: bench_call_tree NODES LOCATIONS [METRICS]\n", stderr);
        return 2;
    }
    try {
        const auto number = [&](int i) { return static_cast<u32>(std::stoul(argv[i])); };
        const u32 metrics = argc > 3 ? number(3) : 1;
        for (const NodeOrder order : {NodeOrder::breadth_first, NodeOrder::round_robin,
                                      NodeOrder::random, NodeOrder::deepest_chain}) {
            measure(*comm, number(1), number(2), metrics, order);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_call_tree: %s\n", error.what());
        comm->abort(1);
        return 1;
    }
    return 0;
}
