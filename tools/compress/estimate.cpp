// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/estimate.hpp"

#include "comm/agree.hpp"
#include "common/json_document.hpp"
#include "common/progress.hpp"
#include "common/table.hpp"
#include "common/units.hpp"
#include "compress/compress.hpp"

#include <filesystem>
#include <optional>

#include <fmt/core.h>

namespace tracefold {

namespace {

void print_text(const SizeEstimate& estimate, Console& console) {
    console.out() << "estimated from " << estimate.sampled_locations << " of " << estimate.locations
                  << " locations, " << format_count(estimate.sampled_events) << " of "
                  << format_count(estimate.events) << " events; archive "
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
    table.print(console.out());
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

}  // namespace

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

}  // namespace tracefold
