// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "convert/run.hpp"

#include "common/json_writer.hpp"
#include "common/progress.hpp"
#include "common/units.hpp"
#include "pipeline/restore.hpp"

#include <chrono>
#include <filesystem>

namespace tracefold {

namespace {

u64 total_events(TraceFile& file) {
    u64 total = 0;
    for (u32 i = 0; i < file.location_count(); ++i) total += file.index().facts(i).events;
    return total;
}

void warn_about_losses(const TraceFile& file, Console& console) {
    const TraceSummary& summary = file.summary();
    if (summary.timing == TimingLevel::none) {
        console.warning("the file keeps no times (--timing none): events are one tick apart, and " +
                        std::to_string(summary.dropped_clock_offsets) +
                        " ClockOffset definitions are left out");
    }
    if (summary.dropped_unknown_records != 0) {
        console.warning("the archive had " + std::to_string(summary.dropped_unknown_records) +
                        " records of types unknown to OTF2, which the file does not hold");
    }
}

}  // namespace

ExitCode run_convert(const ConvertArguments& arguments, Console& console,
                     const CommonOptions& common) {
    const std::string output =
        arguments.output.empty()
            ? std::filesystem::path(arguments.input).replace_extension().string()
            : arguments.output;
    const auto start = std::chrono::steady_clock::now();
    TraceFile file(arguments.input);
    u64 events = 0;
    {
        Progress progress(console, "writing", total_events(file), "events");
        events = restore_archive(file, output, common.force,
                                 [&progress](u64 records) { progress.advance(records); });
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    warn_about_losses(file, console);
    if (console.json()) {
        JsonWriter json(console.out(), console.json_layout());
        json.begin_object()
            .member("schema_version", 1)
            .member("output", output)
            .member("format", "otf2")
            .member("locations", file.location_count())
            .member("events", events)
            .member("seconds", elapsed.count())
            .end_object();
    } else {
        console.summary(output + ": OTF2 archive " + file.archive().name + ", " +
                        std::to_string(file.location_count()) + " locations, " +
                        format_count(events) + " events, " + format_time(elapsed.count()));
    }
    return exit_ok;
}

}  // namespace tracefold
