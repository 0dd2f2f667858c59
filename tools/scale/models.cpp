// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scale/models.hpp"

#include "base/atomic_directory.hpp"
#include "base/csv_table.hpp"
#include "base/text_stream.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "scale/command.hpp"
#include "scale/runs.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include <fmt/core.h>

namespace tracefold {

namespace {

struct ModelsArguments {
    RunArguments runs;
    RunParameter parameter;
    double at = 0;  ///< 0: none
    OutputFormat format;
    std::string extra_p;
    std::string cubex;   ///< folder
    std::string report;  ///< file
};

/// A folder of Cube files, named as Extra-P expects a series: run.p8.r1/profile.cubex, where r
/// counts the runs of one size. Published atomically.
class CubexSeries {
  public:
    CubexSeries(const ModelsArguments& arguments, bool force)
        : target_(arguments.cubex),
          force_(force),
          values_(arguments.parameter.values),
          name_(arguments.parameter.name) {}

    /// The file of the next run; empty without output.
    std::string next(std::size_t run, u32 ranks) {
        if (target_.empty()) return {};
        const double size = run < values_.size() ? values_[run] : ranks;
        const std::string folder = fmt::format("run.{}{}.r{}", name_, size, ++repetitions_[size]);
        const std::string file = folder + "/profile.cubex";
        // The first file identifies an earlier series.
        if (!folder_) folder_.emplace(target_, force_, EarlierOutput{file, is_profile});
        std::filesystem::create_directory(folder_->path() + "/" + folder);
        return folder_->path() + "/" + file;
    }

    void commit() {
        if (folder_) folder_->commit();
    }

  private:
    static bool is_profile(const std::string& file) {
        return file.starts_with("run.") && file.ends_with("/profile.cubex");
    }

