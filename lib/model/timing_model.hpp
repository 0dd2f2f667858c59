// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "base/log_histogram.hpp"
#include "model/structure.hpp"

#include <vector>

namespace tracefold {

/// Consecutive locations with the same mean.
struct MeanRun {
    u32 first = 0;
    u32 count = 1;
    u64 mean = 0;  ///< a value of rounded_mean()

    bool operator==(const MeanRun&) const = default;
};

/// A distribution of durations in ticks over all locations, and the mean of each location.
struct Durations {
    LogHistogram all;
    std::vector<MeanRun> means;  ///< by rising location

    bool operator==(const Durations&) const = default;
};

/// The times of TimingLevel::histogram: the durations on every edge and node of the event flow
/// graph (Aguilar, Fuerlinger, Laure: Euro-Par 2014), whose nodes are call symbols.
struct TimingModel {
    /// A record within its call: ticks since the previous record.
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
    /// The computation from the last record of a call to the first of the next one.
    struct Edge {
        u32 from = 0;
        u32 to = 0;
        Durations durations;

        bool operator==(const Edge&) const = default;
    };

    std::vector<Node> nodes;  ///< by symbol
    std::vector<Edge> edges;  ///< sorted by to, from

    bool operator==(const TimingModel&) const = default;
};

/// The means of single locations as stored in a file: columns over the locations, shared by any
/// number of duration sets. A value is the distance in places (mean_place()) of the location's mean
/// above the mean of all; kMeanPlaces for a location without a mean of its own.
struct MeanColumns {
    std::vector<Pattern> patterns;  ///< begins with those of the structure
    std::vector<Column> columns;    ///< begins with those of the structure; a column refers only to
                                    ///< columns of lower index
    u32 known_patterns = 0;         ///< number of the structure's patterns
    u32 known_columns = 0;
    std::vector<u32> of;  ///< column of each duration set: nodes first, then edges
};

/// The durations of a file.
struct FoldedDurations {
    TimingModel model;  ///< without the means of locations
    MeanColumns means;
};

/// The durations of some locations; symbol numbers are indices of content addresses.
struct PartialTimings {
    std::vector<ContentHash> symbols;
    TimingModel model;
};

/// Rounds a mean to seven significant bits, within 1/128, so means of similar ranks become equal.
constexpr u64 rounded_mean(u64 mean) {
    const int bits = static_cast<int>(std::bit_width(mean));
    if (bits <= 7) return mean;
    const u64 unit = u64{1} << (bits - 7);
    const u64 rest = mean % unit;
    return mean - rest + (rest >= unit / 2 ? unit : 0);
}

/// Maps a rounded mean to its index among all rounded means: 64 per octave from 64 on.
constexpr u32 mean_place(u64 rounded) {
    if (rounded < 128) return static_cast<u32>(rounded);
    const u32 shift = static_cast<u32>(std::bit_width(rounded)) - 7;
    return 64 * shift + static_cast<u32>(rounded >> shift);
}
inline constexpr u32 kMeanPlaces = mean_place(u64{127} << 57U) + 1;
/// The inverse of mean_place(). Precondition: below kMeanPlaces.
constexpr u64 mean_at(u32 place) {
    if (place < 128) return place;
    const u32 shift = place / 64 - 1;
    return u64{place - 64 * shift} << shift;
}

/// Returns the mean of a location, or the mean of all if it has none.
u64 mean_of(const Durations& durations, u32 location);

/// Merges runs over other locations, joining neighbours. Cost: linear in `more` if its locations
/// come after those in `runs`.
void unite(std::vector<MeanRun>& runs, const std::vector<MeanRun>& more);

}  // namespace tracefold
