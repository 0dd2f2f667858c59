// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "common/run_tool.hpp"
#include "convert/options.hpp"
#include "file/trace_file.hpp"

#include <functional>

namespace tracefold {

ExitCode run_convert(ConvertArguments& arguments, Console& console, const CommonOptions& common);

/// True if lines of text go to standard output, not to a file.
bool prints_lines(const ConvertArguments& arguments);

/// Each function writes one format, reports it, and checks its options before the input is opened.
ExitCode convert_to_otf2(const ConvertArguments& arguments, Console& console,
                         const CommonOptions& common);
ExitCode convert_to_text(const ConvertArguments& arguments, Console& console,
                         const CommonOptions& common);

/// Writes the formats of export_formats().
ExitCode convert_to_export(const ConvertArguments& arguments, Console& console,
                           const CommonOptions& common);

/// Dispatches by target format.
ExitCode convert_to_target(const ConvertArguments& arguments, Console& console,
                           const CommonOptions& common);

/// True if a part of the trace was requested.
bool has_part(const ConvertArguments& arguments);
/// Cuts the part out of the input, then converts it.
ExitCode convert_part(ConvertArguments& arguments, Console& console, const CommonOptions& common);

/// Corrects the clocks of the input, then converts it.
ExitCode convert_synchronised(const ConvertArguments& arguments, Console& console,
                              const CommonOptions& common);

/// Anonymises the input, then converts it.
ExitCode convert_anonymized(const ConvertArguments& arguments, Console& console,
                            const CommonOptions& common);

/// Exit code for a loss under --strict.
ExitCode exit_if_lost(bool strict, bool lost);

/// Prints the result: with --json `members`, the part and the clocks; else the summary.
void report_conversion(const ConvertArguments& arguments, const std::string& output,
                       const std::string& summary, Console& console,
                       const std::function<void(JsonWriter& json)>& members);

/// Prints the extent of a part, in some lines after the summary.
void report_part(const CutReport& report, Console& console);
/// Adds the part as a member of the current object; nothing if `report` is null.
void add_part(JsonWriter& json, const CutReport* report);
/// Warns about --drop options without effect, a part that is the whole trace, and accompanying
/// files that are omitted.
void warn_about_part(const CutReport& report, Console& console);

/// Warns about accompanying files of the archive that the output lacks.
void warn_about_dropped_files(const std::vector<std::string>& paths, Console& console);

/// Warns if the times of a file are not the recorded ones.
void warn_about_times(const TraceFile& file, Console& console);

/// Warns about archive records that a folded file does not hold; for an archive just folded,
/// TraceInput::open() has warned already.
void warn_about_dropped_records(FoldedInput& input, Console& console);

/// The output without --output: the input's name with the suffix, in the current folder.
std::string default_output(const ConvertArguments& arguments, std::string_view suffix);

/// Throws Error(usage) if `output` would overwrite the input, before the input is opened.
void refuse_input_as_output(const ConvertArguments& arguments, const std::string& output);

/// Number of event records of the selected locations.
u64 total_events(TraceFile& file, const std::vector<bool>& selected);

}  // namespace tracefold
