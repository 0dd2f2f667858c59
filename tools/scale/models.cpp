// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/csv.hpp"
#include "common/json_document.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/units.hpp"
#include "io/file.hpp"
#include "scale/command.hpp"
#include "scale/profiles.hpp"
#include "scaling/run_models.hpp"

#include <memory>

#include <fmt/core.h>

namespace tracefold {

namespace {

struct ModelsArguments {
    RunArguments runs;
    double at = 0;  ///< 0: nowhere
    OutputFormat format;
    std::string extra_p;
};

std::string formula_text(const PathModel& model) {
    return model.measured.size() < 3 && !model.is_exact() ? "-" : to_text(model.growth);
}

std::string error_text(const PathModel& model) {
    if (model.is_exact()) return "exact";
    return model.measured.size() < 3 ? "-" : format_percent(model.growth.error);
}

void print_text(const ModelsArguments& arguments, const std::vector<RunProfile>& runs,
                const std::vector<PathModel>& models, Console& console) {
    using Align = Table::Align;
    std::vector<Table::Column> columns = {{"call path"}, {"per rank"}};
    for (const RunProfile& run : runs) columns.push_back({std::to_string(run.ranks), Align::right});
    if (arguments.at > 0) columns.push_back({fmt::format("at {}", arguments.at), Align::right});
    columns.push_back({"error", Align::right});
    columns.push_back({"as a function of p ranks"});
    Table table(columns);
    for (const PathModel& model : models) {
        std::vector<std::string> row = {model.path, std::string(metric_name(model.metric))};
        std::size_t next = 0;
        for (const RunProfile& run : runs) {
            const bool has = next < model.measured.size() && model.measured[next].size == run.ranks;
            row.push_back(has ? metric_text(model.metric, model.measured[next++].value) : "-");
        }
        if (arguments.at > 0) {
            row.push_back(metric_text(model.metric, evaluate(model.growth, arguments.at)));
        }
        row.push_back(error_text(model));
        row.push_back(formula_text(model));
        table.add_row(std::move(row));
    }
    table.print(console.out());
}

void print_csv(const std::vector<PathModel>& models, std::ostream& out) {
    out << "path,metric,ranks,mean,predicted,leave_one_out_error,formula\n";
    for (const PathModel& model : models) {
        for (const Measurement& measurement : model.measured) {
            out << csv_field(model.path) << ',' << metric_name(model.metric) << ','
                << csv_number(measurement.size) << ',' << csv_number(measurement.value) << ','
                << csv_number(evaluate(model.growth, measurement.size)) << ','
                << csv_number(model.growth.error) << ',' << csv_field(to_text(model.growth))
                << '\n';
        }
    }
}

void write_growth(const Growth& growth, JsonWriter& json) {
    json.key("growth")
        .begin_object()
        .member("constant", growth.constant)
        .member("coefficient", growth.coefficient)
        .member("exponent", static_cast<double>(growth.numerator) / growth.denominator)
        .member("logarithms", growth.logarithms)
        .member("leave_one_out_error", growth.error)
        .member("formula", to_text(growth))
        .end_object();
}

void print_json(const ModelsArguments& arguments, const std::vector<RunProfile>& runs,
                const std::vector<PathModel>& models, Console& console) {
    JsonWriter json(console.out(), console.json_layout());
    begin_document(json, "models");
    write_runs(runs, json);
    json.key("models").begin_array();
    for (const PathModel& model : models) {
        json.begin_object().member("path", model.path).member("metric", metric_name(model.metric));
        json.member("exact", model.is_exact());
        write_growth(model.growth, json);
        if (arguments.at > 0) json.member("at", evaluate(model.growth, arguments.at));
        json.key("measured").begin_array();
        for (const Measurement& measurement : model.measured) {
            json.begin_object()
                .member("ranks", measurement.size)
                .member("mean", measurement.value)
                .end_object();
        }
        json.end_array().end_object();
    }
    json.end_array().end_object();
}

void write_extra_p(const std::string& path, const std::vector<PathModel>& models, bool force) {
    AtomicFile file(path, force);
    file.write(to_extra_p(models));
    file.commit();
}

ExitCode run_models(const ModelsArguments& arguments, Console& console,
                    const CommonOptions& common) {
    arguments.format.check(console);
    const RunProfiles profiles(arguments.runs, true, console);
    const std::vector<PathModel> models = model_paths(profiles.runs);
    if (!arguments.extra_p.empty()) write_extra_p(arguments.extra_p, models, common.force);
    if (console.json()) {
        print_json(arguments, profiles.runs, models, console);
    } else if (arguments.format.csv) {
        print_csv(models, console.out());
    } else {
        print_text(arguments, profiles.runs, models, console);
    }
    return exit_ok;
}

}  // namespace

ScaleCommand add_models_command(CLI::App& app) {
    auto arguments = std::make_shared<ModelsArguments>();
    CLI::App* command = app.add_subcommand(
        "models", "How visits, bytes and times of every call path grow with the number of ranks");
    arguments->runs.add_options(*command);
    command->add_option("--at", arguments->at, "Also say what it would be on this many ranks")
        ->default_str("")
        ->type_name("N")
        ->check(CLI::Range(1.0, 1e9));
    arguments->format.add_options(*command, false);
    command
        ->add_option("--extra-p", arguments->extra_p,
                     "File for the measurements as JSON Lines, which Extra-P reads")
        ->type_name("FILE");
    return {command, [arguments](Console& console, const CommonOptions& common) {
                return run_models(*arguments, console, common);
            }};
}

}  // namespace tracefold
