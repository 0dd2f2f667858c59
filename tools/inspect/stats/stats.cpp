// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/stats/stats.hpp"

#include "common/output_format.hpp"
#include "common/select_locations.hpp"
#include "inspect/command.hpp"
#include "inspect/empty_result.hpp"
#include "inspect/gaps.hpp"
#include "inspect/stats/histogram_options.hpp"
#include "inspect/world_input.hpp"
#include "stats/over_threads.hpp"

#include <memory>

namespace tracefold {

namespace {

using By = RowRequest::By;

constexpr u32 kMostIntervals = 1000;

const OptionWords<By> kStatisticsBy = {{"call", By::call}, {"path", By::path}, {"loop", By::loop}};

struct StatsArguments {
    WorldInput input;
    RankList ranks;
    By by = By::call;
    NameFilter names;
    std::vector<std::string> histogram;
    HistogramOptions options;
    bool over_time = false;
    OutputFormat format;
};

/// Each thread has its own answers of the filter.
SampleRequest sample_request(const StatsArguments& arguments, const TraceFile& file) {
    SampleRequest request;
    request.rows.by = arguments.by;
    request.rows.matches = matching(arguments.names);
    if (!arguments.ranks.selects_all()) {
        request.selected = select_locations(arguments.ranks, ParticipantNames(file.definitions()),
                                            file.location_count());
    }
    request.loop = arguments.options.loop;
    return request;
}

/// Streams have statistics of their own where all the trace is looked at.
std::optional<AcceleratorsView> streams_of(const StatsArguments& arguments, TraceFile& file) {
    const bool all = arguments.names.empty() && arguments.ranks.selects_all();
    if (!all || !keeps_every_time(file.summary().timing)) return std::nullopt;
    AcceleratorsView view = accelerators_view(file, arguments.input.path);
    if (view.streams.empty()) return std::nullopt;
    return view;
}

void show_statistics(const StatsArguments& arguments, TraceFile& file, Communicator& comm,
                     Console& console) {
    SampleRequest request = sample_request(arguments, file);
    FoundSteps steps(file, StepLevels::one, arguments.input.threads_of(comm));
    request.steps = &steps;
    // Only times and iterations are worth unwinding all calls for.
    request.iterations = keeps_every_time(file.summary().timing) ||
                         arguments.options.over == Over::iterations || arguments.options.loop != 0;
    const Statistics statistics =
        over_threads(comm, file, arguments.input.threads, [&](Communicator& team) {
            return collect_statistics(team, file, request, arguments.input.fanout);
        });
    if (comm.rank() != 0) return;
    const StatisticsView view = {arguments.input.path,
                                 word_of(kStatisticsBy, arguments.by),
                                 arguments.options.over,
                                 arguments.options.quantity(file),
                                 arguments.format.csv ? std::nullopt : streams_of(arguments, file),
                                 recording_gaps(file)};
    if (console.json()) {
        write_statistics_json(statistics, view, console);
    } else if (arguments.format.csv) {
        write_statistics_csv(statistics, console.out());
        warn_of_gaps(view.gaps, GapScope::events, console);
    } else {
        print_statistics(statistics, view, console);
    }
}

DistributionRequest distribution_request(const StatsArguments& arguments, const TraceFile& file) {
    DistributionRequest request = arguments.options.request(file);
    request.samples = sample_request(arguments, file);
    request.samples.rows.together = joined(arguments.histogram);
    if (arguments.over_time) {
        request.over = Over::iterations;
        request.columns = kMostIntervals;
    }
    request.samples.iterations = request.over == Over::iterations;
    return request;
}

void show_histogram(const StatsArguments& arguments, TraceFile& file, Communicator& comm,
                    Console& console) {
    DistributionRequest request = distribution_request(arguments, file);
    FoundSteps steps(file, StepLevels::one, arguments.input.threads_of(comm));
    request.samples.steps = &steps;
    const Distribution distribution =
        over_threads(comm, file, arguments.input.threads, [&](Communicator& team) {
            return collect_distribution(team, file, request, arguments.input.fanout);
        });
    if (comm.rank() != 0) return;
    const DistributionTitle title = {arguments.input.path, *request.samples.rows.together};
    if (console.json()) {
        write_distribution_json(distribution, title, console);
    } else if (arguments.format.csv) {
        write_distribution_csv(distribution, console.out());
    } else if (arguments.format.svg) {
        write_distribution_svg(distribution, title, console.out());
    } else {
        print_distribution(distribution, title, console);
    }
}

void check(const StatsArguments& arguments, const Console& console) {
    const auto refuse = [](const std::string& what) { throw Error(ErrorKind::usage, what); };
    arguments.format.check(console);
    const bool histogram = !arguments.histogram.empty();
    if (!histogram && arguments.over_time) refuse("--over-time goes with --histogram only");
    if (!histogram && arguments.format.svg) refuse("--svg goes with --histogram only");
    if (histogram && arguments.by != By::call) refuse("--histogram excludes --by");
    if (arguments.over_time && arguments.options.over_given &&
        arguments.options.over != Over::iterations) {
        refuse("--over-time is over iterations");
    }
}

ExitCode run_stats(StatsArguments& arguments, Console& console, Communicator& comm) {
    check(arguments, console);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
    naming_file(arguments.input.path, [&] {
        for (const std::string& pattern : arguments.histogram) arguments.names.add(pattern);
        warn_if_nothing_matches(arguments.names, input->file(), console);
        if (arguments.histogram.empty()) {
            show_statistics(arguments, input->file(), comm, console);
        } else {
            show_histogram(arguments, input->file(), comm, console);
        }
    });
    return exit_ok;
}

void add_row_options(CLI::App& app, const std::shared_ptr<StatsArguments>& arguments) {
    add_choice<By>(app, "--by", arguments->by, kStatisticsBy,
                   "What statistics are of: functions, functions by the regions that they are "
                   "called in, or outermost loops");
    add_match_option(app, arguments->names);
}

}  // namespace

InspectCommand add_stats_command(CLI::App& app) {
    auto arguments = std::make_shared<StatsArguments>();
    CLI::App* stats = app.add_subcommand(
        "stats", "Count, bytes and time of calls: mean, deviation, extremes, histograms");
    arguments->input.add_options(*stats);
    arguments->input.add_threads(*stats, "read locations");
    add_row_options(*stats, arguments);
    add_histogram_option(*stats, arguments->histogram);
    arguments->options.add_options(*stats);
    stats->add_flag("--over-time", arguments->over_time,
                    "One histogram per iteration, side by side");
    add_ranks_option(*stats, arguments->ranks);
    arguments->format.add_options(*stats, true);
    return {stats, [arguments](Console& console, Communicator& comm) {
                return run_stats(*arguments, console, comm);
            }};
}

}  // namespace tracefold
