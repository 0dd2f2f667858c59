// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/profile/profile.hpp"

#include "common/output_format.hpp"
#include "common/select_locations.hpp"
#include "core/csv_table.hpp"
#include "inspect/command.hpp"
#include "inspect/gaps.hpp"
#include "stats/over_threads.hpp"

#include <memory>

#include <fmt/core.h>

namespace tracefold {

namespace {

const OptionWords<ProfileGroups> kGroupWords = {{"none", ProfileGroups::none},
                                                {"node", ProfileGroups::node},
                                                {"rank", ProfileGroups::rank},
                                                {"location", ProfileGroups::location}};

struct ProfileArguments {
    TraceInput input;
    RankList ranks;
    u32 depth = 0;
    NodeOrder order = NodeOrder::round_robin;
    ProfileGroups by = ProfileGroups::none;
    std::string metric;
    std::string output;
    bool force = false;
    bool no_times = false;
    bool advise = false;
    u64 megabytes = 1000;  ///< for each process
    OutputFormat format;
};

std::optional<ProfileMetric> find_metric(std::string_view name) {
    for (std::size_t i = 0; i < kProfileMetrics; ++i) {
        const auto metric = static_cast<ProfileMetric>(i);
        if (metric_name(metric) == name) return metric;
    }
    return std::nullopt;
}

void say_costs(const CallProfile& profile, Console& console) {
    for (std::size_t process = 0; process < profile.costs.size(); ++process) {
        const ProfileCost& cost = profile.costs[process];
        console.detail(
            fmt::format("process {}: {} call paths, {} bytes of values, {} children elsewhere",
                        process, cost.nodes, cost.row_bytes, cost.remote_children));
    }
}

std::vector<bool> selected_locations(const ProfileArguments& arguments, TraceFile& file) {
    return select_locations(arguments.ranks, ParticipantNames(file.definitions()),
                            file.location_count());
}

void advise(const ProfileArguments& arguments, Console& console, Communicator& comm) {
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
    on_first(comm, [&] {
        TraceFile& file = input->file();
        const bool times = !arguments.no_times && file.summary().timing != TimingLevel::none;
        const ProcessAdvice advice = naming_file(arguments.input.path, [&] {
            return advise_processes(file, selected_locations(arguments, file), times,
                                    arguments.megabytes * 1'000'000);
        });
        if (console.json()) {
            write_advice_json(advice, arguments.input.path, console);
        } else {
            print_advice(advice, arguments.input.path, console);
        }
    });
}

ProfileView make_view(const ProfileArguments& arguments, Console& console, Communicator& comm) {
    ProfileView view;
    view.file = arguments.input.path;
    if (arguments.by != ProfileGroups::none) view.by = word_of(kGroupWords, arguments.by);
    if (arguments.depth > 0) view.depth = arguments.depth - 1;
    if (const auto metric = find_metric(arguments.metric)) {
        view.has_metric = true;
        view.metric = *metric;
    }
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
    view.data = naming_file(arguments.input.path, [&] {
        TraceFile& file = input->file();
        ProfileRequest request;
        request.selected = selected_locations(arguments, file);
        view.gaps = recording_gaps(file);
        request.times = !arguments.no_times;
        request.order = arguments.order;
        request.by = arguments.by;
        request.group_depth = view.depth;
        request.cubex = arguments.output;
        request.force = arguments.force;
        return over_threads(comm, file, arguments.input.threads,
                            [&](Communicator& team) { return trace_profile(team, file, request); });
    });
    return view;
}

ExitCode run_profile(const ProfileArguments& arguments, Console& console, Communicator& comm) {
    arguments.format.check(console);
    if (arguments.advise) {
        advise(arguments, console, comm);
        return exit_ok;
    }
    const ProfileView view = make_view(arguments, console, comm);
    if (comm.rank() != 0) return exit_ok;
    say_costs(view.data.profile, console);
    if (console.json()) {
        write_profile_json(view, console);
    } else if (arguments.format.csv) {
        write_profile_csv(view, console.out());
        warn_of_gaps(view.gaps, GapScope::events, console);
    } else if (arguments.output.empty()) {
        print_profile(view, console);
    } else {
        console.summary(fmt::format("{}: {} call paths of {} locations", arguments.output,
                                    view.data.names.size(), view.data.profile.locations));
        warn_of_gaps(view.gaps, GapScope::events, console);
    }
    return exit_ok;
}

void check_metric(const std::string& name) {
    if (find_metric(name)) return;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < kProfileMetrics; ++i) {
        words.emplace_back(metric_name(static_cast<ProfileMetric>(i)));
    }
    throw UnknownWord(name, words);
}

void add_options(CLI::App& app, ProfileArguments& arguments) {
    app.add_option("--depth", arguments.depth, "Show N levels of calls; 0: all")
        ->type_name("N")
        ->capture_default_str();
    app.add_option_function<std::string>(
           "--metric",
           [&arguments](const std::string& name) {
               check_metric(name);
               arguments.metric = name;
           },
           "Print one metric over the locations: visits, time, bytes_sent, bytes_received, or the "
           "last two with _p2p or _coll, bytes_read, bytes_written, samples")
        ->type_name("NAME");
    app.add_flag("--no-times", arguments.no_times, "Leave times out, which need the trace unwound");
    add_choice<ProfileGroups>(app, "--by", arguments.by, kGroupWords,
                              "Values for each of these parts of the system, too");
    add_choice<NodeOrder>(app, "--enumeration", arguments.order,
                          {{"breadth-first", NodeOrder::breadth_first},
                           {"round-robin", NodeOrder::round_robin},
                           {"random", NodeOrder::random},
                           {"deepest-chain", NodeOrder::deepest_chain}},
                          "How call paths are shared out among processes");
    CLI::Option* advise = app.add_flag("--advise", arguments.advise,
                                       "Tell how many processes to start, without computing");
    app.add_option("--memory", arguments.megabytes, "Megabytes that a process may take")
        ->type_name("MB")
        ->check(CLI::Range(u64{1}, u64{1} << 40U))
        ->needs(advise)
        ->capture_default_str();
    add_ranks_option(app, arguments.ranks);
    app.add_option("-o,--output", arguments.output,
                   "File to write for the Cube tools (.cubex), in place of text")
        ->type_name("FILE");
    app.add_flag("-f,--force", arguments.force, "Overwrite the file");
    arguments.format.add_options(app, false);
}

}  // namespace

std::vector<u32> ProfileView::shown() const { return nodes_down_to(data, depth); }

InspectCommand add_profile_command(CLI::App& app) {
    auto arguments = std::make_shared<ProfileArguments>();
    CLI::App* profile = app.add_subcommand(
        "profile", "The call paths: how often, how long, and how much they communicate");
    arguments->input.add_options(*profile);
    arguments->input.add_threads(*profile, "read locations");
    add_options(*profile, *arguments);
    return {profile,
            [arguments](Console& console, Communicator& comm) {
                return run_profile(*arguments, console, comm);
            },
            &arguments->input};
}

void write_profile_csv(const ProfileView& view, std::ostream& out) {
    CsvTable table(out);
    if (view.by.empty()) {
        put_profile(view.data, view.shown(), table);
    } else {
        put_profile_by(view.data, view.shown(), view.by, table);
    }
}

}  // namespace tracefold
