// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "forecast/run_profile.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

struct ModelsView {
    const std::vector<RunProfile>& runs;  ///< by ascending size
    std::vector<PathModel> models;
    std::string parameter = "p";  ///< name of the size; p: ranks
    double at = 0;                ///< requested size; 0: none

    [[nodiscard]] bool is_of_ranks() const { return parameter == "p"; }
};

void print_models(const ModelsView& view, Console& console);
void write_models_csv(const ModelsView& view, std::ostream& out);
void write_models_json(const ModelsView& view, Console& console);
/// The member "interval_90": lower and upper end; nothing if it is unknown.
void write_interval(const PathModel& model, double size, JsonWriter& json);

/// Table cells of a model: values in each run and at the requested size, error, function.
std::vector<std::string> measured_cells(const PathModel& model, const ModelsView& view);

/// The function of a model; "-" with fewer than three sizes, unless exact.
std::string formula_text(const PathModel& model, const std::string& parameter);
/// "exact", "12.3 %", "-"
std::string error_text(const PathModel& model);

/// Draws measurements as points and the growth as a curve, dashed beyond the measurements, on a
/// page of begin_page(). The size axis is logarithmic, as is the value axis if values differ by
/// more than a factor of twenty; else it begins at zero.
void draw_growth(std::ostream& out, const PathModel& model, const ModelsView& view);

/// Draws a bar per run: the mean time of a rank by call path. Nothing without times.
void draw_times(std::ostream& out, const ModelsView& view);

/// Writes a self-contained HTML page: the runs, their time by call path, the growth of each number
/// as a chart, and a table of all models.
void write_models_page(const ModelsView& view, std::ostream& out);

}  // namespace tracefold
