// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/profile/profile.hpp"

#include "base/csv_table.hpp"
#include "common/losses.hpp"
#include "common/output_format.hpp"
#include "common/part_options.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"
#include "questions/stats/row_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include <fmt/core.h>

namespace tracefold {

namespace {

const OptionWords<ProfileGroups> kGroupWords = {{"none", ProfileGroups::none},
                                                {"node", ProfileGroups::node},
                                                {"rank", ProfileGroups::rank},
                                                {"location", ProfileGroups::location}};

const OptionWords<CubeOperation> kOperationWords = {{"diff", CubeOperation::diff},
                                                    {"mean", CubeOperation::mean},
                                                    {"merge", CubeOperation::merge},
                                                    {"max", CubeOperation::max}};

bool is_cubex(const std::string& path) { return path.ends_with(".cubex"); }

struct ProfileArguments {
    TraceInput input;
    RankList ranks;
    u32 depth = 0;
    NodeOrder order = NodeOrder::round_robin;
    ProfileGroups by = ProfileGroups::none;
    std::string metric;
    std::vector<std::string> more;  ///< further profiles
    std::optional<CubeOperation> operation;
    std::string output;
    bool force = false;
    bool no_times = false;
    bool advise = false;
    u64 megabytes = 1000;  ///< per process
    OutputFormat format;

