// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scale/models_output.hpp"

#include <ostream>

namespace tracefold {

/// Draws measurements as points and the growth as a curve through them, dashed beyond what was
/// measured, on a page of begin_page(). Sizes are on a logarithmic scale; so are values if they
/// differ by more than twenty times, else their scale begins at zero.
void draw_growth(std::ostream& out, const PathModel& model, const ModelsView& view);

/// Draws a bar for each run: the mean time of a rank, and which call paths it is spent in. Nothing
/// without times.
void draw_times(std::ostream& out, const ModelsView& view);

}  // namespace tracefold
