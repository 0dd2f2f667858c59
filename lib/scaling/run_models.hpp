// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/growth.hpp"
#include "scaling/run_profile.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// What a number counts.
enum class Unit : u8 { count, seconds, bytes };

/// How a number grows: of one call path, the mean over the ranks of one metric; of what the calls
/// of one function send or receive, the messages and partners of a rank, and the mean size.
struct PathModel {
    std::string path;    ///< or function
    std::string metric;  ///< "time", "visits", "partners_sent_to"
    Unit unit{};
    std::vector<Measurement> measured;  ///< by run that has the path
    Growth growth;

    /// True if the growth gives all measurements, but for rounding.
    [[nodiscard]] bool is_exact() const;
};

/// Models of all metrics that are not zero everywhere, by path, then by function. Runs of the same
/// size are repetitions.
std::vector<PathModel> model_paths(const std::vector<RunProfile>& runs);

/// The file format of Extra-P for measurements, JSON Lines: one line per measurement, of which
/// several at one point are repetitions. Values are means over the ranks, times in seconds.
/// `parameter`: what it is called that sizes are of.
std::string to_extra_p(const std::vector<PathModel>& models, const std::string& parameter);

}  // namespace tracefold
