// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/growth.hpp"
#include "scaling/run_profile.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// How one metric of one call path grows with the number of ranks: its mean over the ranks.
struct PathModel {
    std::string path;
    ProfileMetric metric{};
    std::vector<Measurement> measured;  ///< by run that has the path
    Growth growth;

    /// True if the growth gives all measurements, but for rounding.
    [[nodiscard]] bool is_exact() const;
};

/// Models of all metrics that are not zero everywhere, by path. Runs of the same size are
/// repetitions.
std::vector<PathModel> model_paths(const std::vector<RunProfile>& runs);

/// The file format of Extra-P for measurements, JSON Lines: one line per measurement, of which
/// several at one point are repetitions. Values are means over the ranks, times in seconds.
std::string to_extra_p(const std::vector<PathModel>& models);

}  // namespace tracefold
