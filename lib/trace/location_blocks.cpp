// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/location_blocks.hpp"

#include <algorithm>
#include <thread>
#include <unordered_map>

namespace tracefold::inline trace {

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
    double total = 0;
    for (const LocationDefinition& location : locations) {
        const auto [group, fresh] = number_of.emplace(location.group, work.size());
        if (fresh) work.push_back(0);
        work[group->second] += work_on(location);
        total += work_on(location);
    }
    // A group belongs to the process in whose share of the work its middle lies.
    std::vector<int> process_of;
    double before = 0;
    for (const double share : work) {
        const double place = (before + share / 2) / total;
        process_of.push_back(std::min(static_cast<int>(place * size), size - 1));
        before += share;
    }
    std::vector<u32> block;
    for (u32 i = 0; i < locations.size(); ++i) {
        if (process_of[number_of[locations[i].group]] == rank) block.push_back(i);
    }
    return block;
}

u32 useful_threads(const std::vector<LocationDefinition>& locations, u32 wanted) {
    const u64 most = std::max<u64>(locations.size(), 1);
    if (wanted != 0) return static_cast<u32>(std::min<u64>(wanted, most));
    u64 events = 0;
    for (const LocationDefinition& location : locations) events += location.event_count;
    const u64 cores = std::max(std::thread::hardware_concurrency(), 1U);
    return static_cast<u32>(std::clamp<u64>(events / kEventsPerThread, 1, std::min(cores, most)));
}

}  // namespace tracefold::inline trace
