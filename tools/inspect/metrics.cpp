// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/csv_table.hpp"
#include "common/console.hpp"
#include "common/output_format.hpp"
#include "common/part_options.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"
#include "questions/profile/metric_profile.hpp"
#include "questions/profile/trace_profile.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

namespace tracefold {

/// The metrics of a trace for display.
struct MetricsView {
    struct Row {
        MetricRow values;
        std::string place;  ///< a location or call path; empty: total, or outside of regions
    };

    std::string file;
    std::string by;  ///< "location", "path", or empty: total
    std::vector<MetricMember> members;
    std::vector<Row> rows;  ///< by member, then by place
};

/// Rows of the selected metrics. `place` groups entries by number, `name` names the number.
std::vector<MetricsView::Row> rows_of_metrics(const std::vector<MetricEntry>& entries,
                                              const std::function<u32(const MetricEntry&)>& place,
                                              const std::function<std::string(u32)>& name);

/// Prints numbers in the units of the metrics.
void print_metrics(const MetricsView& view, Console& console);
/// Writes numbers as recorded, with all digits.
void write_metrics_csv(const MetricsView& view, std::ostream& out);
void write_metrics_json(const MetricsView& view, Console& console);

/// "1.25 M", "0.0031": a number in a metric's unit.
std::string metric_text(double number);

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

std::vector<MetricEntry> wanted_entries(MetricsArguments& arguments, const TraceProfile& profile) {
    std::vector<MetricEntry> entries;
    for (const MetricEntry& entry : profile.metric_entries) {
        const std::string& name = profile.metric_members[entry.member].name;
        if (arguments.names.matches(name)) entries.push_back(entry);
    }
    return entries;
}

MetricsView make_view(MetricsArguments& arguments, TraceFile& file, Communicator& comm) {
    MetricsView view;
    view.file = arguments.input.path;
    if (arguments.by != MetricsBy::none) view.by = word_of(kMetricsBy, arguments.by);
    const ParticipantNames names(file.definitions());
    ProfileRequest request;
    request.selected = select_locations(arguments.ranks, names, file.location_count());
    const MetricCatalogue catalogue(file);
    if (catalogue.empty()) return view;
    request.times = keeps_every_time(file.summary().timing) &&
                    std::ranges::any_of(catalogue.members(), [](const MetricMember& member) {
                        return member.mode == MetricMode::absolute;
                    });
    const TraceProfile profile = trace_profile(comm, file, request);
    view.members = profile.metric_members;
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
                          "Values per location or call path");
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

namespace {

/// A sum of states is meaningless.
bool has_sum(const MetricMember& member) { return member.mode != MetricMode::absolute; }

class MetricsPrinter {
  public:
    MetricsPrinter(const MetricsView& view, Console& console) : view_(view), console_(console) {}

    void run() {
        std::set<u32> shown;
        for (const MetricsView::Row& row : view_.rows) shown.insert(row.values.member);
        console_.text() << console_.paint(Style::bold, view_.file) << "  " << shown.size()
                        << (shown.size() == 1 ? " metric\n" : " metrics\n");
        if (shown.empty()) {
            console_.text() << (view_.members.empty() ? "  the trace defines no metrics\n"
                                                      : "  no record has a value of a metric\n");
            return;
        }
        Table table = head();
        for (const MetricsView::Row& row : view_.rows) add(row, table);
        table.print(console_, 2);
        print_falls();
    }

  private:
    /// A counter that falls was set back, or has fewer bits than its records.
    void print_falls() const {
        std::map<u32, u64> falls;
        for (const MetricsView::Row& row : view_.rows) {
            if (row.values.tally.falls() == 0) continue;
            falls[row.values.member] += row.values.tally.falls();
        }
        for (const auto& [member, count] : falls) {
            console_.text() << "  " << printable(view_.members[member].name)
                            << " is defined as accumulated, but falls " << count
                            << (count == 1 ? " time" : " times")
                            << ": its sum is the last value minus the first, not an amount\n";
        }
    }

    [[nodiscard]] Table head() const {
        std::vector<Table::Column> columns = {
            {"metric"}, {"mode", Table::Align::left, 2}, {"unit"}};
        if (view_.by != "location") columns.push_back({"locations", kRight, 3});
        columns.push_back({"values", kRight, 1});
        for (const char* title : {"sum", "mean", "min", "max"}) columns.push_back({title, kRight});
        if (view_.by == "location") columns.push_back({"location"});
        if (view_.by == "path") columns.push_back({"call path"});
        return Table(columns);
    }

