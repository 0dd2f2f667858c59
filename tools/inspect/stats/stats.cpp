// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/stats/stats.hpp"

#include "base/csv_table.hpp"
#include "common/losses.hpp"
#include "common/output_format.hpp"
#include "common/part_options.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"
#include "questions/stats/row_tree.hpp"
#include "questions/stats/statistics_table.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/core.h>

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

/// Each thread has its own copy of the filter's cache.
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

/// Streams have their own statistics if the whole trace is shown.
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
    // Only times and iterations justify unwinding all calls.
    request.iterations = keeps_every_time(file.summary().timing) ||
                         arguments.options.over == SampleScope::iterations ||
                         arguments.options.loop != 0;
    request.count_iterations = console.json();
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
        for (const std::string& text : overflow_sentences(statistics)) console.warning(text);
    } else {
        print_statistics(statistics, view, console);
    }
}

DistributionRequest distribution_request(const StatsArguments& arguments, const TraceFile& file) {
    DistributionRequest request = arguments.options.request(file);
    request.samples = sample_request(arguments, file);
    request.samples.rows.together = joined(arguments.histogram);
    if (arguments.over_time) {
        request.over = SampleScope::iterations;
        request.columns = kMostIntervals;
    }
    request.samples.iterations = request.over == SampleScope::iterations;
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
    if (!histogram && arguments.over_time) refuse("--over-time needs --histogram");
    if (!histogram && arguments.format.svg) refuse("--svg needs --histogram");
    if (histogram && arguments.by != By::call) refuse("--histogram excludes --by");
    if (arguments.over_time && arguments.options.over_given &&
        arguments.options.over != SampleScope::iterations) {
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
                   "Rows of the table: functions, functions by call path, or outermost loops");
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

namespace {

constexpr SampleScope kAllScopes[] = {SampleScope::calls, SampleScope::ranks,
                                      SampleScope::iterations};
constexpr Quantity kAllQuantities[] = {
    Quantity::calls, Quantity::time,    Quantity::sent,         Quantity::received,
    Quantity::read,  Quantity::written, Quantity::self_samples, Quantity::total_samples};

/// Calls use(row, scope, quantity) for figures that are not available: a location has a value
/// beyond 64 bits.
void each_overflow(const Statistics& statistics, const auto& use) {
    for (const Statistics::Row& row : statistics.rows) {
        for (const SampleScope over : kAllScopes) {
            for (const Quantity quantity : kAllQuantities) {
                if (row.figures.of(over, quantity).overflows()) use(row, over, quantity);
            }
        }
    }
}

void write_overflows(const Statistics& statistics, JsonWriter& json) {
    bool is_first = true;
    each_overflow(statistics, [&](const Statistics::Row& row, SampleScope over, Quantity quantity) {
        if (std::exchange(is_first, false)) json.key("overflows").begin_array();
        json.begin_object();
        write_list("path", row.path, json)
            .member("over", scope_name(over))
            .member("metric", quantity_name(quantity))
            .member("location", row.overflows_at)
            .end_object();
    });
    if (!is_first) json.end_array();
}

void write_row(const Statistics::Row& row, TickRate rate, JsonWriter& json) {
    json.begin_object();
    write_list("path", row.path, json).member("mpi", row.mpi).member("calls", row.figures.calls());
    json.member("locations", row.figures.ranks());
    json.key("figures").begin_array();
    for (const SampleScope over : kAllScopes) {
        for (const Quantity quantity : kAllQuantities) {
            const Moments& moments = row.figures.of(over, quantity);
            if (moments.empty()) continue;
            json.begin_object()
                .member("over", scope_name(over))
                .member("metric", quantity_name(quantity));
            write_moments(moments, quantity, rate, json);
            json.end_object();
        }
    }
    json.end_array();
    if (row.durations.count() != 0) {
        json.key("durations").begin_object();
        json.member("count", row.durations.count())
            .member("sum", rate.seconds(row.durations.sum()))
            .member("min", rate.seconds(row.durations.min()))
            .member("max", rate.seconds(row.durations.max()));
        write_log_bins(row.durations, rate, json);
        json.end_object();
    }
    json.end_object();
}

}  // namespace

std::vector<std::string> overflow_sentences(const Statistics& statistics) {
    std::vector<std::string> sentences;
    each_overflow(statistics, [&](const Statistics::Row& row, SampleScope over, Quantity quantity) {
        sentences.push_back(fmt::format(
            "overflow: bytes {} of {} over {} need more than 64 bits, first at location {}",
            quantity_name(quantity), printable(row.name()), scope_name(over),
            printable(row.overflows_at)));
    });
    return sentences;
}

void write_statistics_csv(const Statistics& statistics, std::ostream& out) {
    CsvTable table(out);
    put_statistics(statistics, table);
}

void write_moments(const Moments& moments, Quantity quantity, TickRate rate, JsonWriter& json) {
    const auto unit = [&](double value) {
        return quantity == Quantity::time ? rate.seconds(value) : value;
    };
    const auto whole = [&](std::string_view name, u64 value) {
        if (value == kOverflow) {
            json.key(name).null();
        } else if (quantity == Quantity::time) {
            json.member(name, rate.seconds(value));
        } else {
            json.member(name, value);
        }
    };
    json.member("count", moments.count());
    if (const std::optional<u64> sum = moments.total()) {
        whole("sum", *sum);
    } else {
        json.member("sum", unit(moments.real_sum()));
    }
    json.member("mean", unit(moments.mean())).member("deviation", unit(moments.deviation()));
    whole("min", moments.min());
    whole("max", moments.max());
}

void write_log_bins(const LogHistogram& durations, TickRate rate, JsonWriter& json) {
    json.key("bins").begin_array();
    for (u32 bucket = 0; bucket < durations.buckets().size(); ++bucket) {
        if (durations.buckets()[bucket] == 0) continue;
        const u64 first = log_bucket_start(bucket);
        const u64 last = first + (log_bucket_width(bucket) - 1);
        json.begin_object()
            .member("from", rate.seconds(first))
            .member("to", rate.seconds(last))
            .member("count", durations.buckets()[bucket])
            .end_object();
    }
    json.end_array();
}

void write_statistics_json(const Statistics& statistics, const StatisticsView& view,
                           Console& console) {
    JsonWriter json = begin_document(console, "stats");
    json.member("file", view.file)
        .member("by", view.by)
        .member("timing", timing_name(statistics.timing))
        .member("locations", statistics.locations)
        .member("iterations", statistics.iterations)
        .member("backwards", statistics.backwards);
    if (statistics.unknown_sizes != 0) json.member("unknown_sizes", statistics.unknown_sizes);
    add_gaps(json, view.gaps, GapScope::events);
    write_nesting(statistics.nesting, json);
    write_sample_origins(statistics.samples, json);
    write_overflows(statistics, json);
    json.key("rows").begin_array();
    for (const Statistics::Row& row : statistics.rows) {
        write_row(row, statistics.rate, json);
    }
    json.end_array();
    if (view.accelerators) write_streams(*view.accelerators, json);
    json.end_object();
}

namespace {

std::string total_text(const Statistics& statistics, const Statistics::Row& row,
                       Quantity quantity) {
    const Moments& moments = row.figures.of(SampleScope::calls, quantity);
    if (!moments.empty()) {
        return quantity_text(quantity, moments.real_sum(), statistics.rate);
    }
    if (quantity == Quantity::time && row.durations.count() != 0) {
        return quantity_text(quantity, static_cast<double>(row.durations.sum()), statistics.rate);
    }
    return "-";
}

/// Count, mean, deviation, minimum and maximum.
std::vector<std::string> detail_texts(const Statistics& statistics, const Statistics::Row& row,
                                      const StatisticsView& view) {
    const Moments& moments = row.figures.of(view.over, view.quantity);
    const auto text = [&](double value) {
        return quantity_text(view.quantity, value, statistics.rate);
    };
    const auto whole = [&](u64 value) {
        return value == kOverflow ? std::string(kOverflowText) : text(static_cast<double>(value));
    };
    if (!moments.empty()) {
        return {format_count(moments.count()), text(moments.mean()), text(moments.deviation()),
                whole(moments.min()), whole(moments.max())};
    }
    const LogHistogram& kept = row.durations;
    if (view.quantity == Quantity::time && view.over == SampleScope::calls && kept.count() != 0) {
        const double mean = static_cast<double>(kept.sum()) / static_cast<double>(kept.count());
        return {format_count(kept.count()), text(mean), "-", whole(kept.min()), whole(kept.max())};
    }
    return {"-", "-", "-", "-", "-"};
}

/// Indents paths by depth.
std::string label(const Statistics::Row& row, std::string_view by) {
    if (by != "path") return printable(row.name());
    return std::string(2 * (row.path.size() - 1), ' ') + printable(row.name());
}

bool has_files(const Statistics& statistics) {
    return std::any_of(statistics.rows.begin(), statistics.rows.end(),
                       [](const Statistics::Row& row) {
                           return !row.figures.of(SampleScope::calls, Quantity::read).empty() ||
                                  !row.figures.of(SampleScope::calls, Quantity::written).empty();
                       });
}

bool has_samples(const Statistics& statistics) {
    return std::ranges::any_of(
        statistics.rows, [](const Statistics::Row& row) { return row.figures.samples() != 0; });
}

std::vector<Table::Column> columns_of(std::string_view by, bool files, bool samples) {
    std::vector<Table::Column> columns = {{std::string(by)},   {"locations", kRight, 5},
                                          {"calls", kRight},   {"time", kRight},
                                          {"sent", kRight, 3}, {"received", kRight, 3}};
    if (files) columns.insert(columns.end(), {{"read", kRight, 3}, {"written", kRight, 3}});
    // Call stack samples.
    if (samples) columns.insert(columns.end(), {{"self", kRight}, {"total", kRight}});
    columns.insert(columns.end(), {{"samples", kRight, 6},
                                   {"mean", kRight},
                                   {"deviation", kRight, 4},
                                   {"min", kRight, 2},
                                   {"max", kRight}});
    return columns;
}

void print_notes(const Statistics& statistics, const StatisticsView& view, Console& console) {
    if (view.over == SampleScope::iterations && !statistics.has_iterations) {
        console.text() << "  no iterations\n";
    }
    switch (statistics.timing) {
        case TimingLevel::none:
            console.text() << "  the file keeps no times\n";
            break;
        case TimingLevel::histogram:
            console.text() << "  the file keeps durations over all ranks only: no deviation, no "
                              "statistics over ranks, iterations or paths\n";
            break;
        case TimingLevel::exact:
        case TimingLevel::quantized:
            break;
    }
    for (const std::string& text : overflow_sentences(statistics)) {
        console.text() << "  " << text << '\n';
    }
    if (statistics.unknown_sizes != 0) {
        console.text() << "  " << format_count(statistics.unknown_sizes)
                       << " reads and writes of unrecorded size are not included in bytes\n";
    }
    if (statistics.backwards != 0) {
        console.text() << "  " << format_count(statistics.backwards)
                       << " calls have no time: their clock ran backwards\n";
    }
    print_nesting(statistics.nesting, console);
    print_sample_origins(statistics.samples, console);
    print_gaps(view.gaps, GapScope::events, console);
}

}  // namespace

std::string quantity_text(Quantity quantity, double value, TickRate rate) {
    if (std::isnan(value)) return std::string(kOverflowText);
    if (quantity == Quantity::time) return format_time(rate.seconds(value));
    const bool counts = quantity == Quantity::calls || quantity == Quantity::self_samples ||
                        quantity == Quantity::total_samples;
    return counts ? format_count(rounded(value)) : format_bytes(value);
}

void print_statistics(const Statistics& statistics, const StatisticsView& view, Console& console) {
    console.text() << console.paint(Style::bold, view.file) << "  by " << view.by << ", "
                   << quantity_name(view.quantity) << " over " << scope_name(view.over) << '\n';
    print_notes(statistics, view, console);
    if (statistics.rows.empty()) {
        console.text() << "  no calls\n";
        return;
    }
    const bool files = has_files(statistics);
    const bool samples = has_samples(statistics);
    if (samples) {
        console.text()
            << "  self, total: samples of the call stack in the region itself, and with it "
               "anywhere on the stack\n";
    }
    Table table(columns_of(view.by, files, samples));
    for (const Statistics::Row& row : statistics.rows) {
        std::vector<std::string> cells = {label(row, view.by),
                                          format_count(row.figures.ranks()),
                                          format_count(row.figures.calls()),
                                          total_text(statistics, row, Quantity::time),
                                          total_text(statistics, row, Quantity::sent),
                                          total_text(statistics, row, Quantity::received)};
        if (files) {
            cells.push_back(total_text(statistics, row, Quantity::read));
            cells.push_back(total_text(statistics, row, Quantity::written));
        }
        if (samples) {
            cells.push_back(total_text(statistics, row, Quantity::self_samples));
            cells.push_back(total_text(statistics, row, Quantity::total_samples));
        }
        for (std::string& text : detail_texts(statistics, row, view)) {
            cells.push_back(std::move(text));
        }
        table.add_row(cells);
    }
    table.print(console, 2);
    if (view.accelerators) print_streams(*view.accelerators, console);
}

}  // namespace tracefold
