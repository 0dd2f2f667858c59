// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/compare/comparison.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// Charts as inline SVG, on a page of begin_page().

/// The colour of a report, as a class of page.css; colours come again after six.
std::string series_class(std::size_t report);

/// Bars to the right for what takes longer, to the left for what takes less.
void draw_parts(std::ostream& out, const std::vector<DifferencePart>& parts);

/// A bar of communication and computation for every report, rank by rank; ranks that all reports
/// tell.
void draw_compared_ranks(std::ostream& out, const Comparison& comparison);

/// Functions that have calls of two sizes or more, those with the most time first; at most eight.
std::vector<std::string> functions_of_several_sizes(const Comparison& comparison);

/// Latency over the size of a call, and bandwidth if that means something; both axes are
/// logarithmic.
void draw_curves(std::ostream& out, const Comparison& comparison, const std::string& function);

}  // namespace tracefold
