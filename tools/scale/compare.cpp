// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/csv.hpp"
#include "common/json_document.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/units.hpp"
#include "scale/command.hpp"
#include "scale/profiles.hpp"
#include "scaling/run_comparison.hpp"

#include <cmath>
#include <memory>

#include <fmt/core.h>

namespace tracefold {

namespace {

struct CompareArguments {
    RunArguments runs;
    OutputFormat format;
};

std::string signed_time(double seconds) {
    return (seconds < 0 ? "-" : "+") + format_time(std::abs(seconds));
}

std::string share_text(double part, double whole) {
    return whole == 0 ? "-" : format_percent(part / whole);
}

void print_text(const std::vector<RunProfile>& runs, const RunComparison& comparison,
                std::ostream& out) {
    using Align = Table::Align;
    out << "time per rank, without what is called from there\n";
    std::vector<Table::Column> columns;
    for (const RunProfile& run : runs)
        columns.push_back({fmt::format("{} ranks", run.ranks), Align::right});
    columns.push_back({"change", Align::right});
    columns.push_back({"of all", Align::right});
    columns.push_back({"call path"});
    Table table(columns);
    const auto add = [&](const std::vector<double>& seconds, double change,
                         const std::string& name) {
        std::vector<std::string> row;
        for (const double value : seconds) row.push_back(format_time(value));
        row.push_back(signed_time(change));
        row.push_back(share_text(change, comparison.change));
        row.push_back(name);
        table.add_row(std::move(row));
    };
    add(comparison.seconds, comparison.change, "all");
    for (const ComparedPath& path : comparison.paths) add(path.seconds, path.change, path.path);
    table.print(out);
}

void print_csv(const std::vector<RunProfile>& runs, const RunComparison& comparison,
               std::ostream& out) {
    out << "path,file,ranks,seconds_per_rank,change\n";
    for (const ComparedPath& path : comparison.paths) {
        for (std::size_t run = 0; run < runs.size(); ++run) {
            out << csv_field(path.path) << ',' << csv_field(runs[run].name) << ','
                << runs[run].ranks << ',' << csv_number(path.seconds[run]) << ','
                << csv_number(path.change) << '\n';
        }
    }
}

void write_seconds(const std::vector<double>& seconds, JsonWriter& json) {
    json.key("seconds_per_rank").begin_array();
    for (const double value : seconds) json.value(value);
    json.end_array();
}

void print_json(const std::vector<RunProfile>& runs, const RunComparison& comparison,
                Console& console) {
    JsonWriter json(console.out(), console.json_layout());
    begin_document(json, "compare");
    write_runs(runs, json);
    write_seconds(comparison.seconds, json);
    json.member("change", comparison.change).key("paths").begin_array();
    for (const ComparedPath& path : comparison.paths) {
        json.begin_object().member("path", path.path);
        write_seconds(path.seconds, json);
        json.member("change", path.change).end_object();
    }
    json.end_array().end_object();
}

ExitCode run_compare(const CompareArguments& arguments, Console& console) {
    arguments.format.check(console);
    const RunProfiles profiles(arguments.runs, false, console);
    const RunComparison comparison = compare_runs(profiles.runs);
    if (console.json()) {
        print_json(profiles.runs, comparison, console);
    } else if (arguments.format.csv) {
        print_csv(profiles.runs, comparison, console.out());
    } else {
        print_text(profiles.runs, comparison, console.out());
    }
    return exit_ok;
}

}  // namespace

ScaleCommand add_compare_command(CLI::App& app) {
    auto arguments = std::make_shared<CompareArguments>();
    CLI::App* command = app.add_subcommand(
        "compare", "Where the time of runs went, and which call paths make the difference");
    arguments->runs.add_options(*command);
    arguments->format.add_options(*command, false);
    return {command, [arguments](Console& console, const CommonOptions&) {
                return run_compare(*arguments, console);
            }};
}

}  // namespace tracefold
