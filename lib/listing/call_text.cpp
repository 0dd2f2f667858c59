// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "listing/call_text.hpp"

#include "core/parallel.hpp"
#include "core/utf8.hpp"
#include "io/ordered_parts.hpp"
#include "listing/call_lister.hpp"
#include "listing/text_sink.hpp"
#include "trace/location_blocks.hpp"

#include <atomic>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 18U;

std::string about_times(TimingLevel timing) {
    switch (timing) {
        case TimingLevel::none:
            return "# the file keeps no times: they are shown as ?\n";
        case TimingLevel::histogram:
            return "# times are made from mean durations, in seconds since the first event\n";
        case TimingLevel::quantized:
            return "# times are seconds since the first event, every difference to within the "
                   "error of the file; clock offsets are applied\n";
        case TimingLevel::exact:
            break;
    }
    return "# times are seconds since the first event, clock offsets applied; durations as "
           "recorded\n";
}

/// Header of the whole text.
std::string about_file(const TraceFile& file) {
    const ArchiveInfo& archive = file.archive();
    return fmt::format(
        "# tracefold text 1: archive {}, OTF2 {}, {}\n"
        "# LOCATION BEGIN DURATION CALL ARGUMENT=VALUE...; a location is RANK, RANK.THREAD, or a "
        "name\n{}",
        printable(archive.name), archive.version_text(), printable(archive.creator),
        about_times(file.summary().timing));
}

/// Header of a location, which people call by its label.
std::string about_location(TraceFile& file, u32 location, const std::string& label) {
    const DefinitionIndex& names = file.definitions();
    const LocationDefinition& definition = names.locations()[location];
    return fmt::format("# location {}: {}, {}, id {}, {} records\n", printable(label),
                       printable(names.location_group_name(definition.group)),
                       printable(names.string(definition.name)), definition.id,
                       file.index().facts(location).events);
}

/// The calls of one location; returns their number.
u64 write_location(CallLister& calls, TextSink& sink, std::string& piece,
                   const std::function<void(u64 records)>& flush) {
    u64 lines = 0;
    u64 records = 0;
    while (calls.next()) {
        calls.pass(sink);
        ++lines;
        records += calls.records();
        if (piece.size() < kPieceBytes) continue;
        flush(records);
        records = 0;
    }
    flush(records);
    return lines;
}

}  // namespace

u64 write_call_text(TraceFile& file, const ParticipantNames& participants, const CommonClock& clock,
                    const std::vector<bool>& selected, const TextTarget& target,
                    const ProgressSink& progress) {
    target.sink(about_file(file));
    std::vector<u32> locations;
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (selected[location]) locations.push_back(location);
    }
    const u32 threads = useful_threads(file.definitions().locations(), target.threads);
    OrderedParts parts(target.sink, target.scratch, 2 * threads);
    const ProgressSink told = one_at_a_time(progress);
    std::atomic<u64> lines = 0;
    DefinitionNames names(file.definitions());
    drain(*file.global_definitions(), [&names](const RecordBatch& batch) { names.add(batch); });
    const auto write = [&](u32 number) {
        OrderedParts::Part part = parts.begin(number);
        const u32 location = locations[number];
        const std::string label = participants.label(location);
        std::string piece = about_location(file, location, label);
        TextSink sink(file.definitions(), piece);
        CallLister calls(file, names, clock, label, location);
        lines += write_location(calls, sink, piece, [&](u64 records) {
            part.append(piece);
            piece.clear();
            if (told) told(records);
        });
        part.finish();
    };
    run_each(threads, locations.size(), [&](u32 number) { parts.guard([&] { write(number); }); });
    return lines;
}

}  // namespace tracefold
