// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/csv_table.hpp"
#include "base/error.hpp"
#include "common/common_options.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "forecast/run_efficiency.hpp"
#include "scale/command.hpp"
#include "scale/runs.hpp"

#include <algorithm>
#include <memory>

#include <fmt/core.h>

namespace tracefold {

namespace {

struct EfficiencyArguments {
    RunArguments runs;
    std::optional<Scaling> scaling;  ///< none: inferred
    OutputFormat format;
};

/// A figure of a run; its name in JSON and CSV.
struct Figure {
    std::string name;
    int level = 0;
    std::optional<double> value;
    std::optional<double> most = std::nullopt;  ///< upper end of a range
};

/// The tree of factors, outermost first.
std::vector<Figure> figures_of(const RunEfficiency& run) {
    std::vector<Figure> figures = {{"global", 0, run.global}};
    for (const EfficiencyFactor& factor : run.factors) {
        figures.push_back({std::string(factor.name), factor.level + 1, factor.value, factor.most});
    }
    figures.insert(figures.end(), {{"computation_scaling", 1, run.computation_scaling},
                                   {"instruction_scaling", 2, run.instruction_scaling},
                                   {"ipc_scaling", 2, run.ipc_scaling},
                                   {"frequency_scaling", 2, run.frequency_scaling}});
    return figures;
}

/// How the scaling is known.
std::string scaling_sentence(const ScalingEfficiency& data) {
    const std::string_view what = data.from_instructions ? "instructions" : "computation";
    const bool same = data.runs.front().cores == data.runs.back().cores;
    if (same) return "all runs have the same number of ranks";
    if (!data.is_inferred) return fmt::format("{} scaling", scaling_name(data.scaling));
    const std::string growth = fmt::format("the {} of all ranks {} as p^{:.2f}", what,
                                           data.from_instructions ? "grow" : "grows", data.growth);
    if (data.scaling == Scaling::neither) {
        return "scaling not computed: " + growth +
               ", which is neither strong nor weak scaling; --scaling tells which is meant";
    }
    return fmt::format("{} scaling (inferred: {})", scaling_name(data.scaling), growth);
}

std::string title_of(const std::string& name) {
    std::string title = name;
    std::ranges::replace(title, '_', ' ');
    if (title.starts_with("ipc ")) title = "IPC" + title.substr(3);
    const bool is_complete = title.ends_with("scaling") || title.ends_with("load balance");
    return is_complete ? title : title + " efficiency";
}

std::string value_text(const Figure& figure) {
    if (!figure.value) return "-";
    const std::string least = format_percent(*figure.value);
    const std::string most = format_percent(figure.most.value_or(*figure.value));
    return least == most ? least : least + " to " + most;
}

void print_text(const ScalingEfficiency& data, Console& console) {
    std::ostream& out = console.text();
    std::vector<Table::Column> columns = {{""}};
    for (const RunEfficiency& run : data.runs) {
        const bool is_end = &run == &data.runs.front() || &run == &data.runs.back();
        columns.push_back({fmt::format("{} ranks", run.ranks), kRight, is_end ? 0U : 1U});
    }
    Table table(columns);
    const auto add = [&](const std::string& title, const auto& text) {
        std::vector<std::string> row = {title};
        for (const RunEfficiency& run : data.runs) row.push_back(text(run));
        const bool is_empty = std::all_of(row.begin() + 1, row.end(),
                                          [](const std::string& cell) { return cell == "-"; });
        if (!is_empty) table.add_row(row);
    };
    const auto threads = [](const RunEfficiency& run) {
        return run.cores == run.ranks ? "-" : std::to_string(run.cores);
    };
    add("threads", threads);
    add("run time", [](const RunEfficiency& run) { return format_time(run.runtime); });
    for (const Figure& figure : figures_of(data.runs.front())) {
        add(std::string(2 * static_cast<std::size_t>(figure.level), ' ') + title_of(figure.name),
            [&](const RunEfficiency& run) {
                const std::vector<Figure> of_run = figures_of(run);
                const auto same = std::ranges::find(of_run, figure.name, &Figure::name);
                return same == of_run.end() ? "-" : value_text(*same);
            });
    }
    add("computation, all ranks",
        [](const RunEfficiency& run) { return format_time(run.computation); });
    add("instructions in it", [](const RunEfficiency& run) {
        return run.instructions ? format_count(rounded(*run.instructions)) : "-";
    });
    add("instructions per cycle",
        [](const RunEfficiency& run) { return run.ipc ? fmt::format("{:.2f}", *run.ipc) : "-"; });
    add("frequency", [](const RunEfficiency& run) {
        return run.frequency ? fmt::format("{:.2f} GHz", *run.frequency / 1e9) : "-";
    });
    table.print(console);
    out << scaling_sentence(data) << '\n';
    if (data.scaling != Scaling::neither) {
        out << "scaling relative to the run of " << data.runs.front().ranks << " ranks\n";
    }
    for (const RunEfficiency& run : data.runs) {
        if (run.is_part) out << printable(run.name) << ": not all of the run was measured\n";
    }
    if (!data.why_no_counters.empty()) {
        out << "computation scaling is not split: " << printable(data.why_no_counters) << '\n';
    }
}

/// Calls figure(name, value) for times and counters of a run.
void each_total(const RunEfficiency& run, const auto& figure) {
    figure("runtime", run.runtime);
    figure("computation", run.computation);
    const auto maybe = [&](const std::string& name, const std::optional<double>& value) {
        if (value) figure(name, *value);
    };
    maybe("instructions", run.instructions);
    maybe("ipc", run.ipc);
    maybe("frequency", run.frequency);
}

void each_factor(const RunEfficiency& run, const auto& figure) {
    for (const Figure& it : figures_of(run)) {
        if (it.value) each_figure(it.name, *it.value, it.most, figure);
    }
}

void print_csv(const ScalingEfficiency& data, std::ostream& out) {
    out << "file,ranks,threads,figure,value\n";
    for (const RunEfficiency& run : data.runs) {
        const auto line = [&](const std::string& name, double value) {
            out << csv_field(run.name) << ',' << run.ranks << ',' << run.cores << ',' << name << ','
                << csv_number(value) << '\n';
        };
        each_total(run, line);
        each_factor(run, line);
    }
}

void print_json(const ScalingEfficiency& data, Console& console) {
    JsonWriter json = begin_document(console, "scaling_efficiency");
    json.member("scaling", scaling_name(data.scaling)).member("inferred", data.is_inferred);
    if (data.is_inferred) {
        json.member("growth", data.growth)
            .member("growth_of", data.from_instructions ? "instructions" : "computation");
    }
    if (!data.why_no_counters.empty()) json.member("not_split", data.why_no_counters);
    write_objects("runs", data.runs, json, [&](const RunEfficiency& run) {
        json.member("file", run.name).member("ranks", run.ranks).member("threads", run.cores);
        json.member("part", run.is_part);
        const auto member = [&](const std::string& name, double value) {
            json.member(name, value);
        };
        each_total(run, member);
        json.key("efficiency").begin_object();
        each_factor(run, member);
        json.end_object();
    }).end_object();
}

ExitCode run_efficiency_command(const EfficiencyArguments& arguments, Console& console) {
    arguments.format.check(console);
    const auto inputs = open_runs(arguments.runs, console);
    std::vector<RunEfficiency> runs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::string& path = arguments.runs.paths[i];
        try {
            runs.push_back(
                run_efficiency(trace_efficiency(inputs[i]->file(), WaitSearch::all, 0), path));
        } catch (const Error& error) {
            throw error.in(path);
        }
    }
    const ScalingEfficiency data = scaling_efficiency(std::move(runs), arguments.scaling);
    if (console.json()) {
        print_json(data, console);
    } else if (arguments.format.csv) {
        print_csv(data, console.out());
    } else {
        print_text(data, console);
    }
    return exit_ok;
}

}  // namespace

ScaleCommand add_efficiency_command(CLI::App& app) {
    auto arguments = std::make_shared<EfficiencyArguments>();
    CLI::App* command =
        app.add_subcommand("efficiency", "Compare the efficiency of runs, by the factors of POP");
    arguments->runs.add_options(*command);
    add_choice(*command, "--scaling", arguments->scaling,
               OptionWords<std::optional<Scaling>>{
                   {"auto", {}}, {"strong", Scaling::strong}, {"weak", Scaling::weak}},
               "Work of all ranks together: the same in all runs (strong), in proportion to their "
               "number (weak), or inferred (auto)");
    arguments->format.add_options(*command, false);
    return {command, [arguments](Console& console, const CommonOptions&) {
                return run_efficiency_command(*arguments, console);
            }};
}

}  // namespace tracefold
