// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "comparison.hpp"

#include "base/error.hpp"
#include "base/text_stream.hpp"
#include "common/output_format.hpp"
#include "inspect/diff_lines.hpp"
#include "open_trace.hpp"
#include "questions/frames/detail/frame.hpp"
#include "scale/guard_reports.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

namespace tracefold::python {

namespace {

namespace py = pybind11;

void put_only(const std::string& participants, const char* kind, TableSink& table) {
    if (participants.empty()) return;
    table.text(kind);
    table.text(participants);
    for (int i = 0; i < 5; ++i) table.none();
}

void put_differences(TraceFile& a, TraceFile& b, const std::string& path_a,
                     const std::string& path_b, std::optional<double> tolerance,
                     const std::vector<std::string>& ignored, TableSink& table) {
    table.begin({{"kind"}, {"participants"}, {"path"}, {"name"}, {"field"}, {"a"}, {"b"}});
    ComparedTrace first(a, path_a, tolerance.has_value());
    ComparedTrace second(b, path_b, tolerance.has_value());
    const DiffOptions options{tolerance.value_or(0), ignored};
    MergedDifferences merged;
    const OnlyIn only =
        compare_structures(first.view(), second.view(), options, [&](const Difference& difference) {
            merged.add(difference, first.names(), second.names());
        });
    for (const MergedDifferences::Entry& difference : merged.grouped()) {
        std::string path;
        for (const std::string& part : difference.path) path += (path.empty() ? "" : " > ") + part;
        const auto optional = [&table](bool there, const std::string& text) {
            there ? table.text(text) : table.none();
        };
        const DiffLine& line = difference.line;
        table.text(difference_kind(difference.kind));
        table.text(first.names().text(difference.participants));
        table.text(path);
        table.text(line.what);
        optional(!line.field.empty(), line.field);
        optional(difference.kind != Difference::Kind::only_in_b, line.a);
        optional(difference.kind != Difference::Kind::only_in_a, line.b);
    }
    put_only(only.a, "only_in_a", table);
    put_only(only.b, "only_in_b", table);
}

/// The lock of A is held while that of B is asked for, so all callers ask in one order: by address.
template <class Work>
void use_both(OpenTrace& a, OpenTrace& b, const Work& work) {
    if (&a == &b) {
        a.use([&](TraceFile& file) { work(file, file); });
    } else if (&a < &b) {
        a.use([&](TraceFile& file_a) { b.use([&](TraceFile& file_b) { work(file_a, file_b); }); });
    } else {
        b.use([&](TraceFile& file_b) { a.use([&](TraceFile& file_a) { work(file_a, file_b); }); });
    }
}

Batches diff(OpenTrace& a, OpenTrace& b, std::optional<double> tolerance,
             const std::vector<std::string>& ignored) {
    TableFrames table;
    use_both(a, b, [&](TraceFile& file_a, TraceFile& file_b) {
        put_differences(file_a, file_b, a.path(), b.path(), tolerance, ignored, table);
    });
    return kept_batches(std::move(table));
}

/// The document of trace_scale guard.
std::string guard(const std::vector<std::shared_ptr<OpenTrace>>& runs,
                  const std::vector<std::shared_ptr<OpenTrace>>& baselines,
                  const std::vector<std::string>& allowed, double least_effect, bool strict) {
    if (runs.empty() || baselines.empty())
        throw Error(ErrorKind::usage, "guard() needs runs and baselines");
    GuardRules rules;
    for (const std::string& text : allowed) rules.allow(text);
    rules.least_effect = least_effect;
    rules.strict = strict;
    Guard all;
    for (const auto& trace : baselines)
        trace->use([&](TraceFile& file) { all.add_baseline(file, trace->path()); });
    for (const auto& trace : runs)
        trace->use([&](TraceFile& file) { all.add_run(file, trace->path()); });
    TextStream out;
    JsonWriter json(out);
    begin_document(json, "guard");
    write_guard(judged(all, rules), json);
    json.end_object();
    return std::move(out).str();
}

}  // namespace

void add_comparison(py::module_& module) {
    module.def("diff", &diff, py::arg("a"), py::arg("b"), py::arg("tolerance"), py::arg("ignored"));
    module.def("guard", &guard, py::arg("runs"), py::arg("baselines"), py::arg("allowed"),
               py::arg("least_effect"), py::arg("strict"));
}

}  // namespace tracefold::python
