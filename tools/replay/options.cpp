// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/options.hpp"

#include "base/error.hpp"
#include "common/common_options.hpp"
#include "common/text.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace tracefold {

namespace {

constexpr u32 kComparedRepetitions = 5;

/// "5%" as 0.05.
double parse_percentage(const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || std::string_view(stop, end) != "%" || !(value >= 0)) {
        throw CLI::ValidationError("'" + text + "' is not a percentage such as 5%");
    }
    return value / 100;
}

CLI::Option* add_report_options(CLI::App& app, ReplayArguments& arguments) {
    CLI::Option* report =
        app.add_option("--report", arguments.reports,
                       "Write a report to FILE (.json, .csv or .html); may be repeated");
    report->type_name("FILE")->default_str("")->expected(1)->take_all()->check(
        [](const std::string& file) {
            const bool has_form =
                file.ends_with(".json") || file.ends_with(".csv") || file.ends_with(".html");
            return has_form ? "" : "'" + file + "' does not end in .json, .csv or .html";
        });
    arguments.options.detailed_ranks = 32;
    app.add_option("--ranks-per-report", arguments.options.detailed_ranks,
                   "Report the first N and the slowest N ranks individually")
        ->type_name("N")
        ->capture_default_str();
    arguments.options.hosts = true;
    app.add_flag("--hosts,!--no-hosts", arguments.options.hosts,
                 "Name the hosts in reports, the default, or do not");
    app.add_option_function<std::string>(
           "--tolerance",
           [&arguments](const std::string& text) { arguments.tolerance = parse_percentage(text); },
           "Exit with code 3 if the computation of a rank differs by more, as in 5%")
        ->type_name("PERCENT")
        ->needs("--deltas");
    return report;
}

WindowBound parse_bound(const std::string& word) {
    constexpr double kNanoseconds = 1e9;
    const auto wrong = [&word] {
        return Error(ErrorKind::usage, "'" + word +
                                           "' is not a position in a program; give call:N, "
                                           "iteration:N or time:T as in time:1.5s");
    };
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos) throw wrong();
    const std::string unit = word.substr(0, colon);
    const std::string value = word.substr(colon + 1);
    if (unit == "time") {
        return {WindowBound::Unit::time, static_cast<u64>(parse_seconds(value) * kNanoseconds)};
    }
    u64 number = 0;
    const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool whole = code == std::errc() && end == value.data() + value.size();
    if (!whole || (unit != "call" && unit != "iteration")) throw wrong();
    return {unit == "call" ? WindowBound::Unit::call : WindowBound::Unit::iteration, number};
}

/// Compatible only with options that say how the trace is replayed; a kit passes these on.
/// Precondition: all options of replays have been added.
void add_kit_option(CLI::App& app, ReplayArguments& arguments) {
    std::vector<const CLI::Option*> passed;
    CLI::Option* kit =
        app.add_option("--kit", arguments.kit,
                       "Write a kit (tar.gz) from which others build the replayer and replay the "
                       "trace; do not replay")
            ->type_name("FILE")
            ->default_str("");
    for (CLI::Option* option : app.get_options()) {
        const std::string& name = option->get_name();
        if (option == kit || option == app.get_help_ptr() || name == "FILE" ||
            name == "--version" || name == "--drop-unknown") {
            continue;
        }
        const auto own = {"--report",      "--record",  "--check",     "--dry-run",
                          "--fingerprint", "--scratch", "--nodes-file"};
        if (std::ranges::find(own, name) != own.end()) {
            kit->excludes(option);
        } else {
            passed.push_back(option);
        }
    }
    app.parse_complete_callback([passed, &arguments] {
        for (const CLI::Option* option : passed) {
            if (option->count() == 0) continue;
            std::string& text = arguments.study_options;
            text += (text.empty() ? "" : " ") + option->get_name();
            if (option->get_items_expected_max() != 0) {
                for (const std::string& word : option->results()) text += " " + word;
            } else if (option->results().back() == "false") {
                text += "=false";  // --no-hosts
            }
        }
    });
}

