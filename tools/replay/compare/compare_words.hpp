// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/compare/comparison.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// "512 B", or "all" for calls of all sizes together.
std::string size_words(const ComparedCalls& calls);
/// The cells of a report's row in a table of calls by size: call, bytes from, report, calls,
/// shortest, mean, bandwidth, ratio. The name of the call is on the first row; `missing` stands for
/// the numbers of a report that has no such call.
std::vector<std::string> call_cells(const Comparison& comparison, const ComparedCalls& calls,
                                    std::size_t report, const std::string& missing);
/// "MPI_Allreduce, 8 B", "outside of MPI calls".
std::string part_words(const DifferencePart& part);

/// A sentence for each report but the first: how much longer it takes, and which part makes most of
/// that.
std::string explanation_words(const Comparison& comparison, const Explanation& explanation);
/// Parts of an explanation that are worth a line: all but those of less than a hundredth of the
/// largest, at most `most`.
std::vector<DifferencePart> large_parts(const Explanation& explanation, std::size_t most);

/// What makes reports hard to compare: a sentence each.
std::vector<std::string> comparison_warnings(const Comparison& comparison);

/// "x 1.25", how much longer; empty without a first time.
std::string ratio_words(double first, double other);
/// As format_time(), with "+" in front of what is positive.
std::string change_words(double seconds);

}  // namespace tracefold
