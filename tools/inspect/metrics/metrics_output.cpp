// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "core/csv_table.hpp"
#include "inspect/metrics/metrics.hpp"

#include <cmath>
#include <set>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// The sum of states at moments means nothing.
bool has_sum(const MetricMember& member) { return member.mode != MetricMode::absolute; }

class MetricsPrinter {
  public:
    MetricsPrinter(const MetricsView& view, Console& console) : view_(view), console_(console) {}

    void run() {
        std::set<u32> shown;
        for (const MetricsView::Row& row : view_.rows) shown.insert(row.values.member);
        console_.out() << console_.paint(Style::bold, view_.file) << "  " << shown.size()
                       << (shown.size() == 1 ? " metric\n" : " metrics\n");
        if (shown.empty()) {
            console_.out() << (view_.members.empty() ? "  the trace defines none\n"
                                                     : "  no record has a value of one\n");
            return;
        }
        Table table = head();
        for (const MetricsView::Row& row : view_.rows) add(row, table);
        table.print(console_.out(), 2);
    }

  private:
    [[nodiscard]] Table head() const {
        std::vector<Table::Column> columns = {{"metric"}, {"mode"}, {"unit"}};
        if (view_.by != "location") columns.push_back({"locations", kRight});
        columns.push_back({"values", kRight});
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
        << "locations,values,sum,mean,min,max\n";
    for (const MetricsView::Row& row : view.rows) {
        const MetricMember& member = view.members[row.values.member];
        const MetricTally& tally = row.values.tally;
        out << csv_field(member.name) << ',' << metric_mode_name(member.mode) << ','
            << csv_field(member.unit) << ',' << (member.base == 0 ? 2 : 10) << ','
            << member.exponent << ',';
        if (!view.by.empty()) out << csv_field(row.place) << ',';
        out << row.values.locations << ',' << tally.count() << ',' << tally.sum_text() << ','
            << csv_number(tally.mean()) << ',' << tally.min_text() << ',' << tally.max_text()
            << '\n';
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
