// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/file.hpp"
#include "common/console.hpp"
#include "common/part_options.hpp"
#include "common/progress.hpp"
#include "common/text.hpp"
#include "convert/conversion.hpp"
#include "file/recording_gaps.hpp"
#include "questions/calls/text_sink.hpp"
#include "questions/calls/tick_window.hpp"

#include <chrono>
#include <functional>

#include <fmt/core.h>

namespace tracefold {

namespace {

void add_outcomes(JsonWriter& json, const ExportReport& report) {
    const auto counts = [&json](std::string_view name, const ExportReport::Counts& all) {
        json.key(name).begin_object();
        for (const auto& [thing, times] : all) json.member(thing, times);
        json.end_object();
    };
    counts("contents", report.contents());
    for (std::size_t i = 0; i < kExportOutcomes; ++i) {
        const auto outcome = static_cast<ExportOutcome>(i);
        counts(outcome_name(outcome), report.of(outcome));
    }
}

/// "dropped: 12 MPI_Put, 3 Metric records"; empty without any.
std::string counts_line(std::string_view name, const ExportReport::Counts& counts) {
    std::string line;
    for (const auto& [thing, times] : counts) {
        line +=
            (line.empty() ? std::string(name) + ": " : ", ") + format_count(times) + " " + thing;
    }
    return line;
}

void print_outcomes(const ExportReport& report, Console& console) {
    const auto say = [&](ExportOutcome outcome, bool always) {
        const std::string line = counts_line(outcome_name(outcome), report.of(outcome));
        if (line.empty()) return;
        if (always) {
            console.summary("  " + line);
        } else {
            console.detail(line);
        }
    };
    console.detail(counts_line("contents", report.contents()));
    say(ExportOutcome::written, false);
    say(ExportOutcome::expanded, false);
    say(ExportOutcome::merged, false);
    say(ExportOutcome::approximated, true);
    say(ExportOutcome::dropped, true);
}

/// "4 ranks, 9,581 MPI calls", "4 PEs"
std::string content_text(const DefinitionIndex& definitions, const ExportReport& report) {
    const u64 count = definitions.process_count();
    const ProcessKind kind = definitions.process_kind();
    if (kind != ProcessKind::rank) return fmt::format("{} {}", count, process_word(kind, count));
    return format_counted(report.ranks, "rank") + ", " + format_counted(report.calls, "MPI call");
}

std::string export_path(const ConvertArguments& arguments) {
    if (!arguments.output.empty()) return arguments.output;
    return default_output(arguments, arguments.target->format->suffix);
}

}  // namespace

ExitCode convert_to_export(const ConvertArguments& arguments, Console& console,
                           const CommonOptions& common) {
    const ConvertTarget& target = *arguments.target;
    const std::string output = export_path(arguments);
    refuse_input_as_output(arguments, output);
    const auto start = std::chrono::steady_clock::now();
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    ExportOptions options = arguments.options;
    options.force = common.force;
    options.threads = arguments.input.threads;
    ExportReport report;
    {
        Progress progress(console, "writing", 0, "calls");
        options.progress = [&progress](u64 calls) { progress.advance(calls); };
        report = target.format->write(input->file(), output, options);
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    report_conversion(arguments, output,
                      fmt::format("{}: {}, {}, {}, {}", output, target.name,
                                  content_text(input->file().definitions(), report),
                                  format_size(report.bytes), format_time(elapsed.count())),
                      console, [&](JsonWriter& json) {
                          json.member("ranks", report.ranks)
                              .member("calls", report.calls)
                              .member("bytes", report.bytes)
                              .member("seconds", elapsed.count());
                          add_outcomes(json, report);
                      });
    if (!console.json()) print_outcomes(report, console);
    const std::string silent = silent_ranks(recording_gaps(input->file()));
    // No warning about missing ranks if the user selected some.
    if (!silent.empty() && !has_part(arguments)) console.warning(silent);
    // Without a call that communicates, a proxy application is another program.
    if (report.left_out != 0 && !arguments.allow_left_out) return exit_mismatch;
    return exit_if_lost(arguments.strict, report.total(ExportOutcome::dropped) != 0);
}

namespace {

using Sink = std::function<void(std::string_view)>;

/// Returns the number of lines.
u64 write_text(TraceFile& file, const ConvertArguments& arguments, const std::string& scratch,
               const Sink& sink, Console& console) {
    const ParticipantNames names(file.definitions());
    const std::vector<bool> selected =
        select_locations(arguments.part.ranks, names, file.location_count());
    Progress progress(console, "writing", total_events(file, selected), "events");
    return write_call_text(file, names, common_clock(file), selected,
                           {sink, scratch, arguments.input.threads},
                           [&progress](u64 records) { progress.advance(records); });
}

}  // namespace

ExitCode convert_to_text(const ConvertArguments& arguments, Console& console,
                         const CommonOptions& common) {
    const bool to_stdout = prints_lines(arguments);
    if (to_stdout && console.json()) {
        throw Error(ErrorKind::usage,
                    "--json and the text cannot both go to standard output; write the text to a "
                    "file with -o");
    }
    if (!to_stdout) refuse_input_as_output(arguments, arguments.output);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    TraceFile& file = input->file();
    if (to_stdout) {
        write_text(
            file, arguments, scratch_directory(),
            [&console](std::string_view text) { console.out() << text; }, console);
        warn_about_dropped_records(*input, console);
        return exit_if_lost(arguments.strict, file.summary().dropped_unknown_records != 0);
    }
    AtomicFile out(arguments.output, common.force);
    const u64 lines = write_text(
        file, arguments, out.temporary_path().parent_path().string(),
        [&out](std::string_view text) { out.write(text); }, console);
    out.commit();
    warn_about_dropped_records(*input, console);
    report_conversion(arguments, arguments.output,
                      arguments.output + ": text, " + format_counted(lines, "line") + ", " +
                          format_size(out.size()),
                      console, [&](JsonWriter& json) {
                          json.member("lines", lines).member("bytes", out.size());
                      });
    return exit_if_lost(arguments.strict, file.summary().dropped_unknown_records != 0);
}

}  // namespace tracefold
