// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/input_kind.hpp"
#include "archives/restore.hpp"
#include "common/progress.hpp"
#include "common/units.hpp"
#include "convert/conversion.hpp"

#include <chrono>
#include <filesystem>

#include <fmt/core.h>

namespace tracefold {

namespace {

std::string output_of(const ConvertArguments& arguments) {
    const std::string& input = arguments.input.path;
    if (!arguments.output.empty()) return arguments.output;
    if (is_archive(input)) {
        throw Error(ErrorKind::usage,
                    input + " is an OTF2 archive; give a place for the new one: -o");
    }
    return std::filesystem::path(input).replace_extension().string();
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
                "the file keeps durations only (--timing histogram): times are made from the "
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
    warn_about_dropped_records(*input, console);
    report_conversion(
        arguments, output,
        fmt::format("{}: OTF2 archive {}, {} locations, {} events, {}", output, file.archive().name,
                    file.location_count(), format_count(events), format_time(elapsed.count())),
        console, [&](JsonWriter& json) {
            json.member("locations", file.location_count())
                .member("events", events)
                .member("seconds", elapsed.count());
        });
    const TraceSummary& summary = file.summary();
    return exit_if_lost(arguments.strict, summary.timing != TimingLevel::exact ||
                                              summary.dropped_unknown_records != 0);
}

}  // namespace tracefold
