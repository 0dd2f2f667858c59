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

/// True if lines of text go to standard output, not a file.
bool prints_lines(const ConvertArguments& arguments);

/// Each writes one format, reports it, and checks what of the command line concerns it before the
/// input is opened.
ExitCode convert_to_otf2(const ConvertArguments& arguments, Console& console,
                         const CommonOptions& common);
ExitCode convert_to_text(const ConvertArguments& arguments, Console& console,
                         const CommonOptions& common);

/// The formats of export_formats().
ExitCode convert_to_export(const ConvertArguments& arguments, Console& console,
                           const CommonOptions& common);

/// Whichever of these writes the target.
ExitCode convert_to_target(const ConvertArguments& arguments, Console& console,
                           const CommonOptions& common);

/// True if a part of the trace was asked for.
bool has_part(const ConvertArguments& arguments);
/// Cuts the part out of the input first.
ExitCode convert_part(ConvertArguments& arguments, Console& console, const CommonOptions& common);

/// Corrects the clocks of the input first.
ExitCode convert_synchronised(const ConvertArguments& arguments, Console& console,
                              const CommonOptions& common);

/// Makes the input anonymous first.
ExitCode convert_anonymized(const ConvertArguments& arguments, Console& console,
                            const CommonOptions& common);

/// What --strict makes of a loss.
ExitCode exit_if_lost(bool strict, bool lost);

/// Prints what was made: with --json an object with what `members` adds, the part and the clocks;
/// else the summary.
void report_conversion(const ConvertArguments& arguments, const std::string& output,
                       const std::string& summary, Console& console,
                       const std::function<void(JsonWriter& json)>& members);

/// What a part has of the trace, on some lines after the summary.
void report_part(const CutReport& report, Console& console);
/// The same as a member of the object at hand; nothing if `report` is null.
void add_part(JsonWriter& json, const CutReport* report);
/// What was asked for in vain, and what came with the archive.
void warn_about_part(const CutReport& report, Console& console);

/// Warns if files that came with the archive are not in the output.
void warn_about_dropped_files(const std::vector<std::string>& paths, Console& console);

/// Warns if the times of a file are not the recorded ones.
void warn_about_times(const TraceFile& file, Console& console);

/// Warns if the archive had records that a folded file does not hold; of an archive that was folded
/// just now, TraceInput::open() has said so.
void warn_about_dropped_records(FoldedInput& input, Console& console);

/// Throws Error(usage) if `output` would replace the input, before that is opened.
void refuse_input_as_output(const ConvertArguments& arguments, const std::string& output);

/// Records in the events of the selected locations.
u64 total_events(TraceFile& file, const std::vector<bool>& selected);

}  // namespace tracefold
