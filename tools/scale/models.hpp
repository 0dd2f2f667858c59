// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "forecast/run_profile.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// Models of runs, to be told.
struct ModelsView {
    const std::vector<RunProfile>& runs;  ///< by rising size
    std::vector<PathModel> models;
    std::string parameter = "p";  ///< what sizes are of; p: ranks
    double at = 0;                ///< a size that is asked for; 0: none

    [[nodiscard]] bool is_of_ranks() const { return parameter == "p"; }
};

void print_models(const ModelsView& view, Console& console);
void write_models_csv(const ModelsView& view, std::ostream& out);
void write_models_json(const ModelsView& view, Console& console);

/// What a table says of a model: its value in each run, at the size that is asked for, the error,
/// and the function.
std::vector<std::string> measured_cells(const PathModel& model, const ModelsView& view);

/// The function of a model; "-" if two sizes do not tell it.
std::string formula_text(const PathModel& model, const std::string& parameter);
/// "exact", "12.3 %", "-"
std::string error_text(const PathModel& model);

/// Draws measurements as points and the growth as a curve through them, dashed beyond what was
/// measured, on a page of begin_page(). Sizes are on a logarithmic scale; so are values if they
/// differ by more than twenty times, else their scale begins at zero.
void draw_growth(std::ostream& out, const PathModel& model, const ModelsView& view);

/// Draws a bar for each run: the mean time of a rank, and which call paths it is spent in. Nothing
/// without times.
void draw_times(std::ostream& out, const ModelsView& view);

/// An HTML page that needs no other file: the runs, where their time goes, how each number grows as
/// a picture, and all models as a table.
void write_models_page(const ModelsView& view, std::ostream& out);

}  // namespace tracefold
