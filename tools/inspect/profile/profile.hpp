// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "file/recording_gaps.hpp"
#include "questions/profile/cube_table.hpp"
#include "questions/profile/folded_profiler.hpp"
#include "questions/profile/profile_table.hpp"
#include "questions/profile/trace_profile.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// A profile with its display options.
struct ProfileView {
    TraceProfile data;
    std::string file;
    RecordingGaps gaps;
    std::string by;           ///< grouping of locations; empty: none
    u32 depth = kNone;        ///< deepest shown level
    bool has_metric = false;  ///< the text shows only `metric`
    u32 metric = 0;           ///< its number

    /// Shown nodes, depth first.
    [[nodiscard]] std::vector<u32> shown() const;
};

/// Prints a table with a line per call path.
void print_profile(const ProfileView& view, Console& console);

/// Sums of a location that need more than 64 bits: a sentence for each metric.
std::vector<std::string> overflow_sentences(const TraceProfile& profile);

/// Writes one line per call path and metric: moments over locations; or one per group.
void write_profile_csv(const ProfileView& view, std::ostream& out);

void write_profile_json(const ProfileView& view, Console& console);

/// Prints the recommended number of processes.
void print_advice(const ProcessAdvice& advice, const std::string& file, Console& console);
void write_advice_json(const ProcessAdvice& advice, const std::string& file, Console& console);

}  // namespace tracefold
