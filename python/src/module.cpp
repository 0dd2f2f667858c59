// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "batches.hpp"
#include "collection/trace_list.hpp"
#include "comparison.hpp"
#include "conversions.hpp"
#include "errors.hpp"
#include "facts.hpp"
#include "file/program_names.hpp"
#include "open_trace.hpp"
#include "questions/frames/detail/call_frames.hpp"
#include "questions/frames/detail/event_frames.hpp"
#include "questions/timeline/trace_view.hpp"
#include "tables.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace {

namespace py = pybind11;
using namespace tracefold;
using namespace tracefold::python;

using SharedTrace = std::shared_ptr<OpenTrace>;

SharedTrace open_trace(const std::string& path, const std::string& scratch, int level,
                       bool drop_unknown) {
    FoldedInputOptions options;
    options.scratch = scratch;
    options.level = level;
    options.drop_unknown = drop_unknown;
    options.producer = "tracefold " TRACEFOLD_VERSION;
    options.progress = [](u64) { check_signals(); };
    return std::make_shared<OpenTrace>(path, options);
}

/// The table of trace_inspect list; an empty text: without this option.
Batches list_table(std::vector<std::string> places, const std::string& where,
                   const std::string& sort, bool reverse, const std::string& like, bool deep,
                   bool index, const std::string& scratch) {
    TraceListRequest request;
    request.places = std::move(places);
    request.reading = {deep, scratch, "tracefold " TRACEFOLD_VERSION};
    request.use_index = index;
    request.progress = [](u64) { check_signals(); };
    TraceQuery query;
    query.reverse = reverse;
    if (!where.empty()) query.where.emplace(where);
    if (!sort.empty()) query.sort = trace_field(sort);
    TableFrames table;
    without_gil([&] {
        const Cancellable until_signal(check_signals);
        if (!like.empty()) query.like = read_signature(like, request.reading);
        std::vector<TraceRecord> traces = list_traces(request).traces;
        select_traces(traces, query);
        put_traces(traces, table);
    });
    return kept_batches(std::move(table));
}

/// The activity of each function of a part by name, but for computation.
std::map<std::string, std::string> uses_of(TraceFile& file, const Part& part) {
    constexpr std::size_t kLaneBytes = std::size_t{64} << 20U;
    FoundSteps steps(file);
    TraceView view(file, steps, kLaneBytes);
    const std::vector<bool> wanted = part.locations(file);
    std::vector<u32> rows;
    for (u32 row = 0; row < view.rows().rows.size(); ++row) {
        if (wanted[view.rows().rows[row].location]) rows.push_back(row);
    }
    std::map<std::string, std::string> uses;
    for (const auto& [name, use] : view.uses_by_name(rows)) uses[name] = time_use_name(use);
    return uses;
}

/// Frames that make(file, selection) opens anew whenever they are read.
template <class Make>
Batches batches_of(const SharedTrace& trace, const Part& part, const Make& make) {
    auto open = [trace, part, make] {
        auto source = trace->use([&](TraceFile& file) { return make(file, part.selection(file)); });
        return std::make_shared<TraceFrames>(trace, std::move(source));
    };
    open();  // wrong arguments are told at once
    return Batches(std::move(open));
}

template <class Frames>
Batches rows_of(const SharedTrace& trace, const Part& part, const FrameRequest& request) {
    return batches_of(trace, part, [request](TraceFile& file, CallSelection selection) {
        return std::unique_ptr<FrameSource>(
            std::make_unique<Frames>(file, std::move(selection), request));
    });
}