    /// Works with profiles of Cube.
    [[nodiscard]] bool takes_cubes() const { return operation.has_value() || is_cubex(input.path); }
};

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

/// Beside formats without remarks.
void warn(const ProfileView& view, Console& console) {
    warn_of_gaps(view.gaps, GapScope::events, console);
    for (const std::string& text : overflow_sentences(view.data)) console.warning(text);
}

/// The profile of a file: of Cube's, or of a trace, through a temporary file of Cube's. `view`:
/// that of the trace. Complete on process 0 only.
CubeProfile cube_of(ProfileArguments arguments, const std::string& path, ProfileView& view,
                    Console& console, Communicator& comm) {
    CubeProfile profile;
    if (is_cubex(path)) {
        on_first(comm, [&] { profile = read_cubex(path); });
        return profile;
    }
    const ScratchFolder scratch(comm, scratch_directory());
    arguments.input.path = path;
    arguments.output = (scratch.path() / "profile.cubex").string();
    view = make_view(arguments, console, comm);
    on_first(comm, [&] { profile = read_cubex(arguments.output); });
    return profile;
}

/// A view of a profile of Cube, or of several profiles.
ProfileView make_cube_view(const ProfileArguments& arguments, Console& console,
                           Communicator& comm) {
    ProfileView view;
    std::vector<CubeProfile> profiles;
    profiles.push_back(cube_of(arguments, arguments.input.path, view, console, comm));
    for (const std::string& path : arguments.more) {
        ProfileView other;
        profiles.push_back(cube_of(arguments, path, other, console, comm));
    }
    on_first(comm, [&] {
        for (std::size_t i = 0; i < profiles.size(); ++i) {
            const std::string& path = i == 0 ? arguments.input.path : arguments.more[i - 1];
            for (const std::string& text : remove_unsupported(profiles[i])) {
                // Those of a trace are means of metrics whose sums are there.
                if (is_cubex(path)) console.warning(path + ": " + text);
            }
        }
        CubeProfile profile = arguments.operation ? combine(profiles, *arguments.operation)
                                                  : std::move(profiles.front());
        if (!arguments.output.empty()) write_cubex(profile, arguments.output, arguments.force);
        CubeTableRequest request;
        if (!arguments.ranks.selects_all()) {
            request.selects = [&](u64 rank) { return arguments.ranks.contains(rank); };
        }
        request.by = arguments.by;
        if (arguments.depth > 0) request.group_depth = arguments.depth - 1;
        view.data = cube_table(profile, request);
        view.file = arguments.input.path;
        for (const std::string& path : arguments.more) view.file += " " + path;
        if (arguments.operation) {
            view.file = word_of(kOperationWords, *arguments.operation) + " of " + view.file;
        }
        if (arguments.by != ProfileGroups::none) view.by = word_of(kGroupWords, arguments.by);
        view.depth = request.group_depth;
    });
    return view;
}

/// Usage errors that need the whole command line.
void check_inputs(const ProfileArguments& arguments) {
    const auto refuse = [](const char* what) { throw Error(ErrorKind::usage, what); };
    std::vector<std::string> all = arguments.more;
    all.push_back(arguments.input.path);
    const std::size_t cubes = static_cast<std::size_t>(std::ranges::count_if(all, is_cubex));
    if (!arguments.operation && all.size() > 1) refuse("several profiles need --op");
    if (arguments.operation && all.size() < 2) refuse("--op needs several profiles");
    if (arguments.operation == CubeOperation::diff && all.size() != 2) {
        refuse("--op diff is the difference of two profiles");
    }
    if (cubes == all.size() && (arguments.no_times || arguments.advise)) {
        refuse("--no-times and --advise are for traces, not for profiles of Cube");
    }
    if (arguments.advise && arguments.operation) refuse("--advise is for one trace, without --op");
}

/// The number of the metric of --metric, if the profile can have it.
void choose_metric(const std::string& name, ProfileView& view) {
    if (name.empty()) return;
    const std::optional<u32> number = view.data.find_metric(name);
    if (!number) {
        std::string known;
        for (const ProfileColumn& column : view.data.columns) known += " " + column.name;
        throw Error(ErrorKind::usage, "the profile has no metric {}; it has{}", name, known);
    }
    view.has_metric = true;
    view.metric = *number;
}

void check_metric(const std::string& name) {
    if (name.empty() || TraceProfile().find_metric(name)) return;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < kProfileMetrics; ++i) {
        words.emplace_back(metric_name(static_cast<ProfileMetric>(i)));
    }
    throw UnknownWord(name, words);
}

ExitCode run_profile(const ProfileArguments& arguments, Console& console, Communicator& comm) {
    arguments.format.check(console);
    check_inputs(arguments);
    if (arguments.advise) {
        advise(arguments, console, comm);
        return exit_ok;
    }
    const bool cube = arguments.takes_cubes();
    if (!cube) check_metric(arguments.metric);
    ProfileView view =
        cube ? make_cube_view(arguments, console, comm) : make_view(arguments, console, comm);
    if (comm.rank() != 0) return exit_ok;
    choose_metric(arguments.metric, view);
    say_costs(view.data.profile, console);
    if (console.json()) {
        write_profile_json(view, console);
    } else if (arguments.format.csv) {
        write_profile_csv(view, console.out());
        warn(view, console);
    } else if (arguments.output.empty()) {
        print_profile(view, console);
    } else {
        console.summary(fmt::format("{}: {} of {}", arguments.output,
                                    format_counted(view.data.names.size(), "call path"),
                                    format_counted(view.data.profile.locations, "location")));
        warn(view, console);
    }
    return exit_ok;
}

void add_options(CLI::App& app, ProfileArguments& arguments) {
    app.add_option("--depth", arguments.depth, "Show N levels of calls; 0: all")
        ->type_name("N")
        ->capture_default_str();
    app.add_option_function<std::string>(
           "--metric", [&arguments](const std::string& name) { arguments.metric = name; },
           "Print one metric over the locations: visits, time, bytes_sent, bytes_received, or the "
           "last two with _p2p or _coll, bytes_read, bytes_written, samples; a metric of Cube")
        ->type_name("NAME");
    app.add_option("PROFILE", arguments.more, "Further traces or profiles of Cube, for --op")
        ->type_name("");
    app.add_option_function<std::string>(
           "--op",
           [&arguments](const std::string& word) {
               arguments.operation = chosen(kOperationWords, word);
           },
           "Combine profiles: diff, mean, merge, max")
        ->type_name("OPERATION");
    app.add_flag("--no-times", arguments.no_times,
                 "Leave out times, which require unfolding the trace");
    add_choice<ProfileGroups>(app, "--by", arguments.by, kGroupWords,
                              "Also show values for each of these parts of the system");
    add_choice<NodeOrder>(app, "--enumeration", arguments.order,
                          {{"breadth-first", NodeOrder::breadth_first},
                           {"round-robin", NodeOrder::round_robin},
                           {"random", NodeOrder::random},
                           {"deepest-chain", NodeOrder::deepest_chain}},
                          "Distribution of call paths over processes");
    CLI::Option* advise = app.add_flag("--advise", arguments.advise,
                                       "Recommend a number of processes; compute nothing");
    app.add_option("--memory", arguments.megabytes, "Memory limit of a process in megabytes")
        ->type_name("MB")
        ->check(CLI::Range(u64{1}, u64{1} << 40U))
        ->needs(advise)
        ->capture_default_str();
    add_ranks_option(app, arguments.ranks);
    app.add_option("-o,--output", arguments.output,
                   "Write a file for the Cube tools (.cubex) instead of text")
        ->type_name("FILE");
    app.add_flag("-f,--force", arguments.force, "Overwrite the file");
    arguments.format.add_options(app, false);
}

}  // namespace

