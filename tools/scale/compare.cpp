// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/csv_table.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "forecast/run_profile.hpp"
#include "scale/command.hpp"
#include "scale/runs.hpp"

#include <cmath>
#include <memory>

#include <fmt/core.h>

namespace tracefold {

namespace {

struct CompareArguments {
    RunArguments runs;
    bool by_class = false;
    OutputFormat format;
};

std::string signed_time(double seconds) {
    return (seconds < 0 ? "-" : "+") + format_time(std::abs(seconds));
}

std::string share_text(double part, double whole) {
    return whole == 0 ? "-" : format_percent(part / whole);
}

std::string class_name(u32 number) { return fmt::format("class {}", number + 1); }

/// "class 1: 4 of 16, 4 of 64 ranks"
void print_classes(const std::vector<RunProfile>& runs, const RunComparison& comparison,
                   std::ostream& out) {
    for (u32 number = 0; number < comparison.class_ranks.size(); ++number) {
        std::string text;
        for (std::size_t run = 0; run < runs.size(); ++run) {
            text += fmt::format("{}{} of {}", text.empty() ? "" : ", ",
                                comparison.class_ranks[number][run], runs[run].ranks);
        }
        out << class_name(number) << ": " << text << " ranks\n";
    }
}

void print_text(const std::vector<RunProfile>& runs, const RunComparison& comparison,
                Console& console) {
    std::ostream& out = console.text();
    const bool by_class = !comparison.class_ranks.empty();
    print_classes(runs, comparison, out);
    out << "exclusive time per rank\n";
    std::vector<Table::Column> columns;
    for (const RunProfile& run : runs) {
        const bool is_end = &run == &runs.front() || &run == &runs.back();
        columns.push_back({fmt::format("{} ranks", run.ranks), kRight, is_end ? 0U : 1U});
    }
    columns.push_back({"change", kRight});
    columns.push_back({"share", kRight});
    if (by_class) columns.push_back({"ranks", Table::Align::left, 2});
    columns.push_back({"call path"});
    Table table(columns);
    const auto add = [&](const std::vector<double>& seconds, double change,
                         const std::string& rank_class, const std::string& name) {
        std::vector<std::string> row;
        for (const double value : seconds) row.push_back(format_time(value));
        row.push_back(signed_time(change));
        row.push_back(share_text(change, comparison.change));
        if (by_class) row.push_back(rank_class);
        row.push_back(name);
        table.add_row(row);
    };
    add(comparison.seconds, comparison.change, "all", "all");
    for (const ComparedPath& path : comparison.paths) {
        add(path.seconds, path.change, class_name(path.rank_class), path.path);
    }
    table.print(console);
}

void print_csv(const std::vector<RunProfile>& runs, const RunComparison& comparison,
               std::ostream& out) {
    const bool by_class = !comparison.class_ranks.empty();
    out << (by_class ? "class," : "") << "path,file,ranks,seconds_per_rank,change\n";
    for (const ComparedPath& path : comparison.paths) {
        for (std::size_t run = 0; run < runs.size(); ++run) {
            if (by_class) out << path.rank_class + 1 << ',';
            out << csv_field(path.path) << ',' << csv_field(runs[run].name) << ','
                << runs[run].ranks << ',' << csv_number(path.seconds[run]) << ','
                << csv_number(path.change) << '\n';
        }
    }
}

/// Number of ranks by class and run.
void write_classes(const RunComparison& comparison, JsonWriter& json) {
    if (comparison.class_ranks.empty()) return;
    write_objects("classes", comparison.class_ranks, json,
                  [&](const std::vector<u64>& ranks) { write_list("ranks", ranks, json); });
}

void print_json(const std::vector<RunProfile>& runs, const RunComparison& comparison,
                Console& console) {
    JsonWriter json = begin_document(console, "compare");
    write_runs(runs, json);
    write_list("seconds_per_rank", comparison.seconds, json);
    json.member("change", comparison.change);
    write_classes(comparison, json);
    write_objects("paths", comparison.paths, json, [&](const ComparedPath& path) {
        json.member("path", path.path);
        if (!comparison.class_ranks.empty()) json.member("class", path.rank_class + 1);
        write_list("seconds_per_rank", path.seconds, json);
        json.member("change", path.change);
    }).end_object();
}

ExitCode run_compare(const CompareArguments& arguments, Console& console) {
    arguments.format.check(console);
    const RunProfiles profiles(arguments.runs, console, [&](std::size_t, u32) {
        RunProfileRequest request;
        request.by_rank = arguments.by_class;
        return request;
    });
    const RunComparison comparison = compare_runs(profiles.runs, arguments.by_class);
    if (console.json()) {
        print_json(profiles.runs, comparison, console);
    } else if (arguments.format.csv) {
        print_csv(profiles.runs, comparison, console.out());
    } else {
        print_text(profiles.runs, comparison, console);
    }
    return exit_ok;
}

}  // namespace

ScaleCommand add_compare_command(CLI::App& app) {
    auto arguments = std::make_shared<CompareArguments>();
    CLI::App* command = app.add_subcommand("compare", "Compare the time of runs by call path");
    arguments->runs.add_options(*command);
    command->add_flag("--by-class", arguments->by_class,
                      "Distinguish ranks that call other functions, or the same ones more often");
    arguments->format.add_options(*command, false);
    return {command, [arguments](Console& console, const CommonOptions&) {
                return run_compare(*arguments, console);
            }};
}

}  // namespace tracefold