void add_requests(py::module_& module) {
    py::class_<Part>(module, "Part")
        .def(py::init([](std::string ranks, std::string time, std::string iterations,
                         std::vector<std::string> match) {
                 return Part{std::move(ranks), std::move(time), std::move(iterations),
                             std::move(match)};
             }),
             py::arg("ranks") = "", py::arg("time") = "", py::arg("iterations") = "",
             py::arg("match") = std::vector<std::string>());
    py::class_<Sampling>(module, "Sampling")
        .def(py::init<>())
        .def_readwrite("by", &Sampling::by)
        .def_readwrite("histogram", &Sampling::histogram)
        .def_readwrite("over", &Sampling::over)
        .def_readwrite("metric", &Sampling::metric)
        .def_readwrite("bins", &Sampling::bins)
        .def_readwrite("loop", &Sampling::loop)
        .def_readwrite("over_time", &Sampling::over_time)
        .def_readwrite("per_iteration", &Sampling::per_iteration);
}

void add_trace(py::module_& module) {
    py::class_<OpenTrace, SharedTrace>(module, "OpenTrace")
        .def_property_readonly("path", &OpenTrace::path)
        .def_property_readonly("was_folded", &OpenTrace::was_folded)
        .def("facts", &facts_of)
        .def("locations", &locations_of)
        .def("metrics", &metrics_of)
        .def("counts", &counts_of)
        .def("calls",
             [](const SharedTrace& trace, const Part& part, std::vector<std::string> columns,
                bool ticks, u64 rows) {
                 return rows_of<CallFrames>(trace, part, {std::move(columns), ticks, rows});
             })
        .def("events",
             [](const SharedTrace& trace, const Part& part, std::vector<std::string> columns,
                bool ticks, u64 rows) {
                 return rows_of<EventFrames>(trace, part, {std::move(columns), ticks, rows});
             })
        .def("steps",
             [](const SharedTrace& trace, const Part& part, bool ticks, u64 rows) {
                 return batches_of(trace, part, [=](TraceFile& file, CallSelection selection) {
                     return std::unique_ptr<FrameSource>(std::make_unique<StepFrames>(
                         file, std::move(selection.locations), FrameRequest{{}, ticks, rows}));
                 });
             })
        .def("uses",
             [](const SharedTrace& trace, const Part& part) {
                 return trace->use([&part](TraceFile& file) { return uses_of(file, part); });
             })
        .def("unmatched",
             [](const SharedTrace& trace, const Part& part) {
                 return trace->use([&part](TraceFile& file) {
                     NameFilter names = part.names();
                     return names.empty() ? "" : no_match_sentence(names, symbol_names(file));
                 });
             })
        .def("messages", &messages_table)
        .def("matrix", &matrix_table)
        .def("matrix_parts", &matrix_parts)
        .def("sizes", &sizes_table)
        .def("stats", &statistics_table)
        .def("classes", &classes_table)
        .def("profile", &profile_table)
        .def("efficiency", &efficiency_table)
        .def("explain", &explanation)
        .def("check", &findings_table)
        .def("structure", &structure_text)
        .def("graph", &graph_text);
}

std::vector<std::string> names_of(const std::vector<ColumnInfo>& columns) {
    std::vector<std::string> names;
    for (const ColumnInfo& column : columns) names.push_back(column.name);
    return names;
}

}  // namespace

PYBIND11_MODULE(_tracefold, module) {
    module.doc() = "Internals of the package tracefold; use that.";
    module.attr("__version__") = TRACEFOLD_VERSION;
    py::dict colors;
    for (std::size_t use = 0; use < kTimeUses; ++use) {
        const TimeUseInfo& info = time_use_info(static_cast<TimeUse>(use));
        colors[py::str(std::string(info.name))] = std::string(info.light);
    }
    module.attr("USE_COLORS") = colors;
    module.attr("CALL_COLUMNS") = names_of(call_columns(false));
    module.attr("EVENT_COLUMNS") = names_of(event_columns(false));
    add_errors(module);
    add_batches(module);
    add_requests(module);
    add_trace(module);
    add_comparison(module);
    add_conversions(module);
    module.def("open", &open_trace);
    module.def("list", &list_table, py::arg("places"), py::arg("where"), py::arg("sort"),
               py::arg("reverse"), py::arg("like"), py::arg("deep"), py::arg("index"),
               py::arg("scratch"));
}
