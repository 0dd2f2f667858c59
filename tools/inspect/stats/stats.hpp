// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "common/common_options.hpp"
#include "common/console.hpp"
#include "common/part_options.hpp"
#include "file/recording_gaps.hpp"
#include "file/trace_file.hpp"
#include "inspect/accelerators.hpp"
#include "questions/stats/distribution.hpp"
#include "questions/stats/statistics.hpp"
#include "questions/stats/statistics_table.hpp"

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// A quantity for display: ticks as "1.2 ms", bytes as "12 kB", calls as "3.4 k".
std::string quantity_text(Quantity quantity, double value, TickRate rate);

/// Display options of a statistics table.
struct StatisticsView {
    std::string file;
    std::string by;  ///< "call"
    SampleScope over = SampleScope::calls;
    Quantity quantity = Quantity::time;
    std::optional<AcceleratorsView> accelerators;  ///< if streams are shown
    RecordingGaps gaps = {};
};

/// Prints a line per row: its totals, and one quantity in detail.
void print_statistics(const Statistics& statistics, const StatisticsView& view, Console& console);

/// A sentence for each figure that is not available: a location has a value beyond 64 bits.
std::vector<std::string> overflow_sentences(const Statistics& statistics);

/// Writes one line per row, sample scope and quantity; seconds and bytes.
void write_statistics_csv(const Statistics& statistics, std::ostream& out);

void write_statistics_json(const Statistics& statistics, const StatisticsView& view,
                           Console& console);

/// Writes count, sum, mean, deviation and extremes as members of the current object.
void write_moments(const Moments& moments, Quantity quantity, TickRate rate, JsonWriter& json);

/// Writes the logarithmic bins of a file's durations as an array.
void write_log_bins(const LogHistogram& durations, TickRate rate, JsonWriter& json);

struct DistributionTitle {
    std::string file;
    std::string what;  ///< the functions
};

/// Prints bars of characters; over time a character map.
void print_distribution(const Distribution& distribution, const DistributionTitle& title,
                        Console& console);

/// Writes one line per row, column and non-empty bin.
void write_distribution_csv(const Distribution& distribution, std::ostream& out);

void write_distribution_json(const Distribution& distribution, const DistributionTitle& title,
                             Console& console);

/// Write the bin bounds as member "bins", and one row as an object.
void write_bins(const Distribution& distribution, JsonWriter& json);
void write_distribution_row(const Distribution& distribution, const Distribution::Row& row,
                            JsonWriter& json);

/// Draws bars; over time a heat map.
void write_distribution_svg(const Distribution& distribution, const DistributionTitle& title,
                            std::ostream& out);

/// Sample definition and counting, for commands with statistics.
struct HistogramOptions {
    SampleScope over = SampleScope::calls;
    bool over_given = false;
    Quantity metric = Quantity::time;
    bool metric_given = false;
    u32 bins = 20;
    u32 loop = 0;

    /// `this` must outlive APP.
    void add_options(CLI::App& app) {
        add_choice<SampleScope>(
            app, "--over", over,
            {{"calls", SampleScope::calls},
             {"ranks", SampleScope::ranks},
             {"iterations", SampleScope::iterations}},
            "One sample: a call, all calls of a location, or those in one iteration")
            ->each([this](const std::string&) { over_given = true; });
        add_choice<Quantity>(app, "--metric", metric,
                             {{"time", Quantity::time},
                              {"sent", Quantity::sent},
                              {"received", Quantity::received},
                              {"read", Quantity::read},
                              {"written", Quantity::written},
                              {"self_samples", Quantity::self_samples},
                              {"total_samples", Quantity::total_samples},
                              {"calls", Quantity::calls}},
                             "Quantity of the detailed columns; sent if there are no times")
            ->each([this](const std::string&) { metric_given = true; });
        app.add_option("--bins", bins, "Bins of the histogram, of equal width")
            ->type_name("N")
            ->check(CLI::Range(1, 1000))
            ->capture_default_str();
        app.add_option("--loop", loop,
                       "Take iterations of the Nth outermost loop of a location (default: the "
                       "steps of the program)")
            ->type_name("N")
            ->check(CLI::Range(1, 1'000'000));
    }

    [[nodiscard]] Quantity quantity(const TraceFile& file) const {
        const bool timed = file.summary().timing != TimingLevel::none;
        return timed || metric_given ? metric : Quantity::sent;
    }

    /// The request without the selection of samples.
    [[nodiscard]] DistributionRequest request(const TraceFile& file) const {
        DistributionRequest result;
        result.over = over;
        result.quantity = quantity(file);
        result.bins = bins;
        return result;
    }
};

/// Adds --histogram; PATTERNS must outlive APP.
inline void add_histogram_option(CLI::App& app, std::vector<std::string>& patterns) {
    app.add_option("--histogram", patterns,
                   "Histogram of the samples of all calls of this name; may be repeated")
        ->type_name("PATTERN")
        ->take_all();
}

/// A predicate from a filter. Filters cache results, so each copy has its own.
inline std::function<bool(const std::string&)> matching(NameFilter filter) {
    return [filter = std::move(filter)](const std::string& name) mutable {
        return filter.matches(name);
    };
}

/// "MPI_Send, MPI_Recv"
inline std::string joined(const std::vector<std::string>& patterns) {
    std::string text;
    for (const std::string& pattern : patterns) text += (text.empty() ? "" : ", ") + pattern;
    return text;
}

}  // namespace tracefold
