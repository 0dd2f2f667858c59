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

/// `trace_replay --compare`: reads reports, prints their common parts and differences as text or
/// JSON, and writes these to `outputs` in the formats of their suffixes. Throws Error as
/// read_machine_report(), compare_reports() and AtomicFile do.
ExitCode run_compare(const std::vector<std::string>& reports,
                     const std::vector<std::string>& outputs, bool force, Console& console);

/// Prints tables of times over the ranks, calls by size, and the causes of differences.
void print_comparison(const Comparison& comparison, Console& console);

/// Writes the document tracefold.replay_comparison, in seconds and bytes.
void write_comparison_json(JsonWriter& json, const Comparison& comparison);

/// Writes one line per number: section, report, rank, name, quantity, value.
void write_comparison_csv(std::ostream& out, const Comparison& comparison);

/// Writes a self-contained page: causes of differences, times over ranks, calls by size.
void write_comparison_html(std::ostream& out, const Comparison& comparison);

/// "512 B", or "all" for all sizes.
std::string size_words(const ComparedCalls& calls);
/// Titles of a table of calls by size, and cells of a report's row. The first row names the call;
/// `missing` replaces the numbers of a report without such calls.
inline constexpr const char* kCallTitles[] = {
    "call", "bytes from", "report", "calls", "shortest", "median", "bandwidth", "waiting", ""};
std::vector<std::string> call_cells(const Comparison& comparison, const ComparedCalls& calls,
                                    std::size_t report, const std::string& missing);
/// "MPI_Allreduce, 8 B", "outside of MPI calls".
std::string part_words(const DifferencePart& part);

/// One sentence per report except the first: how much longer it takes, and the main cause.
std::string explanation_words(const Comparison& comparison, const Explanation& explanation);
/// The largest parts of an explanation, at most `most`, above a hundredth of the largest.
std::vector<DifferencePart> large_parts(const Explanation& explanation, std::size_t most);

/// The method of the judgements: units, interval, margin; and the formula of the figure of merit.
inline constexpr const char* kCallNote =
    "median: of a call, in the median repetition; of posts and waits together the mean; bandwidth: "
    "bytes sent and received in the median call, for calls that wait for their own data; waiting: "
    "part of the time of all calls beyond as many shortest ones";
std::vector<std::string> method_words(const Comparison& comparison);
/// Titles and rows of the judgements, of which the last one is that of the figure of merit.
inline constexpr const char* kJudgementTitles[] = {"report", "", "median", "against the first"};
std::vector<std::vector<std::string>> judgement_rows(const Comparison& comparison);
/// Titles and rows of the machines.
inline constexpr const char* kMachineTitles[] = {"report",   "date",        "MPI",   "tracefold",
                                                 "launches", "repetitions", "nodes", "processors"};
std::vector<std::vector<std::string>> machine_rows(const Comparison& comparison);
/// Repetitions that are outliers, one sentence per report.
std::vector<std::string> outlier_words(const Comparison& comparison);

/// Reasons that limit comparability, one sentence each.
std::vector<std::string> comparison_warnings(const Comparison& comparison);

/// "x 1.25", the ratio of times; empty without a first time.
std::string ratio_words(double first, double other);
/// format_time() with "+" for positive values.
std::string change_words(double seconds);

}  // namespace tracefold
