// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/csv_table.hpp"
#include "questions/stats/detail/rank_classes.hpp"
#include "questions/stats/distribution.hpp"
#include "questions/stats/statistics.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// "main / solve / MPI_Send".
std::string path_text(const std::vector<std::string>& path);

/// Writes one row per row of the statistics, sample scope and quantity; in seconds and bytes.
void put_statistics(const Statistics& statistics, TableSink& table);

/// Writes one row per row of the distribution, column of iterations and bin, with its number of
/// samples; at timing level histogram one row per non-empty logarithmic bin.
void put_distribution(const Distribution& distribution, TableSink& table);

/// Classes of locations with their figures.
struct ClassFigures {
    RankClasses classes;
    Statistics statistics;                     ///< one row per class that has calls
    std::optional<Distribution> distribution;  ///< one row per class that has calls
    std::vector<std::string> participants;     ///< by class: "ranks 0-3"

    /// Null if the class has no such calls.
    [[nodiscard]] const Statistics::Row* statistics_of(std::size_t number) const;
    [[nodiscard]] const Distribution::Row* distribution_of(std::size_t number) const;
};

/// Classes of the selected threads, with statistics of the calls that `samples` selects for each
/// class; no distribution. Collective; complete on process 0.
ClassFigures collect_figures(Communicator& comm, TraceFile& file, ClassRequest request,
                             SampleRequest samples, int fanout = 2);

/// First and last iteration of a column.
std::pair<u64, u64> iterations_of(const RankClasses& classes, std::size_t column);

/// Writes a row per class; with iterations a row per column; with a distribution a row per bin.
void put_classes(const ClassFigures& figures, TableSink& table);

}  // namespace tracefold