std::vector<u32> ProfileView::shown() const { return nodes_down_to(data, depth); }

InspectCommand add_profile_command(CLI::App& app) {
    auto arguments = std::make_shared<ProfileArguments>();
    CLI::App* profile =
        app.add_subcommand("profile", "Visits, time and communication of every call path");
    arguments->input.add_options(*profile);
    arguments->input.add_threads(*profile, "read locations");
    add_options(*profile, *arguments);
    return {profile,
            [arguments](Console& console, Communicator& comm) {
                return run_profile(*arguments, console, comm);
            },
            &arguments->input};
}

std::vector<std::string> overflow_sentences(const TraceProfile& profile) {
    std::map<ProfileMetric, std::vector<const TraceProfile::Overflow*>> by_metric;
    for (const TraceProfile::Overflow& it : profile.overflows) by_metric[it.metric].push_back(&it);
    std::vector<std::string> sentences;
    for (const auto& [metric, all] : by_metric) {
        std::string& text = sentences.emplace_back(fmt::format(
            "overflow: {} of location {} need more than 64 bits in {}", metric_name(metric),
            printable(all.front()->label), printable(profile.path(all.front()->node))));
        if (all.size() == 1) continue;
        text += fmt::format(", as do {} other sums of a location in a call path",
                            format_count(all.size() - 1));
    }
    return sentences;
}

void write_profile_csv(const ProfileView& view, std::ostream& out) {
    CsvTable table(out);
    if (view.by.empty()) {
        put_profile(view.data, view.shown(), table);
    } else {
        put_profile_by(view.data, view.shown(), view.by, table);
    }
}

namespace {

class JsonPrinter {
  public:
    JsonPrinter(const ProfileView& view, JsonWriter& json)
        : profile_(view.data), by_group_(!view.by.empty()), json_(json) {}

    void add(u32 node) {
        const CallTree::Node& it = profile_.profile.tree[node];
        json_.begin_object().member("node", node);
        if (it.parent != kNone) json_.member("parent", it.parent);
        json_.member("depth", it.depth)
            .member("call", profile_.names[node])
            .member("mpi", static_cast<bool>(profile_.is_mpi[node]))
            .key("metrics")
            .begin_array();
        for (const u32 metric : profile_.metrics(node)) add(node, metric);
        json_.end_array().end_object();
    }

  private:
    void add(u32 node, u32 metric) {
        json_.begin_object().member("metric", profile_.name_of(metric));
        side("inclusive", figures(profile_, node, metric, true));
        side("exclusive", figures(profile_, node, metric, false));
        groups("inclusive_groups", node, metric, true);
        groups("exclusive_groups", node, metric, false);
        json_.end_object();
    }

