// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "file/recording_gaps.hpp"
#include "questions/profile/folded_profiler.hpp"
#include "questions/profile/profile_table.hpp"
#include "questions/profile/trace_profile.hpp"

#include <ostream>
#include <string>

namespace tracefold {

/// A profile and how it is to be shown.
struct ProfileView {
    TraceProfile data;
    std::string file;
    RecordingGaps gaps;
    std::string by;           ///< what locations are put together by; empty: nothing
    u32 depth = kNone;        ///< the deepest level that is shown
    bool has_metric = false;  ///< the text is about `metric` only
    ProfileMetric metric = ProfileMetric::time;

    /// Nodes that are shown, depth first.
    [[nodiscard]] std::vector<u32> shown() const;
};

/// A table, a line per call path.
void print_profile(const ProfileView& view, Console& console);

/// One line per call path and metric: moments over the locations; or with groups per group.
void write_profile_csv(const ProfileView& view, std::ostream& out);

void write_profile_json(const ProfileView& view, Console& console);

/// How many processes to start.
void print_advice(const ProcessAdvice& advice, const std::string& file, Console& console);
void write_advice_json(const ProcessAdvice& advice, const std::string& file, Console& console);

}  // namespace tracefold