/// Compatible only with report options. Precondition: all other options have been added.
void add_compare_option(CLI::App& app, ReplayArguments& arguments, CLI::Option* report) {
    constexpr int kMostReports = 1000;
    CLI::Option* file = app.get_option("FILE")->required(false);
    const std::vector<CLI::Option*> others = app.get_options([&](const CLI::Option* option) {
        return option != report && option != app.get_help_ptr();
    });
    CLI::Option* compare =
        app.add_option("--compare", arguments.compared,
                       "Compare reports (.json) of replays on several machines; do not replay")
            ->type_name("FILE")
            ->default_str("")
            ->expected(2, kMostReports);
    for (CLI::Option* other : others) compare->excludes(other);
    const CLI::Option* const repeat = app.get_option("--repeat");
    const CLI::Option* const warm_up = app.get_option("--warmup");
    app.final_callback([file, compare, repeat, warm_up, &arguments] {
        if (file->count() == 0 && compare->count() == 0) throw CLI::RequiredError("FILE");
        const bool compares = std::ranges::any_of(
            arguments.reports, [](const std::string& name) { return name.ends_with(".json"); });
        if (warm_up->count() == 0 && compares) arguments.options.warm_up = 1;
        if (repeat->count() == 0 && compares) arguments.options.repetitions = kComparedRepetitions;
    });
}

}  // namespace

std::string_view word_of(Deltas deltas) {
    constexpr std::string_view words[] = {"none", "mean", "sample", "exact"};
    return words[static_cast<std::size_t>(deltas)];
}

std::string_view word_of(WildcardChoice wildcards) {
    constexpr std::string_view words[] = {"none", "detected", "all"};
    return words[static_cast<std::size_t>(wildcards)];
}

std::string_view word_of(RankMapping mapping) {
    constexpr std::string_view words[] = {"given", "blocks", "round-robin", "file"};
    return words[static_cast<std::size_t>(mapping)];
}

std::string_view word_of(BufferPlace buffers) {
    constexpr std::string_view words[] = {"host", "cuda", "hip", "managed"};
    return words[static_cast<std::size_t>(buffers)];
}

std::string word_of(const WindowBound& bound) {
    const std::string number = std::to_string(bound.number);
    switch (bound.unit) {
        case WindowBound::Unit::call:
            return "call:" + number;
        case WindowBound::Unit::iteration:
            return "iteration:" + number;
        default:
            return "time:" + number + "ns";
    }
}

