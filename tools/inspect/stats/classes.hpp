// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "inspect/stats/stats.hpp"
#include "names/participant_names.hpp"
#include "stats/rank_classes.hpp"

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// Classes of locations and what is known of each.
struct ClassesView {
    std::string file;
    std::string by;    ///< "calls", "regions=solve*"
    std::string what;  ///< the calls that statistics are of
    RankClasses classes;
    Statistics statistics;                     ///< one row per class that has any calls
    std::optional<Distribution> distribution;  ///< likewise
    std::vector<std::string> participants;     ///< by class: "ranks 0-3"

    /// Null if the class has no such calls.
    [[nodiscard]] const Statistics::Row* statistics_of(std::size_t number) const;
    [[nodiscard]] const Distribution::Row* distribution_of(std::size_t number) const;
};

/// Classes of the selected locations that are threads, and statistics of the calls that `samples`
/// are of in each; nothing else of the view. Collective; complete on process 0.
ClassesView collect_view(Communicator& comm, TraceFile& file, ClassRequest request,
                         SampleRequest samples, int fanout);

/// A line per class, the histograms of all, a line per iteration at which something changes.
void print_classes(const ClassesView& view, Console& console);

/// A line per class; with iterations a line per column of them; with a histogram a line per bin.
void write_classes_csv(const ClassesView& view, std::ostream& out);

void write_classes_json(const ClassesView& view, Console& console);

}  // namespace tracefold
