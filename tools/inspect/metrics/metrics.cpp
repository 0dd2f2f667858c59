// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/metrics/metrics.hpp"

#include "common/output_format.hpp"
#include "common/select_locations.hpp"
#include "inspect/command.hpp"
#include "profile/trace_profile.hpp"

#include <memory>

namespace tracefold {

namespace {

enum class MetricsBy : u8 { none, location, path };

const OptionWords<MetricsBy> kMetricsBy = {
    {"none", MetricsBy::none}, {"location", MetricsBy::location}, {"path", MetricsBy::path}};

struct MetricsArguments {
    TraceInput input;
    RankList ranks;
    MetricsBy by = MetricsBy::none;
    NameFilter names;
    OutputFormat format;
};

/// Those of metrics that are wanted.
std::vector<MetricEntry> wanted_entries(MetricsArguments& arguments, const TraceProfile& profile) {
    std::vector<MetricEntry> entries;
    for (const MetricEntry& entry : profile.metric_entries) {
        const std::string& name = profile.metric_members[entry.member].name;
        if (arguments.names.matches(name)) entries.push_back(entry);
    }
    return entries;
}

MetricsView make_view(MetricsArguments& arguments, TraceFile& file, Communicator& comm) {
    const ParticipantNames names(file.definitions());
    ProfileRequest request;
    request.selected = select_locations(arguments.ranks, names, file.location_count());
    request.times = false;
    const TraceProfile profile = trace_profile(comm, file, request);
    MetricsView view;
    view.file = arguments.input.path;
    view.members = profile.metric_members;
    if (arguments.by != MetricsBy::none) view.by = word_of(kMetricsBy, arguments.by);
    const std::vector<MetricEntry> entries = wanted_entries(arguments, profile);
    switch (arguments.by) {
        case MetricsBy::none:
            view.rows = rows_of_metrics(
                entries, [](const MetricEntry&) { return 0U; }, [](u32) { return std::string(); });
            break;
        case MetricsBy::location:
            view.rows = rows_of_metrics(
                entries, [](const MetricEntry& entry) { return entry.location; },
                [&](u32 location) { return names.label(location); });
            break;
        case MetricsBy::path:
            view.rows = rows_of_metrics(
                entries, [](const MetricEntry& entry) { return entry.node; },
                [&](u32 node) { return node == kNone ? std::string() : profile.path(node); });
            break;
    }
    return view;
}

ExitCode run_metrics(MetricsArguments& arguments, Console& console, Communicator& comm) {
    arguments.format.check(console);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
    const MetricsView view = naming_file(arguments.input.path,
                                         [&] { return make_view(arguments, input->file(), comm); });
    if (comm.rank() != 0) return exit_ok;
    arguments.format.show(view, console, write_metrics_json, write_metrics_csv, print_metrics);
    return exit_ok;
}

}  // namespace

std::vector<MetricsView::Row> rows_of_metrics(const std::vector<MetricEntry>& entries,
                                              const std::function<u32(const MetricEntry&)>& place,
                                              const std::function<std::string(u32)>& name) {
    std::vector<MetricsView::Row> rows;
    for (MetricRow& row : metric_rows(entries, place)) {
        std::string text = name(row.place);
        rows.push_back({std::move(row), std::move(text)});
    }
    return rows;
}

InspectCommand add_metrics_command(CLI::App& app) {
    auto arguments = std::make_shared<MetricsArguments>();
    CLI::App* metrics = app.add_subcommand(
        "metrics", "Counters and measured quantities: sum or mean, minimum, maximum");
    arguments->input.add_options(*metrics);
    add_choice<MetricsBy>(*metrics, "--by", arguments->by, kMetricsBy,
                          "Values for each location or call path by itself");
    add_match_option(*metrics, arguments->names,
                     "Only metrics of this name: PAPI_*, or /power|energy/; may be repeated");
    add_ranks_option(*metrics, arguments->ranks);
    arguments->format.add_options(*metrics, false);
    return {metrics,
            [arguments](Console& console, Communicator& comm) {
                return run_metrics(*arguments, console, comm);
            },
            &arguments->input};
}

}  // namespace tracefold