    void side(std::string_view name, const MetricFigures& f) {
        json_.key(name).begin_object();
        json_.member("sum", f.sum).member("min", f.min).member("max", f.max);
        json_.member("mean", f.mean).member("std", f.deviation).end_object();
    }

    void groups(std::string_view name, u32 node, u32 number, bool inclusive) {
        const auto metric = static_cast<ProfileMetric>(number);
        const bool is_column = profile_.column(number) != nullptr;
        const std::span<const u64> counts =
            is_column ? std::span<const u64>() : groups_of(profile_, node, metric, inclusive);
        if (!by_group_ || (counts.empty() && !is_column)) return;
        json_.key(name).begin_array();
        for (std::size_t group = 0; group < profile_.groups.size(); ++group) {
            const double value = group_value(profile_, node, number, inclusive, group);
            if (std::isnan(value)) {
                json_.null();
            } else if (is_column || metric == ProfileMetric::time) {
                json_.value(value);
            } else {
                json_.value(counts[group]);
            }
        }
        json_.end_array();
    }

    const TraceProfile& profile_;
    bool by_group_;
    JsonWriter& json_;
};

}  // namespace

void write_profile_json(const ProfileView& view, Console& console) {
    JsonWriter json = begin_document(console, "profile");
    json.member("file", view.file)
        .member("locations", view.data.profile.locations)
        .member("times", view.data.has_times);
    add_gaps(json, view.gaps, GapScope::events);
    write_nesting(view.data.nesting, json);
    write_sample_origins(view.data.samples, json);
    if (!view.data.overflows.empty()) {
        write_objects("overflows", view.data.overflows, json,
                      [&](const TraceProfile::Overflow& it) {
                          json.member("metric", metric_name(it.metric))
                              .member("location", it.label)
                              .member("node", it.node);
                      });
    }
    if (!view.by.empty()) {
        json.member("by", view.by);
        write_list("groups", view.data.groups, json);
    }
    json.key("nodes").begin_array();
    JsonPrinter printer(view, json);
    for (const u32 node : view.shown()) printer.add(node);
    json.end_array().end_object();
}

namespace {

constexpr std::size_t kBarWidth = 10;
constexpr std::string_view kNoUnit;
constexpr u32 kMostIndented = 100;  ///< levels; deeper ones show their number instead

std::string bar(double share) {
    if (std::isnan(share)) return {};
    const double length = std::round(std::clamp(share, 0.0, 1.0) * kBarWidth);
    return std::string(static_cast<std::size_t>(length), '#');
}

std::string value_text(std::string_view unit, double value) {
    if (std::isnan(value)) return unit == kNoUnit ? "-" : std::string(kOverflowText);
    const std::string sign = value < 0 ? "-" : "";
    value = std::abs(value);
    if (unit == "sec") return sign + format_time(value);
    if (unit == "bytes") return sign + format_bytes(value);
    if (unit == "occ") return sign + format_count(rounded(value));
    return sign + (value < 1 && value > 0 ? fmt::format("{:.3g}", value) : format_ratio(value));
}

/// The unit of a metric in Cube's words.
std::string unit_of(const TraceProfile& profile, u32 number) {
    if (const ProfileColumn* const column = profile.column(number)) return column->unit;
    const auto metric = static_cast<ProfileMetric>(number);
    if (metric == ProfileMetric::time) return "sec";
    const bool counts = metric == ProfileMetric::visits || metric == ProfileMetric::samples;
    return counts ? "occ" : "bytes";
}

class ProfilePrinter {
  public:
    ProfilePrinter(const ProfileView& view, Console& console)
        : view_(view),
          profile_(view.data),
          tree_(profile_.profile.tree),
          console_(console),
          has_files_(has("bytes_read") || has("bytes_written")),
          has_samples_(has("samples")),
          main_(view.has_metric ? view.metric : main_metric()),
          unit_(unit_of(profile_, main_)) {
        for (u32 node = 0; node < tree_.size(); ++node) {
            if (tree_[node].depth == 0) total_ += figures(profile_, node, main_, true).sum;
        }
    }

