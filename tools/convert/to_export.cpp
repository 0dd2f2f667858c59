// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/progress.hpp"
#include "common/units.hpp"
#include "convert/conversion.hpp"
#include "query/recording_gaps.hpp"

#include <chrono>
#include <filesystem>

#include <fmt/core.h>

namespace tracefold {

namespace {

void add_fates(JsonWriter& json, const ExportReport& report) {
    const auto counts = [&json](std::string_view name, const ExportReport::Counts& all) {
        json.key(name).begin_object();
        for (const auto& [thing, times] : all) json.member(thing, times);
        json.end_object();
    };
    counts("contents", report.contents());
    for (std::size_t i = 0; i < kFates; ++i) {
        const auto fate = static_cast<Fate>(i);
        counts(fate_name(fate), report.of(fate));
    }
}

/// "dropped: 12 MPI_Put, 3 Metric records"; empty if there are none.
std::string counts_line(std::string_view name, const ExportReport::Counts& counts) {
    std::string line;
    for (const auto& [thing, times] : counts) {
        line +=
            (line.empty() ? std::string(name) + ": " : ", ") + format_count(times) + " " + thing;
    }
    return line;
}

void print_fates(const ExportReport& report, Console& console) {
    const auto say = [&](Fate fate, bool always) {
        const std::string line = counts_line(fate_name(fate), report.of(fate));
        if (line.empty()) return;
        if (always) {
            console.summary("  " + line);
        } else {
            console.detail(line);
        }
    };
    console.detail(counts_line("contents", report.contents()));
    say(Fate::written, false);
    say(Fate::expanded, false);
    say(Fate::merged, false);
    say(Fate::approximated, true);
    say(Fate::dropped, true);
}

/// "4 ranks, 9,581 MPI calls", "4 PEs"
std::string content_text(const DefinitionIndex& definitions, const ExportReport& report) {
    const u64 count = definitions.process_count();
    const ProcessKind kind = definitions.process_kind();
    if (kind != ProcessKind::rank) return fmt::format("{} {}", count, process_word(kind, count));
    return fmt::format("{} ranks, {} MPI calls", report.ranks, format_count(report.calls));
}

std::string export_path(const ConvertArguments& arguments) {
    if (!arguments.output.empty()) return arguments.output;
    std::filesystem::path input = std::filesystem::path(arguments.input.path).lexically_normal();
    if (!input.has_filename()) input = input.parent_path();
    if (!std::filesystem::is_directory(input)) input.replace_extension();
    return input.string() + std::string(arguments.target->format->suffix);
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
                          add_fates(json, report);
                      });
    if (!console.json()) print_fates(report, console);
    const std::string silent = silent_ranks(recording_gaps(input->file()));
    // Who asked for some of the ranks knows.
    if (!silent.empty() && !has_part(arguments)) console.warning(silent);
    return exit_if_lost(arguments.strict, report.total(Fate::dropped) != 0);
}

}  // namespace tracefold
