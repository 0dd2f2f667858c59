// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "common/table.hpp"
#include "common/units.hpp"
#include "core/csv_table.hpp"
#include "scale/models.hpp"
#include "scale/profiles.hpp"

#include <fmt/core.h>

namespace tracefold {

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
    if (view.at > 0) json.member("at", evaluate(model.growth, view.at));
    write_objects("measured", model.measured, json, [&](const Measurement& measurement) {
        json.member("size", measurement.size).member("mean", measurement.value);
    }).end_object();
}

}  // namespace

std::vector<std::string> measured_cells(const PathModel& model, const ModelsView& view) {
    std::vector<std::string> cells;
    std::size_t next = 0;
    for (const RunProfile& run : view.runs) {
        const bool has = next < model.measured.size() && model.measured[next].size == run.size;
        cells.push_back(has ? unit_text(model.unit, model.measured[next++].value) : "-");
    }
    if (view.at > 0) cells.push_back(unit_text(model.unit, evaluate(model.growth, view.at)));
    cells.push_back(error_text(model));
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
        columns.push_back({fmt::format("{}", run.size), kRight});
    }
    if (view.at > 0) columns.push_back({fmt::format("at {}", view.at), kRight});
    columns.push_back({"error", kRight});
    columns.push_back(
        {view.is_of_ranks() ? "as a function of p ranks" : "as a function of " + view.parameter});
    Table table(columns);
    for (const PathModel& model : view.models) {
        std::vector<std::string> row = measured_cells(model, view);
        row.insert(row.begin(), {model.path, model.metric});
        table.add_row(std::move(row));
    }
    table.print(console.out());
}

void write_models_csv(const ModelsView& view, std::ostream& out) {
    out << "path,metric," << (view.is_of_ranks() ? "ranks" : csv_field(view.parameter))
        << ",mean,predicted,leave_one_out_error,formula\n";
    for (const PathModel& model : view.models) {
        for (const Measurement& measurement : model.measured) {
            out << csv_field(model.path) << ',' << model.metric << ','
                << csv_number(measurement.size) << ',' << csv_number(measurement.value) << ','
                << csv_number(evaluate(model.growth, measurement.size)) << ','
                << csv_number(model.growth.error) << ','
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
