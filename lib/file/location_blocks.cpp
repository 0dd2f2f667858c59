// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/location_blocks.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "fold/structure_index.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>
#include <unordered_map>

namespace tracefold {

namespace {

/// Cost of opening a location's files, in events.
constexpr double kEventsPerLocation = 1000;

/// Minimum work of a thread: fewer are done before another thread has started.
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

namespace {

void check_sections(const TraceFile& file) {
    for (const Section& section : file.container().sections()) {
        if (section.kind == SectionKind::ticks && section.index >= file.location_count()) {
            throw Error(ErrorKind::corrupt, "there are times of a location that does not exist")
                .in(file.container().path());
        }
        (void)file.container().stored(section);
    }
    file.read_files([](const CarriedFile&) {});
    (void)file.kept_bytes();
}

/// Checks the lengths of columns: unwinding would not detect excess values or counts.
void check_arguments(TraceFile& file) {
    ExecutionCounts counts(file.index());
    const u32 symbols = static_cast<u32>(file.structure().symbols.size());
    for (u32 symbol = 0; symbol < symbols; ++symbol) {
        const std::vector<Slot>& slots = file.index().slots(symbol);
        for (u32 slot = 0; slot < slots.size(); ++slot) {
            if (slots[slot].shape == SlotShape::each) continue;
            counts.each_use(symbol, slot, [&counts](const ExecutionCounts::Use& use, u64) {
                (void)counts.sum(use);
            });
        }
    }
}

void read_all(RecordSource& source) {
    drain(source, [](const RecordBatch&) {});
}

void read_location(TraceFile& file, u32 location) {
    try {
        read_all(*file.local_definitions(location));
        read_all(*file.events(location));
    } catch (const Error& error) {
        throw error.in("location " + std::to_string(location));
    }
}

}  // namespace

void check_contents(TraceFile& file, u32 threads, const std::function<void()>& before) {
    check_sections(file);
    try {
        check_arguments(file);
    } catch (const Error& error) {
        throw error.in(file.container().path());
    }
    if (file.summary().timing == TimingLevel::histogram) (void)file.durations();
    const u32 useful = useful_threads(file.definitions().locations(), threads);
    std::atomic<bool> is_first = static_cast<bool>(before);
    run_each_with(useful, file.location_count(), [&] {
        if (is_first.exchange(false)) before();
        return [&file](u32 location) { read_location(file, location); };
    });
}

}  // namespace tracefold
