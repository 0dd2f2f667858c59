// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "facts.hpp"

#include "file/file_overview.hpp"
#include "file/metric_catalogue.hpp"
#include "file/recording_gaps.hpp"
#include "model/definition_names.hpp"
#include "model/event_table.hpp"
#include "model/participant_names.hpp"

#include <string>
#include <string_view>

#include <pybind11/stl.h>

namespace tracefold::python {

namespace {

namespace py = pybind11;

/// Names in archives may be any bytes.
py::str text_of(std::string_view text) {
    PyObject* const decoded =
        PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace");
    if (decoded == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::str>(decoded);
}

py::dict archive_of(const ArchiveInfo& archive) {
    py::dict facts;
    facts["name"] = text_of(archive.name);
    facts["otf2_version"] = archive.version_text();
    facts["creator"] = text_of(archive.creator);
    facts["machine"] = text_of(archive.machine_name);
    facts["description"] = text_of(archive.description);
    py::dict properties;
    for (const auto& [name, value] : archive.properties) properties[text_of(name)] = text_of(value);
    facts["properties"] = properties;
    return facts;
}

}  // namespace

py::dict facts_of(OpenTrace& trace) {
    const TraceFile& file = trace.file();
    const TraceSummary& summary = file.summary();
    py::dict facts;
    facts["ranks"] = file.definitions().world_size();
    facts["processes"] = file.definitions().process_count();
    facts["process_kind"] = process_word(file.definitions().process_kind());
    facts["left_out"] = gap_sentences(recording_gaps(trace.file()), GapScope::mpi);
    facts["locations"] = file.location_count();
    facts["timing"] = std::string(timing_name(summary.timing));
    facts["time_error"] = 1e-6 * summary.time_error_ppm;
    facts["ticks_per_second"] = file.definitions().tick_rate().ticks_per_second();
    facts["producer"] = text_of(summary.producer);
    facts["archive_bytes"] = summary.archive_bytes;
    facts["exact_bytes"] = summary.exact_bytes;
    facts["archive"] = archive_of(file.archive());
    return facts;
}

py::list locations_of(OpenTrace& trace) {
    TraceFile& file = trace.file();
    const DefinitionIndex& definitions = file.definitions();
    const ParticipantNames names(definitions);
    const std::vector<ParticipantNames::Place> numbered = names.numbered_places();
    py::list list;
    for (u32 i = 0; i < file.location_count(); ++i) {
        const LocationDefinition& location = definitions.locations()[i];
        const ParticipantNames::Place place = names.place(i);
        py::dict facts;
        facts["location"] = text_of(names.label(i));
        facts["rank"] = place.rank == kNone ? py::object(py::none()) : py::int_(place.rank);
        facts["thread"] = place.thread;
        facts["process"] = numbered[i].rank;
        facts["name"] = text_of(definitions.string(location.name));
        facts["group"] = text_of(definitions.location_group_name(location.group));
        facts["kind"] = enumerator_name(Enumeration::location_type, location.type);
        facts["events"] = file.index().facts(i).events;
        list.append(facts);
    }
    return list;
}

py::list metrics_of(OpenTrace& trace) {
    const MetricCatalogue catalogue =
        trace.use([](TraceFile& file) { return MetricCatalogue(file); });
    py::list list;
    for (const MetricMember& member : catalogue.members()) {
        py::dict facts;
        facts["name"] = text_of(member.name);
        facts["unit"] = text_of(member.unit);
        facts["mode"] = std::string(metric_mode_name(member.mode));
        list.append(facts);
    }
    return list;
}

py::dict counts_of(OpenTrace& trace) {
    const FileOverview overview = trace.use([](TraceFile& file) { return file_overview(file); });
    py::dict counts;
    counts["file_bytes"] = overview.file_bytes;
    counts["events"] = overview.events;
    counts["seconds"] = TickRate(overview.timer_resolution).seconds(overview.trace_length);
    py::dict records;
    for (u8 type = 0; type < overview.records.size(); ++type) {
        if (overview.records[type] != 0) {
            records[text_of(event_info(type).name)] = overview.records[type];
        }
    }
    counts["records"] = records;
    py::dict calls;
    for (const FileOverview::Region& region : overview.regions) {
        calls[text_of(region.name)] = region.calls;
    }
    counts["calls"] = calls;
    return counts;
}

}  // namespace tracefold::python
