// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/compress.hpp"
#include "archives/input_kind.hpp"
#include "comm/agree.hpp"
#include "common/json_document.hpp"
#include "common/losses.hpp"
#include "common/progress.hpp"
#include "common/trace_input.hpp"
#include "common/units.hpp"
#include "compress/compress.hpp"

#include <chrono>
#include <optional>
#include <sstream>

#include <fmt/core.h>

namespace tracefold {

namespace {

double ratio(const CompressReport& report) {
    return report.file_bytes == 0
               ? 0.0
               : static_cast<double>(report.archive_bytes) / static_cast<double>(report.file_bytes);
}

std::string summary(const CompressReport& report, const CompressOptions& options, double seconds) {
    std::ostringstream line;
    line.precision(3);
    line << options.output << ": " << report.ranks << " ranks, " << report.locations
         << " locations, " << format_count(report.events) << " events, "
         << format_size(report.archive_bytes) << " -> " << format_size(report.file_bytes) << " ("
         << ratio(report) << "x), " << format_time(seconds) << ", timing "
         << timing_name(options.timing) << (options.verify ? ", verified" : ", not verified");
    return line.str();
}

void warn_about_losses(const CompressReport& report, TimingLevel timing, Console& console) {
    warn_about_dropped_unknown(report.dropped_unknown_records, console);
    if (report.dropped_clock_offsets != 0) {
        console.detail(fmt::format("left out {} ClockOffset definitions (--timing {})",
                                   report.dropped_clock_offsets, timing_name(timing)));
    }
}

void warn_about_damage(const std::vector<FileLoss>& losses, Console& console) {
    constexpr std::size_t kMost = 20;
    for (std::size_t i = 0; i < losses.size() && i < kMost; ++i) {
        console.warning(lost_file_name(losses[i]) + ": " + loss_text(losses[i]));
    }
    if (losses.size() <= kMost) return;
    console.warning(std::to_string(losses.size() - kMost) +
                    " more files are damaged; trace_inspect info --all lists them");
}

void warn_about_left_out(const std::vector<std::string>& files, Console& console) {
    for (const std::string& file : files) {
        console.warning(
            file + " is left out: it is no regular file, or a link out of the archive's folder");
    }
}

void print_json(const CompressReport& report, const CompressOptions& options, double seconds,
                Console& console) {
    JsonWriter json = begin_document(console, "compression");
    json.member("output", options.output)
        .member("ranks", report.ranks)
        .member("locations", report.locations)
        .member("events", report.events)
        .member("raw_records", report.raw_records)
        .member("archive_bytes", report.archive_bytes)
        .member("file_bytes", report.file_bytes)
        .member("timing", timing_name(options.timing))
        .member("verified", options.verify)
        .member("exact_bytes", report.exact_bytes)
        .member("kept_files", report.kept_files)
        .member("seconds", seconds);
    json.key("dropped").begin_object();
    json.member("unknown_records", report.dropped_unknown_records)
        .member("clock_offsets", report.dropped_clock_offsets)
        .end_object();
    write_losses(report.losses, json);
    json.key("sections").begin_array();
    for (const Section& section : report.sections) {
        if (section.kind == SectionKind::ticks || section.kind == SectionKind::file) continue;
        json.begin_object()
            .member("name", section_name(section.kind))
            .member("bytes", section.stored_size)
            .member("content_bytes", section.content_size)
            .end_object();
    }
    json.end_array().end_object();
}

}  // namespace

ExitCode run_compress(Communicator& comm, const CompressArguments& arguments, Console& console,
                      const CommonOptions& common, const std::string& producer) {
    // What is left of an archive may be its definitions only.
    if (!arguments.rescue) agree(comm, [&] { refuse_all_but_archives(arguments.archive); });
    if (arguments.estimate) return run_estimate(comm, arguments, console);
    CompressOptions options;
    options.archive = arguments.archive;
    options.output =
        arguments.output.empty() ? default_output(arguments.archive) : arguments.output;
    options.producer = producer;
    options.timing = arguments.timing;
    options.time_error_ppm = arguments.time_error_ppm();
    options.verify = arguments.verifies();
    options.exact_bytes = arguments.exact_bytes;
    options.level = arguments.level;
    options.portable = arguments.portable;
    options.threads = arguments.threads;
    options.restorable = true;
    options.drop_unknown = arguments.drop_unknown;
    options.rescue = arguments.rescue;
    options.with_extra_files = arguments.with_extra_files;
    options.force = common.force;
    std::optional<Progress> progress;
    options.expected_records = [&](u64 records) {
        progress.emplace(console, "folding", records, "records");
    };
    options.progress = [&](u64 records) { progress->advance(records); };

    const auto start = std::chrono::steady_clock::now();
    const CompressReport report = compress(comm, options);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    progress.reset();
    if (comm.rank() != 0) return exit_ok;
    warn_about_losses(report, options.timing, console);
    warn_about_clock(report.knows_tick_rate, options.archive, console);
    warn_about_damage(report.losses, console);
    warn_about_left_out(report.left_out, console);
    if (console.json()) {
        print_json(report, options, elapsed.count(), console);
    } else {
        console.summary(summary(report, options, elapsed.count()));
    }
    return exit_ok;
}

}  // namespace tracefold
