// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/check_contents.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "fold/execution_counts.hpp"
#include "trace/location_blocks.hpp"

#include <atomic>

namespace tracefold {

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

/// Unwinding takes the first values of a column as they come, and would not notice that it has more
/// or that its counts do not add up.
void check_arguments(TraceFile& file) {
    ExecutionCounts counts(file.index());
    const u32 symbols = static_cast<u32>(file.structure().symbols.size());
    for (u32 symbol = 0; symbol < symbols; ++symbol) {
        const std::vector<Slot>& slots = file.index().slots(symbol);
        for (u32 slot = 0; slot < slots.size(); ++slot) {
            if (slots[slot].shape == SlotShape::each) continue;
            for (const u32 location : counts.members_of_symbol(symbol)) {
                (void)counts.sum(counts.slot(symbol, slot, location));
            }
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
