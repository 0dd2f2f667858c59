// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/stats.hpp"

#include "common/select_locations.hpp"
#include "inspect/command.hpp"
#include "inspect/output_format.hpp"
#include "inspect/world_input.hpp"

#include <memory>

namespace tracefold {

namespace {

using By = RowRequest::By;

constexpr u32 kMostColumns = 1000;

struct StatsArguments {
    WorldInput input;
    RankList ranks;
    By by = By::call;
    Over over = Over::calls;
    bool over_given = false;
    Quantity quantity = Quantity::time;
    bool quantity_given = false;
    NameFilter names;
    std::vector<std::string> histogram;
    u32 bins = 20;
    bool over_time = false;
    u32 loop = 0;
    OutputFormat format;
};

std::string_view by_name(By by) {
    switch (by) {
        case By::call:
            return "call";
        case By::path:
            return "path";
        case By::loop:
            break;
    }
    return "loop";
}

SampleRequest sample_request(StatsArguments& arguments, const TraceFile& file) {
    SampleRequest request;
    request.rows.by = arguments.by;
    request.rows.matches = [&names = arguments.names](const std::string& name) {
        return names.matches(name);
    };
    if (!arguments.ranks.selects_all()) {
        request.selected = select_locations(arguments.ranks, ParticipantNames(file.definitions()),
                                            file.location_count());
    }
    request.loop = arguments.loop;
    return request;
}

Quantity quantity(const StatsArguments& arguments, const TraceFile& file) {
    const bool timed = file.summary().timing != TimingLevel::none;
    return timed || arguments.quantity_given ? arguments.quantity : Quantity::sent;
}

void show_statistics(StatsArguments& arguments, TraceFile& file, Communicator& comm,
                     Console& console) {
    SampleRequest request = sample_request(arguments, file);
    // Only times and iterations are worth unwinding all calls for.
    request.iterations = keeps_every_time(file.summary().timing) ||
                         arguments.over == Over::iterations || arguments.loop != 0;
    const Statistics statistics = collect_statistics(comm, file, request, arguments.input.fanout);
    if (comm.rank() != 0) return;
    const StatisticsView view = {arguments.input.path, std::string(by_name(arguments.by)),
                                 arguments.over, quantity(arguments, file)};
    if (console.json()) {
        write_statistics_json(statistics, view, console);
    } else if (arguments.format.csv) {
        write_statistics_csv(statistics, console.out());
    } else {
        print_statistics(statistics, view, console);
    }
}

DistributionRequest distribution_request(StatsArguments& arguments, const TraceFile& file) {
    DistributionRequest request;
    request.samples = sample_request(arguments, file);
    std::string together;
    for (const std::string& pattern : arguments.histogram) {
        arguments.names.add(pattern);
        together += (together.empty() ? "" : ", ") + pattern;
    }
    request.samples.rows.together = together;
    request.over = arguments.over_time ? Over::iterations : arguments.over;
    request.quantity = quantity(arguments, file);
    request.samples.iterations = request.over == Over::iterations;
    request.bins = arguments.bins;
    request.columns = arguments.over_time ? kMostColumns : 0;
    return request;
}

void show_histogram(StatsArguments& arguments, TraceFile& file, Communicator& comm,
                    Console& console) {
    const DistributionRequest request = distribution_request(arguments, file);
    const Distribution distribution =
        collect_distribution(comm, file, request, arguments.input.fanout);
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
    if (arguments.over_time && arguments.over_given && arguments.over != Over::iterations) {
        refuse("--over-time is over iterations");
    }
}

ExitCode run_stats(StatsArguments& arguments, Console& console, Communicator& comm) {
    check(arguments, console);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm);
    naming_file(arguments.input.path, [&] {
        if (arguments.histogram.empty()) {
            show_statistics(arguments, input->file(), comm, console);
        } else {
            show_histogram(arguments, input->file(), comm, console);
        }
    });
    return exit_ok;
}

void add_row_options(CLI::App& app, const std::shared_ptr<StatsArguments>& arguments) {
    add_choice<By>(app, "--by", arguments->by,
                   {{"call", By::call}, {"path", By::path}, {"loop", By::loop}},
                   "What statistics are of: functions, functions by the regions that they are "
                   "called in, or outermost loops");
    add_choice<Over>(
        app, "--over", arguments->over,
        {{"calls", Over::calls}, {"ranks", Over::ranks}, {"iterations", Over::iterations}},
        "What one sample is: a call, all calls of a location, or those in one iteration")
        ->each([arguments](const std::string&) { arguments->over_given = true; });
    add_choice<Quantity>(app, "--metric", arguments->quantity,
                         {{"time", Quantity::time},
                          {"sent", Quantity::sent},
                          {"received", Quantity::received},
                          {"calls", Quantity::calls}},
                         "What is shown in detail; without times sent takes the place of time")
        ->each([arguments](const std::string&) { arguments->quantity_given = true; });
    add_match_option(app, arguments->names);
}

void add_histogram_options(CLI::App& app, const std::shared_ptr<StatsArguments>& arguments) {
    app.add_option("--histogram", arguments->histogram,
                   "How the samples of all calls of this name spread; may be repeated")
        ->type_name("PATTERN")
        ->take_all();
    app.add_option("--bins", arguments->bins, "Bins of the histogram, of equal width")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_flag("--over-time", arguments->over_time, "One histogram per iteration, side by side");
    app.add_option("--loop", arguments->loop,
                   "Which loop has the iterations: the first outermost one of a location is 1 "
                   "(default: the main loop)")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000));
}

}  // namespace

InspectCommand add_stats_command(CLI::App& app) {
    auto arguments = std::make_shared<StatsArguments>();
    CLI::App* stats = app.add_subcommand(
        "stats", "Count, bytes and time of calls: mean, deviation, extremes, histograms");
    arguments->input.add_options(*stats);
    add_row_options(*stats, arguments);
    add_histogram_options(*stats, arguments);
    add_ranks_option(*stats, arguments->ranks);
    arguments->format.add_options(*stats, true);
    return {stats, [arguments](Console& console, Communicator& comm) {
                return run_stats(*arguments, console, comm);
            }};
}

}  // namespace tracefold
