// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "core/json_writer.hpp"
#include "inspect/accelerators/accelerators.hpp"
#include "query/recording_gaps.hpp"
#include "stats/distribution.hpp"
#include "stats/statistics.hpp"
#include "tables/statistics_table.hpp"

#include <optional>
#include <ostream>
#include <string>

namespace tracefold {

/// A quantity as people read it: ticks as "1.2 ms", bytes as "12 kB", calls as "3.4 k".
std::string quantity_text(Quantity quantity, double value, TickRate rate);

/// What a table of statistics shows.
struct StatisticsView {
    std::string file;
    std::string by;  ///< "call"
    Over over = Over::calls;
    Quantity quantity = Quantity::time;
    std::optional<AcceleratorsView> accelerators;  ///< if their streams are shown, too
    RecordingGaps gaps = {};
};

/// A line per row: its totals, and one quantity in detail.
void print_statistics(const Statistics& statistics, const StatisticsView& view, Console& console);

/// One line per row, kind of sample and quantity; seconds and bytes.
void write_statistics_csv(const Statistics& statistics, std::ostream& out);

void write_statistics_json(const Statistics& statistics, const StatisticsView& view,
                           Console& console);

/// Count, sum, mean, deviation and extremes as members of an object.
void write_moments(const Moments& moments, Quantity quantity, TickRate rate, JsonWriter& json);

/// The logarithmic bins of a file's durations as an array.
void write_log_bins(const LogHistogram& durations, TickRate rate, JsonWriter& json);

/// What is written beside a distribution.
struct DistributionTitle {
    std::string file;
    std::string what;  ///< the functions
};

/// Bars of characters; over time a map of them.
void print_distribution(const Distribution& distribution, const DistributionTitle& title,
                        Console& console);

/// One line per row, column and bin with samples.
void write_distribution_csv(const Distribution& distribution, std::ostream& out);

void write_distribution_json(const Distribution& distribution, const DistributionTitle& title,
                             Console& console);

/// The bounds of the bins as a member "bins"; one row as an object.
void write_bins(const Distribution& distribution, JsonWriter& json);
void write_distribution_row(const Distribution& distribution, const Distribution::Row& row,
                            JsonWriter& json);

/// Bars; over time a heat map.
void write_distribution_svg(const Distribution& distribution, const DistributionTitle& title,
                            std::ostream& out);

}  // namespace tracefold
