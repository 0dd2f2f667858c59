// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/scratch_folder.hpp"
#include "common/environment.hpp"
#include "common/units.hpp"
#include "convert/conversion.hpp"

namespace tracefold {

namespace {

using Kind = ConvertTarget::Kind;

/// Where standard output has the result, it has no room for a summary.
void report_clocks(const SyncReport& report, bool to_stdout, Console& console) {
    for (const std::string& sentence : sync_sentences(report)) {
        if (to_stdout) {
            console.warning(sentence);
        } else {
            console.summary("  " + sentence);
        }
    }
}

/// Converts what was corrected, with all other options.
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
        throw Error(ErrorKind::usage, "corrected clocks need a place for the output: -o");
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
