// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "common/losses.hpp"
#include "inspect/gaps.hpp"
#include "inspect/info/info.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "names/enumerator_names.hpp"

namespace tracefold {

namespace {

double ratio(u64 a, u64 b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }

void write_restoration(const TraceFile& file, JsonWriter& json) {
    const Section* const kept = file.container().find(SectionKind::kept_bytes);
    json.member("exact_bytes", file.summary().exact_bytes)
        .member("kept_bytes", kept == nullptr ? 0 : kept->stored_size)
        .member("kept_files", kept == nullptr ? u64{0} : u64{file.kept_bytes()->files().size()});
}

void write_archive(const ArchiveInfo& archive, JsonWriter& json) {
    json.key("archive").begin_object();
    json.member("name", archive.name)
        .member("otf2_version", archive.version_text())
        .member("creator", archive.creator)
        .member("machine", archive.machine_name)
        .member("description", archive.description);
    json.key("properties").begin_object();
    for (const auto& [name, value] : archive.properties) json.member(name, value);
    json.end_object().end_object();
}

void write_by_type(const std::map<u64, u64>& numbers, Enumeration types, JsonWriter& json) {
    json.begin_object();
    for (const auto& [type, number] : numbers) json.member(enumerator_name(types, type), number);
    json.end_object();
}

void write_clock(const FileOverview& overview, JsonWriter& json) {
    json.key("clock").begin_object();
    json.member("ticks_per_second", overview.timer_resolution)
        .member("offset_ticks", overview.clock_offset)
        .member("length_ticks", overview.trace_length)
        .member("seconds", TickRate(overview.timer_resolution).seconds(overview.trace_length))
        .end_object();
}

void write_calls(const FileOverview& overview, JsonWriter& json) {
    write_objects("calls", overview.regions, json, [&](const FileOverview::Region& region) {
        json.member("name", region.name)
            .member("calls", region.calls)
            .member("locations", region.locations);
    });
}

/// Records or definitions by the name of their type; `info` describes a type.
template <class Info>
void write_records(std::string_view key, const std::vector<u64>& numbers, const Info& info,
                   JsonWriter& json) {
    json.key(key).begin_object();
    for (std::size_t type = 0; type < numbers.size(); ++type) {
        if (numbers[type] != 0) json.member(info(static_cast<u8>(type)).name, numbers[type]);
    }
    json.end_object();
}

void write_shape(const FileOverview::Shape& shape, JsonWriter& json) {
    json.key("structure").begin_object();
    json.member("scripts", shape.scripts)
        .member("symbols", shape.symbols)
        .member("loops", shape.loops)
        .member("deepest_nest", shape.deepest_nest)
        .member("longest_stretch", shape.longest_stretch)
        .member("patterns", shape.patterns)
        .member("columns", shape.columns)
        .member("assignments", shape.assignments)
        .member("differing_assignments", shape.differing_assignments)
        .end_object();
}

void write_what_is_left_out(const TraceFile& file, const FileOverview& overview, JsonWriter& json) {
    json.key("raw_records").begin_object();
    json.member("unknown_request", overview.raw_unknown_request)
        .member("inexpressible", overview.raw_inexpressible)
        .end_object();
    json.key("dropped").begin_object();
    json.member("unknown_records", file.summary().dropped_unknown_records)
        .member("clock_offsets", file.summary().dropped_clock_offsets)
        .end_object();
    write_losses(file.summary().losses, json);
}

void write_sizes(const TraceFile& file, const FileOverview& overview, JsonWriter& json) {
    const u64 archive_bytes = file.summary().archive_bytes;
    json.member("file_bytes", overview.file_bytes)
        .member("archive_bytes", archive_bytes)
        .member("ratio", ratio(archive_bytes, overview.file_bytes))
        .member("tick_bytes", tick_bytes(overview))
        .member("tick_bits_per_event", 8 * ratio(tick_bytes(overview), overview.events));
    write_objects("sections", overview.sections, json, [&](const FileOverview::Sections& sections) {
        json.member("name", section_name(sections.kind))
            .member("count", sections.count)
            .member("bytes", sections.stored_bytes)
            .member("content_bytes", sections.content_bytes);
    });
    write_objects("files", overview.files, json, [&](const FileOverview::File& carried) {
        json.member("path", carried.path).member("bytes", carried.bytes);
    });
}

void write_columns(const std::vector<ColumnCost>& columns, JsonWriter& json) {
    if (columns.empty()) return;
    write_objects("columns", columns, json, [&](const ColumnCost& column) {
        json.member("section", section_name(column.section))
            .member("what", column.where)
            .member("form", column.form)
            .member("numbers", column.numbers)
            .member("content_bytes", column.content_bytes)
            .member("bytes", column.stored_bytes);
    });
}

}  // namespace

void print_info_json(FoldedInput& input, const InfoFigures& figures, Console& console) {
    const TraceFile& file = input.file();
    const FileOverview& overview = figures.overview;
    JsonWriter json = begin_document(console, "info");
    json.member("file", file.container().path())
        .member("input", input.was_folded() ? "archive" : "folded")
        .member("producer", file.summary().producer)
        .member("timing", timing_name(file.summary().timing));
    if (file.summary().timing == TimingLevel::quantized) {
        json.member("time_error", 1e-6 * file.summary().time_error_ppm);
    }
    if (file.container().is_portable()) json.member("portable", true);
    write_archive(file.archive(), json);
    json.member("ranks", overview.ranks)
        .member("processes", figures.gaps.processes)
        .member("process_kind", process_word(figures.gaps.kind))
        .member("locations", file.location_count())
        .member("events", overview.events)
        .member("local_definitions", overview.local_definitions);
    add_gaps(json, figures.gaps, GapScope::mpi);
    json.key("location_types");
    write_by_type(overview.location_types, Enumeration::location_type, json);
    json.key("location_group_types");
    write_by_type(overview.location_group_types, Enumeration::location_group_type, json);
    write_clock(overview, json);
    write_calls(overview, json);
    write_records(
        "records", overview.records, [](u8 type) { return event_info(type); }, json);
    write_records(
        "definitions", overview.definitions, [](u8 type) { return definition_info(type); }, json);
    write_restoration(file, json);
    write_what_is_left_out(file, overview, json);
    write_nesting(figures.nesting, json);
    write_shape(overview.shape, json);
    write_sizes(file, overview, json);
    write_columns(figures.columns, json);
    json.end_object();
}

}  // namespace tracefold
