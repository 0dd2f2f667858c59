// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "base/log_histogram.hpp"
#include "model/structure.hpp"

#include <vector>

namespace tracefold {

/// Locations in a row with the same mean.
struct MeanRun {
    u32 first = 0;
    u32 count = 1;
    u64 mean = 0;  ///< as rounded_mean() gives it

    bool operator==(const MeanRun&) const = default;
};

/// A set of durations in ticks: of all locations together, and the mean of each.
struct Durations {
    LogHistogram all;
    std::vector<MeanRun> means;  ///< by rising location

    bool operator==(const Durations&) const = default;
};

/// What is kept of times at TimingLevel::histogram: the durations on every edge and node of the
/// event flow graph (Aguilar, Fuerlinger, Laure: Euro-Par 2014), whose nodes are call symbols.
struct TimingModel {
    /// Of a record within its call: ticks since the record before.
    struct Step {
        u64 count = 0;
        u64 sum = 0;

        bool operator==(const Step&) const = default;
    };
    /// A call, from its first record to its last.
    struct Node {
        u32 symbol = 0;
        Durations durations;
        std::vector<Step> steps;  ///< per element of the symbol; the first is empty

        bool operator==(const Node&) const = default;
    };
    /// From the last record of a call to the first of the next one: the computation between them.
    struct Edge {
        u32 from = 0;
        u32 to = 0;
        Durations durations;

        bool operator==(const Edge&) const = default;
    };

    std::vector<Node> nodes;  ///< by symbol
    std::vector<Edge> edges;  ///< by to, from

    bool operator==(const TimingModel&) const = default;
};

/// The means of single locations as a file has them: columns over the locations, each mentioned by
/// any number of sets of durations. A value says how many places (mean_place()) the mean of the
/// location is above that of all; it is kMeanPlaces for a location without a mean of its own.
struct MeanColumns {
    std::vector<Pattern> patterns;  ///< the first ones are those of the structure
    std::vector<Column> columns;    ///< likewise; a column refers to columns of lower index only
    u32 known_patterns = 0;         ///< how many are the structure's
    u32 known_columns = 0;
    std::vector<u32> of;  ///< of the nodes' durations, then of the edges'
};

/// The durations of a file.
struct FoldedDurations {
    TimingModel model;  ///< without means of locations
    MeanColumns means;
};

/// The durations of some locations, whose symbol numbers are indices of content addresses.
struct PartialTimings {
    std::vector<ContentHash> symbols;
    TimingModel model;
};

/// A mean to seven significant bits, so that those of like ranks are equal: within 1/128.
constexpr u64 rounded_mean(u64 mean) {
    const int bits = static_cast<int>(std::bit_width(mean));
    if (bits <= 7) return mean;
    const u64 unit = u64{1} << (bits - 7);
    const u64 rest = mean % unit;
    return mean - rest + (rest >= unit / 2 ? unit : 0);
}

/// The place of a rounded mean among all there are, and back: 64 in each octave from 64 on.
constexpr u32 mean_place(u64 rounded) {
    if (rounded < 128) return static_cast<u32>(rounded);
    const u32 shift = static_cast<u32>(std::bit_width(rounded)) - 7;
    return 64 * shift + static_cast<u32>(rounded >> shift);
}
inline constexpr u32 kMeanPlaces = mean_place(u64{127} << 57U) + 1;
/// Precondition: below kMeanPlaces.
constexpr u64 mean_at(u32 place) {
    if (place < 128) return place;
    const u32 shift = place / 64 - 1;
    return u64{place - 64 * shift} << shift;
}

/// The mean of a location; that of all if it has none.
u64 mean_of(const Durations& durations, u32 location);

/// Adds runs over other locations, joining neighbours. Cost: linear in `more` if its locations come
/// after those at hand.
void unite(std::vector<MeanRun>& runs, const std::vector<MeanRun>& more);

}  // namespace tracefold
