// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/clock_option.hpp"

#include "base/communicator.hpp"
#include "base/temporary.hpp"
#include "common/console.hpp"
#include "common/progress.hpp"
#include "common/text.hpp"

#include <fmt/core.h>

namespace tracefold {

namespace {

std::string correction_sentence(const SyncReport& report) {
    const ClockDistortion& distortion = report.distortion;
    return fmt::format("corrected: {} of {} events moved forward by up to {}", distortion.moved,
                       distortion.events, format_time(report.seconds(distortion.largest_move)));
}

std::string change_sentence(const SyncReport& report) {
    const IntervalChange& largest = report.distortion.largest;
    return fmt::format(
        "largest change: {} between two events, by {}{} ({}, {} after the trace began); {} changed "
        "by more than 1 %",
        format_time(report.seconds(largest.before)), largest.after > largest.before ? "+" : "-",
        format_time(report.seconds(largest.ticks())), report.largest_at,
        format_time(report.seconds(report.largest_after)), report.distortion.bent);
}

}  // namespace

void ClockOption::add_options(CLI::App& app) {
    CLI::Option* const flag = app.add_flag(
        "--sync-clocks", sync, "Correct the clocks: no message is received before it was sent");
    app.add_option_function<std::string>(
           "--min-latency", [this](const std::string& text) { latency = parse_seconds(text); },
           "With --sync-clocks: minimum message latency, as in 1us (default: a tick)")
        ->type_name("TIME")
        ->needs(flag);
}

SyncReport ClockOption::write(TraceFile& file, SyncOutput output, Console& console) const {
    u64 events = 0;
    for (u32 location = 0; location < file.location_count(); ++location) {
        events += file.index().events(location);
    }
    Progress progress(console, "correcting clocks", events, "events");
    output.progress = [&progress](u64 records) { progress.advance(records); };
    output.latency = latency;
    return sync_clocks(file, output);
}

std::optional<SyncReport> ClockOption::apply(Communicator& comm, FoldedInput& input, int level,
                                             Console& console) const {
    if (!sync) return std::nullopt;
    const ScratchFolder folder(comm, scratch_directory());
    const std::string path = (folder.path() / "synchronised.tfold").string();
    SyncReport report;
    agree(comm, [&] {
        if (comm.rank() == 0) report = write(input.file(), {path, level, false, 0, {}}, console);
    });
    agree(comm, [&] { input.read_instead(path); });
    return report;
}

std::vector<std::string> sync_sentences(const SyncReport& report) {
    const ClockOrder& before = report.before;
    if (before.agrees) {
        return {
            fmt::format("clocks: {} messages and {} collective operations are in order with the "
                        "recorded clock offsets; nothing was corrected",
                        before.messages, before.collectives)};
    }
    return {fmt::format("clocks: {} of {} messages arrived before they were sent, {} of {} "
                        "collective operations ended too early; now {} and {}",
                        before.early_messages, before.messages, before.early_collectives,
                        before.collectives, report.after.early_messages,
                        report.after.early_collectives),
            correction_sentence(report), change_sentence(report)};
}

void add_clocks(JsonWriter& json, const SyncReport* report) {
    if (report == nullptr) return;
    const ClockDistortion& distortion = report->distortion;
    const IntervalChange& largest = distortion.largest;
    json.key("clocks")
        .begin_object()
        .member("min_latency", report->seconds(report->latency))
        .member("messages", report->before.messages)
        .member("early_messages_before", report->before.early_messages)
        .member("early_messages", report->after.early_messages)
        .member("collectives", report->before.collectives)
        .member("early_collectives_before", report->before.early_collectives)
        .member("early_collectives", report->after.early_collectives)
        .member("events", distortion.events)
        .member("events_moved", distortion.moved)
        .member("largest_move", report->seconds(distortion.largest_move))
        .member("changed_interval_before", report->seconds(largest.before))
        .member("changed_interval", report->seconds(largest.after))
        .member("changed_interval_at", report->largest_at)
        .member("changed_intervals", distortion.bent)
        .member("corners", report->corners)
        .end_object();
}

}  // namespace tracefold