    void run() {
        console_.text() << console_.paint(Style::bold, view_.file) << "  " << tree_.size()
                        << " call paths of " << profile_.profile.locations << " locations\n";
        print_nesting(profile_.nesting, console_);
        print_sample_origins(profile_.samples, console_);
        print_gaps(view_.gaps, GapScope::events, console_);
        for (const std::string& text : overflow_sentences(profile_)) {
            console_.text() << "  " << text << '\n';
        }
        if (tree_.size() != 0) print_table();
    }

  private:
    void print_table() {
        Table table = view_.has_metric ? one_metric() : overview();
        for (const u32 node : view_.shown()) {
            table.add_row(view_.has_metric ? metric_row(node) : overview_row(node));
            if (view_.by.empty()) continue;
            for (std::size_t group = 0; group < profile_.groups.size(); ++group) {
                table.add_row(group_row(node, group));
            }
        }
        table.print(console_, 2);
    }

    /// A profile of Cube may lack all of these.
    [[nodiscard]] u32 main_metric() const {
        if (profile_.has_times) return *profile_.find_metric("time");
        return *profile_.find_metric(has_samples_ && !has("visits") ? "samples" : "visits");
    }

    [[nodiscard]] double sum(u32 node, std::string_view metric) const {
        return figures(profile_, node, *profile_.find_metric(metric), false).sum;
    }

    [[nodiscard]] bool has(std::string_view metric) const {
        for (u32 node = 0; node < tree_.size(); ++node) {
            if (sum(node, metric) != 0) return true;
        }
        return false;
    }

    [[nodiscard]] std::string text_of(double value) const { return value_text(unit_, value); }
    /// Blank if it is zero.
    [[nodiscard]] std::string sum_text(u32 node, std::string_view metric,
                                       std::string_view unit) const {
        const double value = sum(node, metric);
        return value == 0 ? std::string() : value_text(unit, value);
    }

    [[nodiscard]] Table overview() const {
        std::vector<Table::Column> columns = {{"inclusive", kRight},       {"share", kRight},
                                              {"", Table::Align::left, 5}, {"exclusive", kRight},
                                              {"max/mean", kRight, 2},     {"visits", kRight, 1},
                                              {"sent", kRight, 4},         {"received", kRight, 4}};
        if (has_files_)
            columns.insert(columns.end(), {{"read", kRight, 4}, {"written", kRight, 4}});
        if (has_samples_) columns.push_back({"samples", kRight, 3});
        columns.push_back({"call path"});
        return Table(std::move(columns));
    }

    [[nodiscard]] Table one_metric() const {
        return Table({{"inclusive", kRight},
                      {"share", kRight},
                      {"", Table::Align::left, 5},
                      {"exclusive", kRight},
                      {"min", kRight, 2},
                      {"mean", kRight, 1},
                      {"max", kRight},
                      {"std", kRight, 3},
                      {"call path"}});
    }

    [[nodiscard]] std::string tree_name(u32 node, const std::string& name) const {
        const u32 depth = tree_[node].depth;
        std::string text(std::size_t{2} * std::min(depth, kMostIndented), ' ');
        if (depth > kMostIndented) text += fmt::format("[{}] ", depth);
        return text += printable(name);
    }

    [[nodiscard]] double share(double value) const { return total_ == 0 ? 0 : value / total_; }