    const std::string& target_;
    bool force_;
    const std::vector<double>& values_;
    const std::string& name_;
    std::optional<AtomicDirectory> folder_;
    std::map<double, int> repetitions_;
};

ExitCode run_models(const ModelsArguments& arguments, Console& console,
                    const CommonOptions& common) {
    arguments.format.check(console);
    CubexSeries cubex(arguments, common.force);
    RunProfiles profiles(arguments.runs, console, [&](std::size_t run, u32 ranks) {
        RunProfileRequest request;
        request.traffic = true;
        request.force = common.force;
        request.cubex = cubex.next(run, ranks);
        return request;
    });
    cubex.commit();
    profiles.sort_by(arguments.parameter);
    const ModelsView view{profiles.runs, model_paths(profiles.runs), arguments.parameter.name,
                          arguments.at};
    if (!arguments.extra_p.empty()) {
        write_file(arguments.extra_p, to_extra_p(view.models, view.parameter), common.force);
    }
    if (!arguments.report.empty()) {
        TextStream page;
        write_models_page(view, page);
        write_file(arguments.report, page.str(), common.force);
    }
    arguments.format.show(view, console, write_models_json, write_models_csv, print_models);
    return exit_ok;
}

}  // namespace

ScaleCommand add_models_command(CLI::App& app) {
    auto arguments = std::make_shared<ModelsArguments>();
    CLI::App* command = app.add_subcommand(
        "models", "Model visits, bytes and times of every call path over the number of ranks");
    arguments->runs.add_options(*command);
    arguments->parameter.add_options(*command);
    command->add_option("--at", arguments->at, "Also give the values for N ranks")
        ->default_str("")
        ->type_name("N")
        ->check(CLI::Range(1.0, 1e9));
    arguments->format.add_options(*command, false);
    command
        ->add_option("--extra-p", arguments->extra_p,
                     "Write the measurements as JSON Lines for Extra-P")
        ->type_name("FILE");
    command
        ->add_option("--cubex", arguments->cubex,
                     "Write the profiles of all runs to a folder of Cube files, named for Extra-P")
        ->type_name("FOLDER");
    command
        ->add_option("--report", arguments->report,
                     "Write an HTML page with the growth of each number")
        ->type_name("FILE");
    return {command, [arguments](Console& console, const CommonOptions& common) {
                return run_models(*arguments, console, common);
            }};
}

namespace {

void write_growth(const PathModel& model, const ModelsView& view, JsonWriter& json) {
    const Growth& growth = model.growth;
    json.key("growth")
        .begin_object()
        .member("constant", growth.constant)
        .member("coefficient", growth.coefficient)
        .member("exponent", static_cast<double>(growth.numerator) / growth.denominator)
        .member("logarithms", growth.logarithms)
        .member("leave_one_out_error", growth.error)
        .member("formula", to_text(growth, view.parameter))
        .end_object();
}

void write_model(const PathModel& model, const ModelsView& view, JsonWriter& json) {
    json.begin_object().member("path", model.path).member("metric", model.metric);
    json.member("exact", model.is_exact());
    write_growth(model, view, json);
    if (model.hold_out_error) json.member("hold_out_error", *model.hold_out_error);
    if (view.at > 0) {
        json.member("at", evaluate(model.growth, view.at));
        write_interval(model, view.at, json);
    }
    write_objects("measured", model.measured, json, [&](const Measurement& measurement) {
        json.member("size", measurement.size).member("mean", measurement.value);
    }).end_object();
}

}  // namespace

void write_interval(const PathModel& model, double size, JsonWriter& json) {
    const auto interval = model.interval(size);
    if (!interval) return;
    json.key("interval_90").begin_array().value(interval->low).value(interval->high).end_array();
}

std::vector<std::string> measured_cells(const PathModel& model, const ModelsView& view) {
    std::vector<std::string> cells;
    std::size_t next = 0;
    for (const RunProfile& run : view.runs) {
        const bool has = next < model.measured.size() && model.measured[next].size == run.size;
        cells.push_back(has ? unit_text(model.unit, model.measured[next++].value) : "-");
    }
    if (view.at > 0) {
        cells.push_back(unit_text(model.unit, evaluate(model.growth, view.at)));
        const auto interval = model.interval(view.at);
        cells.push_back(interval ? fmt::format("{} to {}", unit_text(model.unit, interval->low),
                                               unit_text(model.unit, interval->high))
                                 : "");
    }
    cells.push_back(error_text(model));
    cells.push_back(model.hold_out_error ? format_percent(*model.hold_out_error) : "");
    cells.push_back(formula_text(model, view.parameter));
    return cells;
}

std::string formula_text(const PathModel& model, const std::string& parameter) {
    const bool is_told = model.measured.size() >= 3 || model.is_exact();
    return is_told ? to_text(model.growth, parameter) : "-";
}

std::string error_text(const PathModel& model) {
    if (model.is_exact()) return "exact";
    return model.measured.size() < 3 ? "-" : format_percent(model.growth.error);
}

void print_models(const ModelsView& view, Console& console) {
    std::vector<Table::Column> columns = {{"call path"}, {"per rank"}};
    for (const RunProfile& run : view.runs) {
        const bool is_end = &run == &view.runs.front() || &run == &view.runs.back();
        columns.push_back({fmt::format("{}", run.size), kRight, is_end ? 0U : 3U});
    }
    if (view.at > 0) {
        columns.push_back({fmt::format("at {}", view.at), kRight});
        columns.push_back({"90 % interval", Table::Align::left, 2});
    }
    columns.push_back({"error", kRight, 1});
    columns.push_back({"ahead", kRight, 4});
    columns.push_back(
        {view.is_of_ranks() ? "as a function of p ranks" : "as a function of " + view.parameter,
         kSentence});
    Table table(columns);
    for (const PathModel& model : view.models) {
        std::vector<std::string> row = measured_cells(model, view);
        row.insert(row.begin(), {model.path, model.metric});
        table.add_row(row);
    }
    table.print(console);
}

void write_models_csv(const ModelsView& view, std::ostream& out) {
    out << "path,metric," << (view.is_of_ranks() ? "ranks" : csv_field(view.parameter))
        << ",mean,predicted,leave_one_out_error,hold_out_error,formula\n";
    for (const PathModel& model : view.models) {
        for (const Measurement& measurement : model.measured) {
            out << csv_field(model.path) << ',' << model.metric << ','
                << csv_number(measurement.size) << ',' << csv_number(measurement.value) << ','
                << csv_number(evaluate(model.growth, measurement.size)) << ','
                << csv_number(model.growth.error) << ','
                << (model.hold_out_error ? csv_number(*model.hold_out_error) : "") << ','
                << csv_field(to_text(model.growth, view.parameter)) << '\n';
        }
    }
}

void write_models_json(const ModelsView& view, Console& console) {
    JsonWriter json = begin_document(console, "models");
    write_runs(view.runs, json);
    json.member("parameter", view.parameter);
    json.key("models").begin_array();
    for (const PathModel& model : view.models) write_model(model, view, json);
    json.end_array().end_object();
}

}  // namespace tracefold
