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
    u64 megabytes = 1000;  ///< per process
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

/// Beside formats without remarks.
void warn(const ProfileView& view, Console& console) {
    warn_of_gaps(view.gaps, GapScope::events, console);
    for (const std::string& text : overflow_sentences(view.data)) console.warning(text);
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
        for (const ProfileMetric metric : profile_.metrics(node)) add(node, metric);
        json_.end_array().end_object();
    }

  private:
    void add(u32 node, ProfileMetric metric) {
        const NodeSummary& summary = profile_.profile.nodes[node];
        json_.begin_object().member("metric", metric_name(metric));
        side("inclusive", figures(profile_, node, metric, true));
        side("exclusive", figures(profile_, node, metric, false));
        groups("inclusive_groups", metric, summary.inclusive);
        groups("exclusive_groups", metric, summary.exclusive);
        json_.end_object();
    }

    void side(std::string_view name, const MetricFigures& f) {
        json_.key(name).begin_object();
        json_.member("sum", f.sum).member("min", f.min).member("max", f.max);
        json_.member("mean", f.mean).member("std", f.deviation).end_object();
    }

    void groups(std::string_view name, ProfileMetric metric, const MetricSummary& values) {
        const std::span<const u64> groups = values.groups(metric);
        if (groups.empty() || !by_group_) return;
        json_.key(name).begin_array();
        for (const u64 value : groups) {
            if (value == kOverflow) {
                json_.null();
            } else if (metric == ProfileMetric::time) {
                json_.value(in_units(profile_, metric, static_cast<double>(value)));
            } else {
                json_.value(value);
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
constexpr u32 kMostIndented = 100;  ///< levels; deeper ones show their number instead

std::string bar(double share) {
    if (std::isnan(share)) return {};
    const double length = std::round(std::clamp(share, 0.0, 1.0) * kBarWidth);
    return std::string(static_cast<std::size_t>(length), '#');
}

std::string value_text(ProfileMetric metric, double value) {
    if (metric == ProfileMetric::time) return format_time(value);
    const bool counts = metric == ProfileMetric::visits || metric == ProfileMetric::samples;
    if (!counts) return format_bytes(std::isnan(value) ? value : std::max(value, 0.0));
    return format_count(rounded(std::max(value, 0.0)));
}

/// Blank if a call path transfers no bytes.
std::string size_text(double bytes) {
    return bytes == 0 ? std::string() : value_text(ProfileMetric::sent, bytes);
}

double real_value(u64 value) {
    return value == kOverflow ? std::numeric_limits<double>::quiet_NaN()
                              : static_cast<double>(value);
}

std::string count_text(double count) {
    return count == 0 ? std::string() : value_text(ProfileMetric::samples, count);
}

class ProfilePrinter {
  public:
    ProfilePrinter(const ProfileView& view, Console& console)
        : view_(view),
          profile_(view.data),
          tree_(profile_.profile.tree),
          console_(console),
          has_files_(has(ProfileMetric::read) || has(ProfileMetric::written)),
          has_samples_(has(ProfileMetric::samples)),
          main_(view.has_metric ? view.metric : main_metric()) {
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

    [[nodiscard]] ProfileMetric main_metric() const {
        if (has_samples_ && !has(ProfileMetric::visits)) return ProfileMetric::samples;
        return profile_.has_times ? ProfileMetric::time : ProfileMetric::visits;
    }

    [[nodiscard]] bool has(ProfileMetric metric) const {
        for (u32 node = 0; node < tree_.size(); ++node) {
            if (figures(profile_, node, metric, false).sum != 0) return true;
        }
        return false;
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
        const auto sum = [&](ProfileMetric metric) {
            return figures(profile_, node, metric, false).sum;
        };
        const double imbalance = inclusive.mean == 0 ? 0 : inclusive.max / inclusive.mean;
        std::vector<std::string> row = {
            value_text(main_, inclusive.sum),
            format_percent(share(inclusive.sum)),
            bar(share(inclusive.sum)),
            value_text(main_, exclusive.sum),
            fmt::format("{:.2f}", imbalance),
            value_text(ProfileMetric::visits, sum(ProfileMetric::visits)),
            size_text(sum(ProfileMetric::sent)),
            size_text(sum(ProfileMetric::received))};
        if (has_files_) {
            row.push_back(size_text(sum(ProfileMetric::read)));
            row.push_back(size_text(sum(ProfileMetric::written)));
        }
        if (has_samples_) row.push_back(count_text(sum(ProfileMetric::samples)));
        row.push_back(tree_name(node, profile_.names[node]));
        return row;
    }

    [[nodiscard]] std::vector<std::string> metric_row(u32 node) const {
        const MetricFigures inclusive = figures(profile_, node, main_, true);
        const MetricFigures exclusive = figures(profile_, node, main_, false);
        return {value_text(main_, inclusive.sum),
                format_percent(share(inclusive.sum)),
                bar(share(inclusive.sum)),
                value_text(main_, exclusive.sum),
                value_text(main_, exclusive.min),
                value_text(main_, exclusive.mean),
                value_text(main_, exclusive.max),
                value_text(main_, exclusive.deviation),
                tree_name(node, profile_.names[node])};
    }

    /// Bar values of a group: the displayed metric.
    [[nodiscard]] std::vector<std::string> group_row(u32 node, std::size_t group) const {
        const NodeSummary& summary = profile_.profile.nodes[node];
        const auto value = [&](std::span<const u64> groups) {
            return in_units(profile_, main_, groups.empty() ? 0.0 : real_value(groups[group]));
        };
        const double inclusive = value(summary.inclusive.groups(main_));
        std::vector<std::string> row = {value_text(main_, inclusive),
                                        format_percent(share(inclusive)), bar(share(inclusive)),
                                        value_text(main_, value(summary.exclusive.groups(main_)))};
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
    ProfileMetric main_;
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