    [[nodiscard]] std::vector<std::string> overview_row(u32 node) const {
        const MetricFigures inclusive = figures(profile_, node, main_, true);
        const MetricFigures exclusive = figures(profile_, node, main_, false);
        const double imbalance = inclusive.mean == 0 ? 0 : inclusive.max / inclusive.mean;
        std::vector<std::string> row = {text_of(inclusive.sum),
                                        format_percent(share(inclusive.sum)),
                                        bar(share(inclusive.sum)),
                                        text_of(exclusive.sum),
                                        fmt::format("{:.2f}", imbalance),
                                        value_text("occ", sum(node, "visits")),
                                        sum_text(node, "bytes_sent", "bytes"),
                                        sum_text(node, "bytes_received", "bytes")};
        if (has_files_) {
            row.push_back(sum_text(node, "bytes_read", "bytes"));
            row.push_back(sum_text(node, "bytes_written", "bytes"));
        }
        if (has_samples_) row.push_back(sum_text(node, "samples", "occ"));
        row.push_back(tree_name(node, profile_.names[node]));
        return row;
    }

    [[nodiscard]] std::vector<std::string> metric_row(u32 node) const {
        const MetricFigures inclusive = figures(profile_, node, main_, true);
        const MetricFigures exclusive = figures(profile_, node, main_, false);
        return {text_of(inclusive.sum),
                format_percent(share(inclusive.sum)),
                bar(share(inclusive.sum)),
                text_of(exclusive.sum),
                text_of(exclusive.min),
                text_of(exclusive.mean),
                text_of(exclusive.max),
                text_of(exclusive.deviation),
                tree_name(node, profile_.names[node])};
    }

    /// Bar values of a group: the displayed metric.
    [[nodiscard]] std::vector<std::string> group_row(u32 node, std::size_t group) const {
        const double inclusive = group_value(profile_, node, main_, true, group);
        const double exclusive = group_value(profile_, node, main_, false, group);
        std::vector<std::string> row = {text_of(inclusive), format_percent(share(inclusive)),
                                        bar(share(inclusive)), text_of(exclusive)};
        const bool overview = !view_.has_metric;
        row.resize(row.size() + 4 + (has_files_ && overview ? 2 : 0) +
                   (has_samples_ && overview ? 1 : 0));
        row.push_back(tree_name(node, "  " + view_.by + " " + profile_.groups[group]));
        return row;
    }

    const ProfileView& view_;
    const TraceProfile& profile_;
    const CallTree& tree_;
    Console& console_;
    bool has_files_;
    bool has_samples_;
    u32 main_;
    std::string unit_;
    double total_ = 0;
};

}  // namespace

void print_profile(const ProfileView& view, Console& console) {
    ProfilePrinter(view, console).run();
}

void write_advice_json(const ProcessAdvice& advice, const std::string& file, Console& console) {
    JsonWriter json = begin_document(console, "profile_advice");
    json.member("file", file)
        .member("call_paths", advice.call_paths)
        .member("complete", advice.complete)
        .member("locations", advice.locations)
        .member("fixed_bytes", advice.fixed_bytes)
        .member("shared_bytes", advice.shared_bytes)
        .member("processes", advice.processes);
    if (advice.processes != 0) {
        json.member("process_bytes", advice.bytes_per_process(advice.processes));
    }
    json.end_object();
}

void print_advice(const ProcessAdvice& advice, const std::string& file, Console& console) {
    console.text() << console.paint(Style::bold, file) << '\n';
    Table table({{""}, {"", kSentence}});
    table.add_row({"call paths", std::string(advice.complete ? "" : "at least ") +
                                     std::to_string(advice.call_paths)});
    table.add_row({"locations", std::to_string(advice.locations)});
    table.add_row({"on each process", format_size(advice.fixed_bytes)});
    table.add_row({"shared", format_size(advice.shared_bytes)});
    if (advice.processes == 0) {
        table.add_row(
            {"processes", "no number of processes is enough; select ranks, or allow more memory"});
    } else {
        table.add_row(
            {"processes", fmt::format("{}, {} each", advice.processes,
                                      format_size(advice.bytes_per_process(advice.processes)))});
    }
    table.print(console, 2);
}

}  // namespace tracefold
