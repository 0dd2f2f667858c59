// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "collection/trace_record.hpp"

#include "archives/folded_input.hpp"
#include "archives/input_kind.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "file/program_names.hpp"
#include "forecast/explanation.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "mpi/program_steps.hpp"
#include "otf2/archive_reader.hpp"
#include "questions/profile/profile_table.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// "2026-11-30T16:55:58Z", of nanoseconds since 1970; none for OTF2's undefined time.
FieldValue date_text(u64 realtime) {
    constexpr u64 kNanoseconds = 1'000'000'000;
    const auto seconds = static_cast<std::time_t>(realtime / kNanoseconds);
    std::tm parts{};
    if (realtime == 0 || realtime == ~u64{0} || ::gmtime_r(&seconds, &parts) == nullptr) return {};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900,
                       parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

FieldValue unless_empty(const std::string& text) {
    return text.empty() ? FieldValue() : FieldValue(text);
}

/// What the global definitions of a file or an archive tell.
class DefinitionFields {
  public:
    explicit DefinitionFields(const DefinitionIndex& definitions) : definitions_(definitions) {}

    void add(const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            const auto values = batch.values(head);
            if (head.type == static_cast<u8>(DefinitionType::ClockProperties)) {
                resolution_ = values[0];
                length_ = values[2];
                realtime_ = values[3];
            } else if (head.type == static_cast<u8>(DefinitionType::SystemTreeNode)) {
                classes_.push_back(values[2]);
            }
        }
    }

    /// Once all definitions are added, here and to the index.
    void fill(const ArchiveInfo& archive, TraceRecord& out) const {
        const auto& locations = definitions_.locations();
        const auto nodes = std::ranges::count_if(
            classes_, [this](u64 name) { return definitions_.string(name) == "node"; });
        out[TraceField::ranks] = u64{definitions_.process_count()};
        out[TraceField::threads] =
            static_cast<u64>(std::ranges::count_if(locations, &LocationDefinition::is_thread));
        out[TraceField::duration] = TickRate(resolution_).seconds(length_);
        out[TraceField::machine] = unless_empty(archive.machine_name);
        if (nodes != 0) out[TraceField::nodes] = static_cast<u64>(nodes);
        out[TraceField::date] = date_text(realtime_);
    }

  private:
    const DefinitionIndex& definitions_;
    std::vector<u64> classes_;  ///< of the nodes of the system tree
    u64 resolution_ = 0;
    u64 length_ = 0;
    u64 realtime_ = 0;
};

/// As program_name(), of the first location with events.
FieldValue program_of_archive(ArchiveReader& reader, const DefinitionIndex& definitions) {
    constexpr std::size_t kFirstRecords = 16;
    struct Enough {};
    const auto& locations = definitions.locations();
    const auto first = std::ranges::find_if(
        locations, [&reader](const auto& location) { return reader.has_events(location.id); });
    if (first == locations.end()) return {};
    MappingTables tables;
    reader.read_local_definitions(first->id,
                                  [&tables](const RecordBatch& batch) { tables.add(batch); });
    FieldValue program;
    const auto find = [&](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            if (head.type != static_cast<u8>(EventType::ProgramBegin)) continue;
            const u64 name = tables.global(FieldKind::string, batch.values(head)[0]);
            program = std::filesystem::path(definitions.string(name)).filename().string();
        }
        throw Enough();
    };
    try {
        reader.read_events(first->id, find, kFirstRecords);
    } catch (const Enough&) {
    }
    return program;
}

void fill_from_archive(const std::string& anchor, TraceRecord& out) {
    refuse_foreign_input(anchor);
    ArchiveReader reader(anchor);
    DefinitionIndex definitions;
    DefinitionFields fields(definitions);
    reader.read_global_definitions([&](const RecordBatch& batch) {
        definitions.add(batch);
        fields.add(batch);
    });
    definitions.finish();
    fields.fill(reader.info(), out);
    out[TraceField::program] = program_of_archive(reader, definitions);
    u64 events = 0;
    for (const LocationDefinition& location : definitions.locations()) {
        events += location.event_count;
    }
    out[TraceField::events] = events;
}

void fill_from_file(TraceFile& file, TraceRecord& out) {
    DefinitionFields fields(file.definitions());
    drain(*file.global_definitions(), [&fields](const RecordBatch& batch) { fields.add(batch); });
    fields.fill(file.archive(), out);
    out[TraceField::program] = unless_empty(program_name(file));
    u64 events = 0;
    for (u32 location = 0; location < file.location_count(); ++location) {
        events += file.index().events(location);
    }
    out[TraceField::events] = events;
    out.signature = structure_signature(file);
}

/// The run time is the sum of mean computation and of the three losses.
void fill_factors(const Efficiency& efficiency, TraceRecord& out) {
    if (!efficiency.parallel) return;
    out[TraceField::efficiency] = *efficiency.parallel;
    if (!efficiency.communication) return;
    out[TraceField::imbalance] = *efficiency.communication - *efficiency.parallel;
    if (!efficiency.transfer || efficiency.has_range()) return;
    out[TraceField::dependences] = *efficiency.transfer - *efficiency.communication;
    out[TraceField::transfer] = 1 - *efficiency.transfer;
}

void fill_deep(TraceFile& file, TraceRecord& out) {
    FoundSteps steps(file);
    if (steps.get()) out[TraceField::steps] = steps.get()->count;
    if (!keeps_every_time(file.summary().timing)) return;
    try {
        const Efficiency efficiency = trace_efficiency(file);
        fill_factors(efficiency, out);
        const Explanation explained = explain(file, efficiency, steps, 1);
        if (!explained.causes.empty()) {
            std::string cause(cause_name(explained.causes.front().kind));
            std::ranges::replace(cause, '_', ' ');
            out[TraceField::first_cause] = cause;
        }
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::unsupported) throw;
    }
}

/// Runs work(TraceFile&) with a folded file, or with an archive that is folded.
template <class Work>
void with_file(const std::string& path, const TraceReading& reading, const Work& work) {
    static std::mutex one_archive;  // folding takes all cores, memory and temporary files
    const std::unique_lock alone =
        is_archive(path) ? std::unique_lock(one_archive) : std::unique_lock<std::mutex>();
    SerialCommunicator comm;
    FoldedInputOptions options;
    options.scratch = reading.scratch;
    options.producer = reading.producer;
    options.threads = 1;
    FoldedInput input(comm, path, options);
    work(input.file());
}

void fill(const std::string& path, const TraceReading& reading, TraceRecord& out) {
    const bool archive = is_archive(path);
    if (archive && !reading.deep) {
        fill_from_archive(path, out);
    } else {
        with_file(path, reading, [&](TraceFile& file) {
            fill_from_file(file, out);
            if (reading.deep) fill_deep(file, out);
        });
    }
    out[TraceField::format] = archive ? "archive" : "folded";
}

}  // namespace

TraceRecord read_trace_record(const std::string& path, const TraceReading& reading) {
    TraceRecord record;
    record.is_deep = reading.deep;
    record[TraceField::state] = "ok";
    try {
        fill(path, reading, record);
    } catch (const Error& error) {
        record[TraceField::state] = error.what();
        record.is_settled =
            error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::unsupported;
    } catch (const std::bad_alloc&) {
        record[TraceField::state] = path + ": there is not enough memory to read it";
        record.is_settled = false;
    }
    return record;
}

StructureSignature read_signature(const std::string& path, const TraceReading& reading) {
    StructureSignature signature;
    with_file(path, reading,
              [&signature](TraceFile& file) { signature = structure_signature(file); });
    return signature;
}

}  // namespace tracefold
