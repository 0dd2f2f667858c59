// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "conversions.hpp"

#include "archives/compress.hpp"
#include "archives/input_kind.hpp"
#include "archives/restore.hpp"
#include "base/publication.hpp"
#include "export/export_format.hpp"
#include "open_trace.hpp"

#include <memory>
#include <string>

#include <pybind11/stl.h>

namespace tracefold::python {

namespace {

namespace py = pybind11;

TimingLevel timing_of(const std::string& name) {
    for (const TimingLevel level :
         {TimingLevel::none, TimingLevel::exact, TimingLevel::histogram, TimingLevel::quantized}) {
        if (timing_name(level) == name) return level;
    }
    throw Error(ErrorKind::usage,
                "timing cannot be '{}'; it is one of 'exact', 'quantized', 'histogram', 'none'",
                name);
}

py::dict compress_archive(const std::string& archive, const std::string& output,
                          const std::string& timing, double time_error, bool verify, int level,
                          u32 threads, bool drop_unknown, bool rescue, bool force) {
    CompressOptions options;
    options.archive = archive;
    options.output = output;
    options.producer = "tracefold " TRACEFOLD_VERSION;
    options.timing = timing_of(timing);
    options.time_error_ppm = static_cast<u32>(time_error * 1e6);
    options.verify = verify;
    options.level = level;
    options.threads = threads;
    options.restorable = true;
    options.drop_unknown = drop_unknown;
    options.rescue = rescue;
    options.force = force;
    options.progress = [](u64) { check_signals(); };
    const CompressReport report = without_gil([&] {
        SerialCommunicator alone;
        return compress(alone, options);
    });
    py::dict figures;
    figures["output"] = output;
    figures["ranks"] = report.ranks;
    figures["locations"] = report.locations;
    figures["events"] = report.events;
    figures["archive_bytes"] = report.archive_bytes;
    figures["file_bytes"] = report.file_bytes;
    figures["exact_bytes"] = report.exact_bytes;
    figures["dropped_unknown_records"] = report.dropped_unknown_records;
    figures["dropped_clock_offsets"] = report.dropped_clock_offsets;
    figures["losses"] = report.losses.size();
    return figures;
}

py::dict dict_of(const ExportReport::Counts& counts) {
    py::dict dict;
    for (const auto& [thing, times] : counts) dict[py::str(thing)] = times;
    return dict;
}

py::dict restore(OpenTrace& trace, const std::string& output, bool force) {
    const u64 events = trace.use([&](TraceFile& file) {
        return restore_archive(file, output, force, [](u64) { check_signals(); });
    });
    py::dict figures;
    figures["output"] = output;
    figures["format"] = "otf2";
    figures["events"] = events;
    return figures;
}

const ExportFormat& format_of(const std::string& name) {
    if (const ExportFormat* format = find_export_format(name)) return *format;
    std::string known = "otf2";
    for (const ExportFormat& format : export_formats()) known.append(", ").append(format.name);
    throw Error(ErrorKind::usage, "there is no format '{}'; the formats are {}", name, known);
}

py::dict convert(OpenTrace& trace, const std::string& output, const std::string& to, bool force,
                 bool pipit) {
    const std::vector<InputClaim> claims = claim_trace(trace.path());
    refuse_inputs(output);
    if (to == "otf2") return restore(trace, output, force);
    const ExportFormat& format = format_of(to);
    ExportOptions options;
    options.force = force;
    options.pipit = pipit;
    options.progress = [](u64) { check_signals(); };
    const ExportReport report =
        trace.use([&](TraceFile& file) { return format.write(file, output, options); });
    py::dict figures;
    figures["output"] = output;
    figures["format"] = to;
    figures["ranks"] = report.ranks;
    figures["calls"] = report.calls;
    figures["bytes"] = report.bytes;
    for (std::size_t i = 0; i < kExportOutcomes; ++i) {
        const auto outcome = static_cast<ExportOutcome>(i);
        figures[py::str(std::string(outcome_name(outcome)))] = dict_of(report.of(outcome));
    }
    return figures;
}

}  // namespace

void add_conversions(py::module_& module) {
    module.def("compress", &compress_archive, py::arg("archive"), py::arg("output"),
               py::arg("timing"), py::arg("time_error"), py::arg("verify"), py::arg("level"),
               py::arg("threads"), py::arg("drop_unknown"), py::arg("rescue"), py::arg("force"));
    module.def("convert", &convert, py::arg("trace"), py::arg("output"), py::arg("to"),
               py::arg("force"), py::arg("pipit"));
}

}  // namespace tracefold::python
