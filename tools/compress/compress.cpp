// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/compress.hpp"

#include "archives/estimate.hpp"
#include "archives/input_kind.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/text_stream.hpp"
#include "common/common_options.hpp"
#include "common/losses.hpp"
#include "common/output_format.hpp"
#include "common/progress.hpp"
#include "common/run_tool.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "common/trace_input.hpp"
#include "file/clock_granularity.hpp"
#include "model/archive_info.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

namespace tracefold {

namespace {

/// Command line of trace_compress, without shared options.
struct CompressArguments {
    std::string archive;
    std::string output;  ///< empty: ARCHIVE's name with suffix .tfold
    TimingLevel timing = TimingLevel::exact;
    std::optional<double> time_error;  ///< relative error of quantised times
    std::optional<bool> verify;        ///< unset: verify if all times are kept
    bool exact_bytes = true;           ///< see CompressOptions
    int level = 19;
    bool portable = false;
    u32 threads = 0;  ///< see CompressOptions
    bool drop_unknown = false;
    bool rescue = false;
    bool with_extra_files = false;
    bool estimate = false;  ///< only estimate the size

    /// In parts per million. Throws Error(usage) if an error is given at another level.
    [[nodiscard]] u32 time_error_ppm() const;
    [[nodiscard]] bool verifies() const { return verify.value_or(keeps_every_time(timing)); }
};

void add_options(CLI::App& app, CompressArguments& arguments) {
    app.add_option("ARCHIVE", arguments.archive, "OTF2 archive (anchor file or folder)")
        ->type_name("")
        ->required();
    app.add_option("-o,--output", arguments.output,
                   "File to write (default: the archive's name with .tfold, in the current folder)")
        ->type_name("FILE");
    add_choice<TimingLevel>(app, "--timing", arguments.timing,
                            {{"none", TimingLevel::none},
                             {"histogram", TimingLevel::histogram},
                             {"quantized", TimingLevel::quantized},
                             {"exact", TimingLevel::exact}},
                            "Times to keep");
    app.add_option("--time-error", arguments.time_error,
                   "Relative error of time differences with --timing quantized (default: 0.01)")
        ->type_name("R")
        ->check(CLI::Range(1e-6 * DeltaPrecision::kMinError, 1e-6 * DeltaPrecision::kMaxError));
    app.add_flag_function(
        "--verify,!--no-verify", [&arguments](std::int64_t count) { arguments.verify = count > 0; },
        "Unfold the file and compare it with the archive before it gets its name (default with "
        "exact and quantized timing)");
    app.add_flag_function(
        "--exact-bytes,!--no-exact-bytes",
        [&arguments](std::int64_t count) { arguments.exact_bytes = count > 0; },
        "Restore every file byte by byte, whichever release of OTF2 wrote it (default with exact "
        "timing and verification)");
    app.add_option("--level", arguments.level, "Compression effort")
        ->type_name("N")
        ->check(CLI::Range(1, 22))
        ->capture_default_str();
    app.add_flag("--portable", arguments.portable,
                 "Compress with zstd only: larger, but readable with nothing but the "
                 "specification, even decades from now");
    add_threads_option(app, arguments.threads, "read and fold",
                       "one per core for large traces, one under mpirun");
    add_drop_unknown_option(app, arguments.drop_unknown);
    app.add_flag("--rescue", arguments.rescue,
                 "Keep the intact part of a damaged archive: truncated or missing files");
    app.add_flag("--with-extra-files", arguments.with_extra_files,
                 "Include the other files of the folder (scorep.cfg, profiles, ...)");
    app.add_flag(
           "--estimate", arguments.estimate,
           "Estimate the file size at each level of --timing from some locations; write nothing")
        ->excludes("--output")
        ->excludes("--rescue")
        ->excludes("--timing")
        ->excludes("--portable")
        ->excludes("--verify");
}

u32 CompressArguments::time_error_ppm() const {
    if (!time_error) return 10'000;
    if (timing != TimingLevel::quantized && !estimate) {
        throw Error(ErrorKind::usage, "--time-error needs --timing quantized");
    }
    return static_cast<u32>(std::lround(*time_error * 1e6));
}

/// Default output: the name of the archive's folder (or anchor) with suffix .tfold. Not next to the
/// archive, which may be in a shared folder.
std::string default_output(const std::string& archive) {
    namespace fs = std::filesystem;
    fs::path path = fs::path(archive).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    if (path.filename() == "." || path.filename() == "..")
        path = fs::absolute(path).lexically_normal();
    if (path.extension() == ".otf2") path.replace_extension();
    return path.filename().string() + ".tfold";
}

double ratio(const CompressReport& report) {
    return report.file_bytes == 0
               ? 0.0
               : static_cast<double>(report.archive_bytes) / static_cast<double>(report.file_bytes);
}

/// `where`: the place of a default output.
std::string summary(const CompressReport& report, const CompressOptions& options,
                    std::string_view where, double seconds) {
    TextStream line;
    line << options.output << where << ": " << report.ranks << " ranks, " << report.locations
         << " locations, " << format_count(report.events) << " events, "
         << format_size(report.archive_bytes) << " -> " << format_size(report.file_bytes) << " ("
         << format_ratio(ratio(report)) << "x), " << format_time(seconds) << ", timing "
         << timing_name(options.timing) << (options.verify ? ", verified" : ", not verified");
    return line.str();
}

void warn_about_losses(const CompressReport& report, TimingLevel timing, Console& console) {
    if (report.exact_bytes && report.dropped_unknown_records != 0) {
        console.warning(
            fmt::format("{} unknown to OTF2 will be in the restored archive, but in nothing else "
                        "(--drop-unknown)",
                        report.dropped_unknown_records == 1
                            ? "1 record of a type"
                            : fmt::format("{} records of types", report.dropped_unknown_records)));
    } else {
        warn_about_dropped_unknown(report.dropped_unknown_records, console);
    }
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
            file + " is left out: it is not a regular file, or a link out of the archive's folder");
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

void print_text(const SizeEstimate& estimate, Console& console) {
    console.text() << "estimated from " << estimate.sampled_locations << " of "
                   << estimate.locations << " locations, " << format_count(estimate.sampled_events)
                   << " of " << format_count(estimate.events) << " events; archive "
                   << format_size(estimate.archive_bytes) << '\n';
    Table table(
        {{"timing"}, {"size", kRight}, {"times smaller", kRight}, {"bits per event", kRight}});
    for (const SizeEstimate::Size& size : estimate.sizes) {
        const double bytes = static_cast<double>(size.bytes);
        const double events = static_cast<double>(estimate.events);
        table.add_row({std::string(timing_name(size.timing)), format_size(size.bytes),
                       format_count(estimate.archive_bytes / size.bytes),
                       events == 0 ? "" : fmt::format("{:.2g}", 8 * bytes / events)});
    }
    table.print(console);
}

void print_json(const SizeEstimate& estimate, Console& console) {
    JsonWriter json = begin_document(console, "estimate");
    json.member("ranks", estimate.ranks)
        .member("locations", estimate.locations)
        .member("sampled_locations", estimate.sampled_locations)
        .member("events", estimate.events)
        .member("sampled_events", estimate.sampled_events)
        .member("archive_bytes", estimate.archive_bytes);
    write_objects("sizes", estimate.sizes, json, [&](const SizeEstimate::Size& size) {
        json.member("timing", timing_name(size.timing)).member("bytes", size.bytes);
    }).end_object();
}

SizeEstimate estimate(const CompressArguments& arguments, Console& console) {
    EstimateOptions options;
    options.archive = arguments.archive;
    options.time_error_ppm = arguments.time_error_ppm();
    options.level = arguments.level;
    options.drop_unknown = arguments.drop_unknown;
    options.spill_directory = std::filesystem::temp_directory_path().string();
    std::optional<Progress> progress;
    options.expected_records = [&](u64 records) {
        progress.emplace(console, "sampling", records, "records");
    };
    options.progress = [&](u64 records) { progress->advance(records); };
    return estimate_sizes(options);
}

/// Reports the estimated file size for each timing level. Rank 0 works; all exit alike.
ExitCode run_estimate(Communicator& comm, const CompressArguments& arguments, Console& console) {
    SizeEstimate result;
    on_first(comm, [&] { result = estimate(arguments, console); });
    if (comm.rank() != 0) return exit_ok;
    if (console.json()) {
        print_json(result, console);
    } else {
        print_text(result, console);
    }
    return exit_ok;
}

/// Folds the archive and reports the result on rank 0.
ExitCode run_compress(Communicator& comm, const CompressArguments& arguments, Console& console,
                      const CommonOptions& common, const std::string& producer) {
    // A damaged archive may have lost all but its definitions.
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
        const char* const where = arguments.output.empty() ? " in the current folder" : "";
        console.summary(summary(report, options, where, elapsed.count()));
    }
    return exit_ok;
}

}  // namespace

}  // namespace tracefold

namespace tracefold {

namespace {

int run(int argc, char** argv) {
    CompressArguments arguments;
    ToolSpec spec;
    spec.name = "trace_compress";
    spec.description =
        "Folds an OTF2 archive into one small file, which can be queried and restored.";
    spec.examples = {{"trace_compress run/traces.otf2 -o run.tfold", "in one process"},
                     {"mpirun -n 4 trace_compress run/traces.otf2 -o run.tfold",
                      "in four processes, with the same result"},
                     {"trace_compress --timing none run -o run.tfold", "order of events only"},
                     {"trace_compress --estimate run", "estimate the size"}};
    spec.versions = format_versions();
    spec.setup = [&arguments](CLI::App& app) { add_options(app, arguments); };
    const std::unique_ptr<Communicator> comm = join_world(argc, argv);
    run_together(*comm, spec, [&](Console& console, const CommonOptions& common) {
        return run_compress(*comm, arguments, console, common, "tracefold " TRACEFOLD_VERSION);
    });
    return run_tool(argc, argv, spec);
}

}  // namespace

}  // namespace tracefold

int main(int argc, char** argv) {
    return tracefold::start_tool("trace_compress", tracefold::run, argc, argv);
}
