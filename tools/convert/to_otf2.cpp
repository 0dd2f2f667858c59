// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "archives/input_kind.hpp"
#include "archives/restore.hpp"
#include "base/communicator.hpp"
#include "base/file.hpp"
#include "base/temporary.hpp"
#include "common/console.hpp"
#include "common/output_format.hpp"
#include "common/progress.hpp"
#include "common/text.hpp"
#include "convert/conversion.hpp"
#include "transform/anonymize.hpp"

#include <chrono>
#include <optional>

#include <fmt/core.h>

namespace tracefold {

namespace {

std::string output_of(const ConvertArguments& arguments) {
    const std::string& input = arguments.input.path;
    if (!arguments.output.empty()) return arguments.output;
    if (is_archive(input)) {
        throw Error(ErrorKind::usage, input + " is an OTF2 archive; name the new one with -o");
    }
    return default_output(arguments, "");
}

}  // namespace

void warn_about_times(const TraceFile& file, Console& console) {
    const TraceSummary& summary = file.summary();
    const std::string without_offsets =
        fmt::format(", and {} ClockOffset definitions are left out", summary.dropped_clock_offsets);
    switch (summary.timing) {
        case TimingLevel::none:
            console.warning("the file keeps no times (--timing none): events are one tick apart" +
                            without_offsets);
            break;
        case TimingLevel::histogram:
            console.warning(
                "the file keeps durations only (--timing histogram): times are computed from the "
                "means of each location" +
                without_offsets);
            break;
        case TimingLevel::quantized:
            console.warning(
                fmt::format("the file keeps times to within an error of {} parts per million "
                            "(--timing quantized)",
                            summary.time_error_ppm));
            break;
        case TimingLevel::exact:
            break;
    }
}

ExitCode convert_to_otf2(const ConvertArguments& arguments, Console& console,
                         const CommonOptions& common) {
    const std::string output = output_of(arguments);
    refuse_input_as_output(arguments, output);
    const auto start = std::chrono::steady_clock::now();
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    TraceFile& file = input->file();
    u64 events = 0;
    {
        const std::vector<bool> all(file.location_count(), true);
        Progress progress(console, "writing", total_events(file, all), "events");
        events = restore_archive(
            file, output, common.force, [&progress](u64 records) { progress.advance(records); },
            arguments.input.threads, arguments.restored);
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    warn_about_times(file, console);
    // The bytes of the files have all records.
    const bool is_original =
        file.summary().exact_bytes && arguments.restored == RestoredFiles::same_bytes;
    if (!is_original) warn_about_dropped_records(*input, console);
    report_conversion(arguments, output,
                      fmt::format("{}: OTF2 archive {}, {}, {}, {}", output, file.archive().name,
                                  format_counted(file.location_count(), "location"),
                                  format_counted(events, "event"), format_time(elapsed.count())),
                      console, [&](JsonWriter& json) {
                          json.member("locations", file.location_count())
                              .member("events", events)
                              .member("seconds", elapsed.count());
                      });
    const TraceSummary& summary = file.summary();
    return exit_if_lost(arguments.strict,
                        summary.timing != TimingLevel::exact ||
                            (!is_original && summary.dropped_unknown_records != 0));
}

namespace {

/// Names may contain line ends; the file has one name per line.
std::string one_line(const std::string& name) {
    std::string text;
    for (const char c : name) {
        if (c == '\n') {
            text += "\\n";
        } else if (c == '\t') {
            text += "\\t";
        } else if (c == '\\') {
            text += "\\\\";
        } else {
            text += c;
        }
    }
    return text;
}

/// One line per replaced name.
std::string mapping_text(const Anonymity& anonymity) {
    std::string text;
    for (const auto& [neutral, original] : anonymity.replaced) {
        text += neutral + "\t" + one_line(original) + "\n";
    }
    return text;
}

void list(const Anonymity& anonymity, Console& console) {
    if (console.json()) {
        JsonWriter json(console.out(), console.json_layout());
        begin_document(json, "anonymity").key("replaced").begin_array();
        for (const auto& [neutral, original] : anonymity.replaced) {
            json.begin_object().member("neutral", neutral).member("original", original);
            json.end_object();
        }
        json.end_array().key("dropped_files").begin_array();
        for (const std::string& path : anonymity.dropped_files) json.value(path);
        json.end_array().end_object();
        return;
    }
    const char* const gap = console.out_is_terminal() ? "  " : "\t";
    const auto add = [&](const std::string& neutral, const std::string& original) {
        console.text() << neutral << gap << printable(one_line(original)) << '\n';
    };
    for (const auto& [neutral, original] : anonymity.replaced) add(neutral, original);
    for (const std::string& path : anonymity.dropped_files) add("-", path);
}

}  // namespace

ExitCode convert_anonymized(const ConvertArguments& arguments, Console& console,
                            const CommonOptions& common) {
    const bool is_file = arguments.target->kind == ConvertTarget::Kind::tfold;
    if (arguments.output.empty() && !arguments.dry_run) {
        throw Error(ErrorKind::usage, "--anonymize needs an output: -o");
    }
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    Anonymizer anonymizer(input->file());
    if (arguments.dry_run) {
        list(anonymizer.result(), console);
        return exit_ok;
    }
    refuse_input_as_output(arguments, arguments.output);
    // Opened first, before any work. Never readable by others.
    std::optional<AtomicFile> mapping;
    if (!arguments.mapping.empty()) {
        mapping.emplace(arguments.mapping, common.force, Access::owner_only);
    }
    ExitCode code = exit_ok;
    if (is_file) {
        anonymizer.write(arguments.output, common.force);
        console.summary(arguments.output + ": " +
                        std::to_string(anonymizer.result().replaced.size()) + " names replaced");
    } else {
        SerialCommunicator process;
        const ScratchFolder scratch(process, scratch_directory());
        ConvertArguments anonymous = arguments;
        anonymous.input = arguments.input.made((scratch.path() / "anonymous.tfold").string());
        anonymizer.write(anonymous.input.path, false, 1);
        code = convert_to_target(anonymous, console, common);
    }
    warn_about_dropped_files(anonymizer.result().dropped_files, console);
    if (mapping) {
        mapping->write(mapping_text(anonymizer.result()));
        mapping->commit();
    }
    return code;
}

namespace {

using Kind = ConvertTarget::Kind;

/// If the result goes to standard output, a summary would corrupt it.
void report_clocks(const SyncReport& report, bool to_stdout, Console& console) {
    for (const std::string& sentence : sync_sentences(report)) {
        if (to_stdout) {
            console.warning(sentence);
        } else {
            console.summary("  " + sentence);
        }
    }
}

/// Converts the corrected trace with all other options.
ExitCode convert_corrected(const ConvertArguments& arguments, const std::string& path,
                           const SyncReport& report, Console& console,
                           const CommonOptions& common) {
    ConvertArguments corrected = arguments;
    corrected.input = arguments.input.made(path);
    corrected.clocks = {};
    corrected.clock_report = &report;
    return run_convert(corrected, console, common);
}

}  // namespace

ExitCode convert_synchronised(const ConvertArguments& arguments, Console& console,
                              const CommonOptions& common) {
    const Kind kind = arguments.target->kind;
    if (arguments.output.empty() && kind != Kind::text && !arguments.dry_run) {
        throw Error(ErrorKind::usage, "corrected clocks need an output: -o");
    }
    refuse_input_as_output(arguments, arguments.output);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    const bool only_clocks = kind == Kind::tfold && !arguments.anonymize && !has_part(arguments);
    SyncReport report;
    ExitCode code = exit_ok;
    if (only_clocks) {
        report = arguments.clocks.write(input->file(), {arguments.output, 19, common.force, 0, {}},
                                        console);
        report_conversion(
            arguments, arguments.output,
            arguments.output + ": trace with corrected clocks, " + format_size(report.file_bytes),
            console, [&report](JsonWriter& json) {
                json.member("bytes", report.file_bytes);
                add_clocks(json, &report);
            });
    } else {
        const ScratchFolder scratch(scratch_directory());
        const std::string path = (scratch.path() / "synchronised.tfold").string();
        report = arguments.clocks.write(input->file(), {path, 1, false, 0, {}}, console);
        code = convert_corrected(arguments, path, report, console, common);
    }
    const bool to_stdout = prints_lines(arguments);
    if (!console.json() || to_stdout) report_clocks(report, to_stdout, console);
    warn_about_dropped_files(report.dropped_files, console);
    return code;
}

}  // namespace tracefold
