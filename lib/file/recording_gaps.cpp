// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/recording_gaps.hpp"

#include "file/common_clock.hpp"
#include "model/event_table.hpp"
#include "model/participant_names.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// True if the location's script calls MPI.
bool calls_mpi(TraceFile& file, u32 location, u32 script) {
    const MappingTables tables = file.mapping_tables(location);
    const Structure& structure = file.structure();
    return std::ranges::any_of(structure.scripts[script].symbols, [&](u32 symbol) {
        return std::ranges::any_of(structure.symbols[symbol].elements, [&](const Element& it) {
            if (!is_enter(it.type)) return false;
            const FieldKind kind = event_info(it.type).fields[0].kind;
            const u64 id = tables.global_of_code(kind, it.context);
            return file.definitions().is_mpi_region(file.definitions().region_of(kind, id));
        });
    });
}

/// "2 of 4 ranks have no events and are left out: 0,2"
std::string sentence(const RecordingGaps& gaps, const ParticipantList& missing,
                     std::string_view verb, std::string_view what) {
    return fmt::format("{} of {} {} {} and {} left out: {}", missing.size(), gaps.processes,
                       process_word(gaps.kind, gaps.processes), fmt::format("{} {}", verb, what),
                       missing.size() == 1 ? "is" : "are", set_text(missing));
}

}  // namespace

std::string process_word(ProcessKind kind, u64 count) {
    const bool several = count != 1;
    switch (kind) {
        case ProcessKind::rank:
            return several ? "ranks" : "rank";
        case ProcessKind::pe:
            return several ? "PEs" : "PE";
        default:
            return several ? "processes" : "process";
    }
}

bool has_events(TraceFile& file, u32 location) {
    return file.index().script(Stream::events, location) != kNone;
}

RecordingGaps recording_gaps(TraceFile& file) {
    const DefinitionIndex& definitions = file.definitions();
    RecordingGaps gaps;
    gaps.kind = definitions.process_kind();
    gaps.processes = definitions.process_count();
    struct Process {
        u32 threads = 0;
        u32 silent = 0;
        bool mpi = false;
    };
    std::vector<Process> processes(gaps.processes);
    std::map<u32, bool> known;  // by script: calls MPI
    const std::vector<u32>& clocks = file.local_classes(DefinitionType::ClockOffset);
    std::vector<bool> seen(file.location_count(), false);  // by class
    for (u32 location = 0; location < file.location_count(); ++location) {
        const LocationDefinition& it = definitions.locations()[location];
        const u32 clock = clocks[location];
        if (clock != kNone && !seen[clock] && has_events(file, location)) {
            seen[clock] = true;
            gaps.clock_drift = std::max(gaps.clock_drift, ClockMap(file, location).drift());
        }
        const std::optional<u32> number = definitions.process(it);
        if (!number || !it.is_thread()) continue;
        Process& process = processes[*number];
        ++process.threads;
        const u32 script = file.index().script(Stream::events, location);
        process.silent += script == kNone ? 1 : 0;
        if (gaps.kind != ProcessKind::rank || process.mpi || script == kNone) continue;
        const auto [found, fresh] = known.try_emplace(script);
        if (fresh) found->second = calls_mpi(file, location, script);
        process.mpi = found->second;
    }
    for (u32 number = 0; number < processes.size(); ++number) {
        const Process& process = processes[number];
        if (process.silent == process.threads) {
            gaps.without_events.add(number);
            continue;
        }
        gaps.threads += process.threads;
        gaps.silent_threads += process.silent;
        if (gaps.kind == ProcessKind::rank && !process.mpi) gaps.without_mpi.add(number);
    }
    return gaps;
}

std::string drift_sentence(const RecordingGaps& gaps) {
    constexpr double kVisible = 0.02;
    if (gaps.clock_drift < kVisible) return {};
    return fmt::format(
        "durations are by the clock of each location, as recorded; on the common clock they differ "
        "by up to {:.1f} %",
        100 * gaps.clock_drift);
}

std::string silent_ranks(const RecordingGaps& gaps) {
    ParticipantList silent = gaps.without_events;
    silent.unite(gaps.without_mpi);
    if (silent.empty() || gaps.kind != ProcessKind::rank) return {};
    return fmt::format("{} of {} {} {} no calls of MPI functions ({})", silent.size(),
                       gaps.processes, process_word(gaps.kind, gaps.processes),
                       silent.size() == 1 ? "has" : "have", set_text(silent));
}

std::vector<std::string> gap_sentences(const RecordingGaps& gaps, GapScope scope) {
    std::vector<std::string> sentences;
    const auto add = [&](const ParticipantList& missing, std::string_view one,
                         std::string_view several, std::string_view what) {
        if (missing.empty()) return;
        sentences.push_back(sentence(gaps, missing, missing.size() == 1 ? one : several, what));
    };
    add(gaps.without_events, "has", "have", "no events");
    if (scope == GapScope::mpi) add(gaps.without_mpi, "calls", "call", "no MPI functions");
    if (gaps.silent_threads != 0) {
        const bool one = gaps.silent_threads == 1;
        sentences.push_back(fmt::format("{} of {} threads {} no events and {} left out",
                                        gaps.silent_threads, gaps.threads, one ? "has" : "have",
                                        one ? "is" : "are"));
    }
    return sentences;
}

}  // namespace tracefold