void add_options(CLI::App& app, ReplayArguments& arguments) {
    constexpr double kLargestScale = 1e6;
    constexpr unsigned kMostRepetitions = 1'000'000;
    ReplayOptions& options = arguments.options;
    arguments.input.add_options(app);
    add_choice<Deltas>(app, "--deltas", options.deltas,
                       {{"none", Deltas::none},
                        {"mean", Deltas::mean},
                        {"sample", Deltas::sample},
                        {"exact", Deltas::exact}},
                       "Computation between calls: none, the mean time between two such calls, a "
                       "sample of these times, or the recorded time");
    app.add_option("--seed", options.seed, "Random seed of --deltas sample")
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--compute-scale", options.compute_scale, "Factor for computation times")
        ->type_name("X")
        ->check(CLI::Range(0.0, kLargestScale))
        ->capture_default_str();
    app.add_flag("--sleep", options.sleep,
                 "Sleep during computation instead of keeping the core busy");
    app.add_option("--bytes-scale", options.bytes_scale, "Factor for message sizes")
        ->type_name("X")
        ->check(CLI::Range(0.0, kLargestScale))
        ->capture_default_str();
    app.add_option("--repeat", options.repetitions,
                   "Number of measured replays; the default is 5 with a report in JSON, else 1")
        ->type_name("N")
        ->check(CLI::Range(1U, kMostRepetitions));
    app.add_option("--warmup", options.warm_up,
                   "Number of unmeasured replays before these; the default is 1 with a report in "
                   "JSON, else 0")
        ->type_name("N")
        ->check(CLI::Range(0U, kMostRepetitions));
    app.add_option_function<std::string>(
           "--timeout",
           [&options](const std::string& text) { options.timeout = parse_seconds(text); },
           "Abort with a report if a rank stays in one call for longer, as in 30s")
        ->type_name("TIME");
    app.add_option_function<std::string>(
           "--time-limit",
           [&options](const std::string& text) { options.time_limit = parse_seconds(text); },
           "Begin no repetition that might end later, and end with an error at this time, as in "
           "10m")
        ->type_name("TIME");
    CLI::Option* const mapping = add_choice<RankMapping>(
        app, "--rank-mapping", arguments.mapping,
        {{"given", RankMapping::given},
         {"blocks", RankMapping::blocks},
         {"round-robin", RankMapping::round_robin}},
        "Process of each rank: as started, node after node, or one rank per node in turn");
    app.add_option_function<std::string>(
           "--nodes-file",
           [&arguments](const std::string& name) {
               arguments.nodes_file = name;
               arguments.mapping = RankMapping::file;
           },
           "File with the node of each rank, one a line, named as in reports")
        ->type_name("FILE")
        ->excludes(mapping);
    add_choice<BufferPlace>(app, "--buffers", options.buffers,
                            {{"host", BufferPlace::host},
                             {"cuda", BufferPlace::cuda},
                             {"hip", BufferPlace::hip},
                             {"managed", BufferPlace::managed}},
                            "Memory of messages: of the host, of a device, or shared by both");
    app.add_option("--scratch", options.scratch,
                   "Existing directory for the files that the program writes and reads")
        ->type_name("DIR");
    add_choice<WildcardChoice>(app, "--wildcards", options.wildcards,
                               {{"none", WildcardChoice::none},
                                {"detected", WildcardChoice::detected},
                                {"all", WildcardChoice::all}},
                               "Receives to replay with MPI_ANY_SOURCE");
    app.add_option("--neighbour-bytes", options.neighbour_bytes,
                   "Bytes per neighbour of neighbourhood collectives, which traces do not record")
        ->type_name("N");
    const auto add_bound = [&app](const char* name, std::optional<WindowBound>& bound,
                                  const char* text) {
        app.add_option_function<std::string>(
               name, [&bound](const std::string& word) { bound = parse_bound(word); }, text)
            ->type_name("BOUND");
    };
    add_bound(
        "--from", options.window.from,
        "Replay from here: call:N, time:T (as in time:1.5s) or iteration:N, a step of the program");
    add_bound("--to", options.window.to, "Replay up to here, this call or iteration excluded");
    app.add_flag(
        "--verify", options.verify,
        "Compare every call, as MPI sees it, with the trace; exit with code 3 if any differs");
    add_unsupported_option(app, options.skip_unsupported);
    app.add_flag("--allow-left-out", arguments.allow_left_out,
                 "Recorded calls that are not issued do not fail the replay");
    CLI::Option* report = add_report_options(app, arguments);
    CLI::Option* record = app.add_option("--record", options.record,
                                         "Write the replay, with its times, as a folded trace")
                              ->type_name("FILE");
    CLI::Option* check = app.add_flag("--check", arguments.check,
                                      "Check on one process whether the trace can be replayed")
                             ->excludes(report)
                             ->excludes(record);
    app.add_flag("--dry-run", arguments.dry_run, "Count the calls on one process; do not replay")
        ->excludes(check)
        ->excludes(report)
        ->excludes(record);
    app.add_flag("--fingerprint", arguments.fingerprint,
                 "Print the fingerprint that a verified replay has, from the file alone")
        ->excludes(check)
        ->excludes(report)
        ->excludes(record);
    add_kit_option(app, arguments);
    add_compare_option(app, arguments, report);
}

}  // namespace tracefold
