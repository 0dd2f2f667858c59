// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/list.hpp"

#include "common/output_format.hpp"
#include "common/progress.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

namespace tracefold {

namespace {

struct ListArguments {
    TraceListRequest request;
    TraceQuery query;
    std::string like;
    OutputFormat format;
    bool no_index = false;
};

}  // namespace

TraceReading trace_reading(bool deep) {
    return {deep, scratch_directory(), "tracefold " TRACEFOLD_VERSION};
}

std::string field_text(const TraceRecord& trace, TraceField field) {
    const FieldValue& value = trace[field];
    const FieldUnit unit = kTraceFields[static_cast<std::size_t>(field)].unit;
    if (value.index() == 0) return "-";
    if (const auto* const text = std::get_if<std::string>(&value)) return *text;
    if (const auto* const whole = std::get_if<u64>(&value)) {
        return unit == FieldUnit::bytes ? format_size(*whole) : std::to_string(*whole);
    }
    const double real = std::get<double>(value);
    if (unit == FieldUnit::none) return fmt::format("{:.2f}", real);
    return unit == FieldUnit::seconds ? format_time(real) : format_percent(real);
}

std::vector<TraceField> shown_fields(const std::vector<TraceRecord>& traces,
                                     std::optional<TraceField> sort) {
    const auto any = [&traces](const auto& holds) { return std::ranges::any_of(traces, holds); };
    std::vector<TraceField> fields = {
        TraceField::file,    TraceField::program,  TraceField::ranks,      TraceField::threads,
        TraceField::steps,   TraceField::duration, TraceField::efficiency, TraceField::first_cause,
        TraceField::machine, TraceField::date,     TraceField::size};
    if (sort && std::ranges::find(fields, *sort) == fields.end()) fields.push_back(*sort);
    const bool near =
        any([](const auto& trace) { return trace[TraceField::distance].index() != 0; });
    if (near && sort != TraceField::distance) fields.push_back(TraceField::distance);
    const bool all_readable = std::ranges::all_of(traces, is_readable);
    if (!all_readable && sort != TraceField::state) fields.push_back(TraceField::state);
    return fields;
}

namespace {

Table::Column column_of(TraceField field, bool last) {
    const TraceFieldInfo& info = kTraceFields[static_cast<std::size_t>(field)];
    Table::Column column{std::string(info.name)};
    std::ranges::replace(column.title, '_', ' ');
    if (info.type != TableColumn::Type::text) column.align = kRight;
    if (field == TraceField::state && last) column.align = kSentence;
    switch (field) {
        case TraceField::machine:
            column.dispensable = 5;
            break;
        case TraceField::threads:
            column.dispensable = 4;
            break;
        case TraceField::first_cause:
            column.dispensable = 3;
            break;
        case TraceField::date:
            column.dispensable = 2;
            break;
        case TraceField::steps:
        case TraceField::efficiency:
            column.dispensable = 1;
            break;
        default:
            break;
    }
    return column;
}

void print_list(const TraceList& list, const TraceQuery& query, Console& console) {
    const std::vector<TraceField> fields = shown_fields(list.traces, query.sort);
    std::vector<Table::Column> columns;
    for (const TraceField field : fields) {
        columns.push_back(column_of(field, field == fields.back()));
    }
    Table table(columns);
    for (const TraceRecord& trace : list.traces) {
        std::vector<std::string> cells;
        for (const TraceField field : fields) {
            cells.push_back(field_text(trace, field));
        }
        table.add_row(cells);
    }
    if (!list.traces.empty()) table.print(console);
}

void write_list_json(const TraceList& list, Console& console) {
    JsonWriter json = begin_document(console, "list");
    json.member("read", list.read);
    write_objects("traces", list.traces, json, [&json](const TraceRecord& trace) {
        for (std::size_t i = 0; i < trace.values.size(); ++i) {
            json.key(kTraceFields[i].name);
            std::visit(
                [&json](const auto& value) {
                    if constexpr (std::is_same_v<decltype(value), const std::monostate&>) {
                        json.null();
                    } else {
                        json.value(value);
                    }
                },
                trace.values[i]);
        }
    });
    json.end_object();
}

ExitCode run_list(const ListArguments& arguments, Console& console) {
    arguments.format.check(console);
    TraceListRequest request = arguments.request;
    request.use_index = !arguments.no_index;
    request.reading = trace_reading(request.reading.deep);
    std::optional<Progress> progress;
    request.expected = [&](u64 traces) { progress.emplace(console, "reading", traces, "traces"); };
    request.progress = [&](u64 traces) { progress->advance(traces); };
    TraceQuery query = arguments.query;
    if (!arguments.like.empty()) query.like = read_signature(arguments.like, request.reading);
    TraceList list = list_traces(request);
    progress.reset();
    for (const std::string& note : list.notes) console.detail(note);
    const std::size_t found = list.traces.size();
    const auto readable = static_cast<std::size_t>(std::ranges::count_if(list.traces, is_readable));
    select_traces(list.traces, query);
    arguments.format.show(
        list, console, write_list_json,
        [](const TraceList& view, std::ostream& out) {
            CsvTable table(out);
            put_traces(view.traces, table);
        },
        [&query](const TraceList& view, Console& to) { print_list(view, query, to); });
    if (arguments.format.csv) return exit_ok;
    std::string line =
        fmt::format("{} of {} {}", list.traces.size(), found, found == 1 ? "trace" : "traces");
    if (readable != found) line += fmt::format("; {} cannot be read", found - readable);
    console.summary(line);
    return exit_ok;
}

}  // namespace

InspectCommand add_list_command(CLI::App& app) {
    auto arguments = std::make_shared<ListArguments>();
    ListArguments& it = *arguments;
    CLI::App* list = app.add_subcommand("list", "All traces of folders, a line each");
    list->add_option("DIR", it.request.places,
                     "Folders, which are searched for folded files and archives; or traces")
        ->required();
    list->add_option_function<std::string>(
            "--where", [&it](const std::string& text) { it.query.where.emplace(text); },
            "Only traces for which this holds: 'ranks>=64 and program~lulesh'")
        ->type_name("CONDITION");
    list->add_option_function<std::string>(
            "--sort", [&it](const std::string& name) { it.query.sort = trace_field(name); },
            "Order by a field: smallest first, unknown last")
        ->type_name("FIELD");
    list->add_flag("--reverse", it.query.reverse, "Reverse the order: largest first");
    list->add_option("--like", it.like,
                     "Show the distance of each structure from that of this trace, nearest first")
        ->type_name("FILE");
    list->add_flag("--deep", it.request.reading.deep,
                   "Also compute steps and efficiency, and fold archives temporarily");
    list->add_flag("--no-index", it.no_index, "Neither read nor write indexes of folders");
    it.format.add_options(*list, false);
    add_threads_option(*list, it.request.threads, "read traces", "1 per core");
    return {list,
            on_rank_zero([arguments](Console& console) { return run_list(*arguments, console); }),
            nullptr};
}

}  // namespace tracefold
