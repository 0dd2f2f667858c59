// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/location_blocks.hpp"

#include <algorithm>
#include <numeric>
#include <thread>
#include <unordered_map>

namespace tracefold {

namespace {

/// What opening a location's files costs, in events.
constexpr double kEventsPerLocation = 1000;

/// Fewer are done before another thread has begun.
constexpr u64 kEventsPerThread = 50'000;

double work_on(const LocationDefinition& location) {
    return static_cast<double>(location.event_count) + kEventsPerLocation;
}

}  // namespace

std::vector<u32> location_block(const std::vector<LocationDefinition>& locations, int rank,
                                int size) {
    std::unordered_map<u64, std::size_t> number_of;
    std::vector<double> work;
    for (const LocationDefinition& location : locations) {
        const auto [group, fresh] = number_of.emplace(location.group, work.size());
        if (fresh) work.push_back(0);
        work[group->second] += work_on(location);
    }
    const std::vector<int> process_of = share_out(work, size, 1.0 / size);
    std::vector<u32> block;
    for (u32 i = 0; i < locations.size(); ++i) {
        if (process_of[number_of[locations[i].group]] == rank) block.push_back(i);
    }
    return block;
}

std::vector<int> share_out(const std::vector<double>& work, int processes, double first_share) {
    const double all = std::max(std::accumulate(work.begin(), work.end(), 0.0), 1.0);
    std::vector<int> process_of;
    double before = 0;
    for (const double piece : work) {
        const double middle = (before + piece / 2) / all;
        before += piece;
        int process = 0;
        if (processes > 1 && middle >= first_share) {
            const double beyond = (middle - first_share) / (1 - first_share);
            process = std::min(1 + static_cast<int>(beyond * (processes - 1)), processes - 1);
        }
        process_of.push_back(process);
    }
    return process_of;
}

u32 useful_threads(const std::vector<LocationDefinition>& locations, u32 wanted) {
    const u64 most = std::max<u64>(locations.size(), 1);
    if (wanted != 0) return static_cast<u32>(std::min<u64>(wanted, most));
    u64 events = 0;
    for (const LocationDefinition& location : locations) events += location.event_count;
    const u64 cores = std::max(std::thread::hardware_concurrency(), 1U);
    return static_cast<u32>(std::clamp<u64>(events / kEventsPerThread, 1, std::min(cores, most)));
}

}  // namespace tracefold
