// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "inspect/stats/stats.hpp"
#include "questions/stats/statistics_table.hpp"

#include <ostream>
#include <string>

namespace tracefold {

/// Classes of locations with the request.
struct ClassesView : ClassFigures {
    std::string file;
    std::string by;    ///< "calls", "regions=solve*"
    std::string what;  ///< calls that the statistics cover
};

/// Prints a line per class, the histograms, and a line per iteration with changes.
void print_classes(const ClassesView& view, Console& console);

/// Writes a line per class; with iterations a line per column; with a histogram a line per bin.
void write_classes_csv(const ClassesView& view, std::ostream& out);

void write_classes_json(const ClassesView& view, Console& console);

}  // namespace tracefold