    void add(const MetricsView::Row& row, Table& table) const {
        const MetricMember& member = view_.members[row.values.member];
        const MetricTally& tally = row.values.tally;
        const auto text = [&member](double number) { return metric_text(number * member.scale()); };
        std::vector<std::string> cells = {printable(member.name),
                                          std::string(metric_mode_name(member.mode)),
                                          printable(member.unit)};
        if (view_.by != "location") cells.push_back(std::to_string(row.values.locations));
        cells.push_back(std::to_string(tally.count()));
        cells.push_back(has_sum(member) ? text(tally.sum()) : "-");
        for (const double number : {tally.mean(), tally.min(), tally.max()}) {
            cells.push_back(text(number));
        }
        if (!view_.by.empty()) cells.push_back(place_text(row.place));
        table.add_row(cells);
    }

    static std::string place_text(const std::string& place) {
        return place.empty() ? "(in no region)" : printable(place);
    }

    const MetricsView& view_;
    Console& console_;
};

void write_row(const MetricsView& view, const MetricsView::Row& row, JsonWriter& json) {
    const MetricMember& member = view.members[row.values.member];
    const MetricTally& tally = row.values.tally;
    const auto number = [&](std::string_view name, double value) {
        json.member(name, value * member.scale());
    };
    json.begin_object();
    if (!view.by.empty()) json.member(view.by, row.place);
    json.member("locations", row.values.locations).member("values", tally.count());
    if (has_sum(member)) number("sum", tally.sum());
    number("mean", tally.mean());
    number("min", tally.min());
    number("max", tally.max());
    if (member.mode == MetricMode::accumulated) json.member("falls", tally.falls());
    json.end_object();
}

}  // namespace

std::string metric_text(double number) {
    constexpr double kThousand = 1000;
    if (std::isnan(number)) return "not a number";
    const double size = std::abs(number);
    if (size >= 1e15 || (size != 0 && size < 1e-3)) return fmt::format("{:.4g}", number);
    if (size < 10 * kThousand) return fmt::format("{:.6g}", number);
    double scaled = number / kThousand;
    std::string_view prefixes = "kMGT";
    while (std::abs(scaled) >= kThousand && prefixes.size() > 1) {
        scaled /= kThousand;
        prefixes.remove_prefix(1);
    }
    return fmt::format("{:.4g} {}", scaled, prefixes.front());
}

void print_metrics(const MetricsView& view, Console& console) {
    MetricsPrinter(view, console).run();
}

void write_metrics_csv(const MetricsView& view, std::ostream& out) {
    out << "metric,mode,unit,base,exponent," << (view.by.empty() ? "" : view.by + ",")
        << "locations,values,sum,mean,min,max,falls\n";
    for (const MetricsView::Row& row : view.rows) {
        const MetricMember& member = view.members[row.values.member];
        const MetricTally& tally = row.values.tally;
        out << csv_field(member.name) << ',' << metric_mode_name(member.mode) << ','
            << csv_field(member.unit) << ',' << (member.base == 0 ? 2 : 10) << ','
            << member.exponent << ',';
        if (!view.by.empty()) out << csv_field(row.place) << ',';
        out << row.values.locations << ',' << tally.count() << ',' << tally.sum_text() << ','
            << csv_number(tally.mean()) << ',' << tally.min_text() << ',' << tally.max_text() << ','
            << tally.falls() << '\n';
    }
}

void write_metrics_json(const MetricsView& view, Console& console) {
    JsonWriter json = begin_document(console, "metrics");
    json.member("file", view.file).member("by", view.by);
    json.key("metrics").begin_array();
    for (std::size_t i = 0; i < view.rows.size();) {
        const u32 member = view.rows[i].values.member;
        json.begin_object()
            .member("metric", view.members[member].name)
            .member("mode", metric_mode_name(view.members[member].mode))
            .member("unit", view.members[member].unit);
        json.key("rows").begin_array();
        for (; i < view.rows.size() && view.rows[i].values.member == member; ++i) {
            write_row(view, view.rows[i], json);
        }
        json.end_array().end_object();
    }
    json.end_array().end_object();
}

}  // namespace tracefold
