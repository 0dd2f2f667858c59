// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "inspect/stats/stats.hpp"
#include "questions/stats/statistics_table.hpp"

#include <ostream>
#include <string>

namespace tracefold {

/// Classes of locations and how they were asked for.
struct ClassesView : ClassFigures {
    std::string file;
    std::string by;    ///< "calls", "regions=solve*"
    std::string what;  ///< the calls that statistics are of
};

/// A line per class, the histograms of all, a line per iteration at which something changes.
void print_classes(const ClassesView& view, Console& console);

/// A line per class; with iterations a line per column of them; with a histogram a line per bin.
void write_classes_csv(const ClassesView& view, std::ostream& out);

void write_classes_json(const ClassesView& view, Console& console);

}  // namespace tracefold
