// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "common/console.hpp"
#include "common/run_tool.hpp"
#include "replay/compare/comparison.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// `trace_replay --compare`: reads reports, prints what they have in common and in what they
/// differ, as text or JSON, and writes it to `outputs`, each in the form that its suffix names.
/// Throws Error as read_machine_report(), compare_reports() and AtomicFile do.
ExitCode run_compare(const std::vector<std::string>& reports,
                     const std::vector<std::string>& outputs, bool force, Console& console);

/// Prints times over the ranks, calls by size, and what the differences consist of, as tables.
void print_comparison(const Comparison& comparison, Console& console);

/// The document tracefold.replay_comparison, in seconds and bytes.
void write_comparison_json(JsonWriter& json, const Comparison& comparison);

/// One line per number: section, report, rank, name, quantity, value.
void write_comparison_csv(std::ostream& out, const Comparison& comparison);

/// One page that needs no other file: what the differences consist of, times over the ranks, calls
/// by size as curves and as a table.
void write_comparison_html(std::ostream& out, const Comparison& comparison);

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
