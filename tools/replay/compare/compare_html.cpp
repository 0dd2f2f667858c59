// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "common/html_page.hpp"
#include "common/text.hpp"
#include "replay/compare/compare.hpp"
#include "replay/compare/comparison.hpp"
#include "replay/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// Charts as inline SVG, on a page of begin_page().

/// The colour of a report, as a class of page.css; six colours, used in turn.
std::string series_class(std::size_t report);

/// Bars to the right for longer times, to the left for shorter ones.
void draw_parts(std::ostream& out, const std::vector<DifferencePart>& parts);

/// A bar of communication and computation per report and rank; only ranks in all reports.
void draw_compared_ranks(std::ostream& out, const Comparison& comparison);

/// Functions with calls of at least two sizes, by descending time; at most eight.
std::vector<std::string> functions_of_several_sizes(const Comparison& comparison);

/// Latency over call size and, if meaningful, bandwidth; both axes are logarithmic.
void draw_curves(std::ostream& out, const Comparison& comparison, const std::string& function);

namespace {

constexpr std::size_t kSeries = 6;
constexpr std::size_t kMostFunctions = 8;
constexpr double kPanelHeight = 150;
constexpr double kPanelWidth = 370;

/// A quantity of calls of one size in one report; none if unknown.
using Quantity = std::function<std::optional<double>(const CallsOfSize&)>;

/// Maps numbers to pixels on a logarithmic axis.
struct Axis {
    double low = std::numeric_limits<double>::infinity();
    double high = 0;

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    /// Position as a fraction of the axis.
    [[nodiscard]] double place(double value) const {
        return high > low ? std::log(value / low) / std::log(high / low) : 0.5;
    }
};

/// One chart of a function: a curve for each report.
class Panel {
  public:
    Panel(std::ostream& out, double left, const std::vector<const ComparedCalls*>& sizes)
        : out_(out), left_(left), sizes_(sizes) {}

    void fit(const Quantity& quantity) {
        for (const ComparedCalls* calls : sizes_) {
            for (const std::optional<CallsOfSize>& of : calls->reports) {
                if (const auto value = of ? quantity(*of) : std::nullopt) axis_.add(*value);
            }
        }
    }
    void frame(const std::string& title, const std::function<std::string(double)>& words) {
        put_chart_text(out_, left_, 12, "start", title);
        put_chart_text(out_, left_ - 6, 30, "end", words(axis_.high));
        put_chart_text(out_, left_ - 6, kPanelHeight + 20, "end", words(axis_.low));
        out_ << "<path class=\"axis\" d=\"M" << left_ << " 20V" << kPanelHeight + 22 << "H"
             << left_ + kPanelWidth << "\"/>\n";
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            if (sizes_.size() > 6 && i % 2 != 0) continue;
            put_chart_text(out_, x(i), kPanelHeight + 36, "middle", size_words(*sizes_[i]));
        }
    }
    void curve(std::size_t report, const Quantity& quantity) {
        std::string points;
        each(report, quantity, [&](double x, double y, const std::string&) {
            points += std::to_string(x) + ',' + std::to_string(y) + ' ';
        });
        out_ << "<polyline class=\"curve " << series_class(report) << "\" points=\"" << points
             << "\"/>\n";
    }
    void dots(std::size_t report, const std::string& name, const Quantity& quantity,
              const std::function<std::string(double)>& words) {
        each(report, quantity, [&](double x, double y, const std::string& size) {
            const double value =
                axis_.low * std::pow(axis_.high / axis_.low, (bottom() - y) / kPanelHeight);
            out_ << "<circle class=\"dot " << series_class(report) << "\" cx=\"" << x << "\" cy=\""
                 << y << "\" r=\"3\"><title>"
                 << markup_text(name + ", from " + size + ": " + words(value))
                 << "</title></circle>\n";
        });
    }

  private:
    [[nodiscard]] static double bottom() { return kPanelHeight + 20; }
    [[nodiscard]] double x(std::size_t size) const {
        const double steps = static_cast<double>(std::max<std::size_t>(sizes_.size() - 1, 1));
        return left_ + 24 + (kPanelWidth - 48) * static_cast<double>(size) / steps;
    }
    template <class Visit>
    void each(std::size_t report, const Quantity& quantity, const Visit& visit) const {
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            const std::optional<CallsOfSize>& of = sizes_[i]->reports[report];
            const auto value = of ? quantity(*of) : std::nullopt;
            if (value)
                visit(x(i), bottom() - kPanelHeight * axis_.place(*value), size_words(*sizes_[i]));
        }
    }

    std::ostream& out_;
    double left_;
    const std::vector<const ComparedCalls*>& sizes_;
    Axis axis_;
};

std::optional<double> positive(double value) {
    return value > 0 ? std::optional(value) : std::nullopt;
}

void draw_latency(std::ostream& out, const Comparison& comparison,
                  const std::vector<const ComparedCalls*>& sizes) {
    const auto median = [](const CallsOfSize& calls) { return positive(calls.median); };
    const auto shortest = [](const CallsOfSize& calls) { return positive(calls.shortest); };
    Panel panel(out, kChartLabel - 20, sizes);
    panel.fit(median);
    panel.fit(shortest);
    panel.frame(sizes.front()->function + ": latency", format_time);
    for (std::size_t i = 0; i < comparison.reports.size(); ++i) {
        panel.curve(i, median);
        panel.dots(i, comparison.reports[i].name + ", shortest", shortest, format_time);
    }
}

void draw_bandwidth(std::ostream& out, const Comparison& comparison,
                    const std::vector<const ComparedCalls*>& sizes) {
    const auto bandwidth = [](const CallsOfSize& calls) {
        return positive(calls.bandwidth(calls.median));
    };
    Panel panel(out, kChartWidth - kPanelWidth, sizes);
    panel.fit(bandwidth);
    panel.frame("bandwidth", format_bandwidth);
    for (std::size_t i = 0; i < comparison.reports.size(); ++i) {
        panel.curve(i, bandwidth);
        panel.dots(i, comparison.reports[i].name, bandwidth, format_bandwidth);
    }
}

std::vector<const ComparedCalls*> sizes_of(const Comparison& comparison,
                                           const std::string& function) {
    std::vector<const ComparedCalls*> sizes;
    for (const ComparedCalls& calls : comparison.calls) {
        if (calls.function == function) sizes.push_back(&calls);
    }
    return sizes;
}

/// `from` and `to` are the ends of the bar, in any order.
void put_part_bar(std::ostream& out, double from, double to, double y, std::string_view style,
                  const std::string& tip) {
    put_chart_box(out, {std::min(from, to), y, std::abs(to - from), 12}, style, tip);
}

const ReportedRank* rank_in(const MachineReport& report, u64 rank) {
    const auto found = std::ranges::find(report.ranks_in_detail, rank, &ReportedRank::rank);
    return found == report.ranks_in_detail.end() ? nullptr : &*found;
}

/// Ranks that all reports contain.
std::vector<u64> common_ranks(const Comparison& comparison) {
    std::vector<u64> ranks;
    for (const ReportedRank& rank : comparison.reports.front().ranks_in_detail) {
        const bool everywhere = std::ranges::all_of(
            comparison.reports,
            [&rank](const MachineReport& report) { return rank_in(report, rank.rank) != nullptr; });
        if (everywhere) ranks.push_back(rank.rank);
    }
    return ranks;
}

void put_rank_bar(std::ostream& out, const ReportedRank& rank, const std::string& name, double y,
                  double per_second) {
    ChartBox box{kChartLabel, y, rank.communication * per_second, 8};
    put_chart_box(out, box, "communication",
                  name + ", communication: " + format_time(rank.communication));
    box.x += box.width;
    box.width = std::max(rank.computation, 0.0) * per_second;
    put_chart_box(out, box, "computation",
                  name + ", computation: " + format_time(rank.computation));
}

}  // namespace

std::string series_class(std::size_t report) { return "series" + std::to_string(report % kSeries); }

void draw_parts(std::ostream& out, const std::vector<DifferencePart>& parts) {
    constexpr double kNames = 230;
    constexpr double kRow = 18;
    const double middle = kNames + (kChartWidth - kNames) / 2;
    double largest = std::numeric_limits<double>::min();
    for (const DifferencePart& part : parts) {
        largest = std::max({largest, std::abs(part.by_shortest), std::abs(part.difference())});
    }
    const double per_second = (kChartWidth - middle - 70) / largest;
    begin_chart(out, "Parts of the difference",
                static_cast<int>(kRow * static_cast<double>(parts.size())) + 4);
    double y = 2;
    for (const DifferencePart& part : parts) {
        const double calls_end = part.function.empty() ? 0 : part.by_shortest;
        put_chart_text(out, kNames - 8, y + 10, "end", part_words(part));
        put_part_bar(out, middle, middle + calls_end * per_second, y, "communication",
                     "by the shortest call: " + change_words(part.by_shortest));
        put_part_bar(out, middle + calls_end * per_second, middle + part.difference() * per_second,
                     y, "computation", "the rest: " + change_words(part.difference() - calls_end));
        const double end = std::max({0.0, part.difference(), calls_end}) * per_second;
        put_chart_text(out, middle + end + 6, y + 10, "start", change_words(part.difference()));
        y += kRow;
    }
    out << "<path class=\"axis\" d=\"M" << middle << " 0V" << y << "\"/>\n</svg>\n";
}

void draw_compared_ranks(std::ostream& out, const Comparison& comparison) {
    const std::vector<u64> ranks = common_ranks(comparison);
    double longest = std::numeric_limits<double>::min();
    for (const MachineReport& report : comparison.reports)
        longest = std::max(longest, report.times.wall.maximum);
    const double per_second = (kChartWidth - kChartLabel) / longest;
    const double row = 9 * static_cast<double>(comparison.reports.size()) + 6;
    begin_chart(out, "Time per rank",
                static_cast<int>(row * static_cast<double>(ranks.size())) + 16);
    double y = 0;
    for (const u64 rank : ranks) {
        const std::string name = "rank " + std::to_string(rank);
        put_chart_text(out, kChartLabel - 8, y + row / 2, "end", name);
        for (std::size_t i = 0; i < comparison.reports.size(); ++i) {
            const MachineReport& report = comparison.reports[i];
            put_rank_bar(out, *rank_in(report, rank), name + ", " + report.name,
                         y + 9 * static_cast<double>(i), per_second);
        }
        y += row;
    }
    put_chart_text(out, kChartLabel, y + 10, "start", "0 s");
    put_chart_text(out, kChartWidth, y + 10, "end", format_time(longest));
    out << "</svg>\n";
}

std::vector<std::string> functions_of_several_sizes(const Comparison& comparison) {
    std::map<std::string, std::pair<double, int>> totals;
    for (const ComparedCalls& calls : comparison.calls) {
        auto& [seconds, sizes] = totals[calls.function];
        ++sizes;
        for (const std::optional<CallsOfSize>& of : calls.reports) seconds += of ? of->seconds : 0;
    }
    std::vector<std::pair<double, std::string>> found;
    for (const auto& [function, total] : totals) {
        if (total.second > 1) found.emplace_back(total.first, function);
    }
    std::ranges::sort(found, std::greater<>());
    if (found.size() > kMostFunctions) found.resize(kMostFunctions);
    std::vector<std::string> names;
    for (const auto& [seconds, function] : found) names.push_back(function);
    return names;
}

void draw_curves(std::ostream& out, const Comparison& comparison, const std::string& function) {
    const std::vector<const ComparedCalls*> sizes = sizes_of(comparison, function);
    begin_chart(out, function + " by size", static_cast<int>(kPanelHeight) + 46);
    draw_latency(out, comparison, sizes);
    if (sizes.front()->part == CallPart::whole) draw_bandwidth(out, comparison, sizes);
    out << "</svg>\n";
}

namespace {

constexpr std::size_t kMostBars = 12;

/// Whether the value is the option's default.
bool is_usual(const std::string& value) {
    return value == "none" || value == "false" || value == "error" || value == "host" ||
           value == "1.0";
}

void put_compared_head(std::ostream& out, const Comparison& comparison) {
    const MachineReport& first = comparison.reports.front();
    out << "<h1>Replays of " << markup_text(first.input) << "</h1>\n<p class=\"soft\">"
        << first.ranks << (first.ranks == 1 ? " rank, " : " ranks, ") << first.calls << " calls; ";
    std::string options;
    for (const ReplayChoice& choice : first.choices) {
        if (choice.name.starts_with("--") && !is_usual(choice.value)) {
            options += (options.empty() ? "" : ", ") + choice.name + ' ' + choice.value;
        }
    }
    out << markup_text(options) << "</p>\n<p>";
    for (std::size_t i = 0; i < comparison.reports.size(); ++i) {
        out << "<span class=\"key " << series_class(i) << "\"></span>"
            << markup_text(comparison.reports[i].name);
    }
    out << "</p>\n";
    for (const std::string& warning : comparison_warnings(comparison)) {
        out << "<p class=\"bad\">" << markup_text(warning) << "</p>\n";
    }
}

void put_parts_chart(std::ostream& out, const Comparison& comparison,
                     const Explanation& explanation) {
    begin_section(out, "Why " + comparison.reports[explanation.report].name + " differs");
    out << "<p>" << markup_text(explanation_words(comparison, explanation)) << ".</p>\n"
        << "<p class=\"soft\"><span class=\"key communication\"></span>if every call were as short "
           "as the shortest one<span class=\"key computation\"></span>waiting for partners, and "
           "outside of calls</p>\n";
    draw_parts(out, large_parts(explanation, kMostBars));
    out << "</section>\n";
}

void put_rows(std::ostream& out, std::span<const char* const> titles,
              const std::vector<std::vector<std::string>>& rows) {
    out << "<table>\n";
    put_row(out, "th", {titles.begin(), titles.end()});
    for (const std::vector<std::string>& row : rows) put_row(out, "td", row);
    out << "</table>\n";
}

void put_judgements(std::ostream& out, const Comparison& comparison) {
    begin_section(out, "Judgement");
    put_rows(out, kJudgementTitles, judgement_rows(comparison));
    for (const auto& lines : {method_words(comparison), outlier_words(comparison)}) {
        for (const std::string& line : lines)
            out << "<p class=\"soft\">" << markup_text(line) << "</p>\n";
    }
    out << "</section>\n";
    begin_section(out, "Machines");
    put_rows(out, kMachineTitles, machine_rows(comparison));
    out << "</section>\n";
}

void put_compared_times(std::ostream& out, const Comparison& comparison) {
    begin_section(out, "Time over the ranks");
    out << "<table>\n";
    put_row(out, "th", {"", "min", "mean", "max", "std"});
    for (const MachineReport& report : comparison.reports) {
        put_spreads(out, report.name, report.times);
    }
    out << "</table>\n</section>\n";
}

void put_compared_ranks(std::ostream& out, const Comparison& comparison) {
    begin_section(out, "Time per rank");
    out << "<p class=\"soft\"><span class=\"key communication\"></span>communication<span "
           "class=\"key "
           "computation\"></span>computation; one bar for each report, in their order</p>\n";
    draw_compared_ranks(out, comparison);
    out << "</section>\n";
}

void put_compared_curves(std::ostream& out, const Comparison& comparison) {
    const std::vector<std::string> functions = functions_of_several_sizes(comparison);
    if (functions.empty()) return;
    begin_section(out, "Latency and bandwidth by size");
    out << "<p class=\"soft\">Latency: of the median call; the shortest one as a dot. "
           "Bandwidth: of the median call, where a call waits for its own data.</p>\n";
    for (const std::string& function : functions) draw_curves(out, comparison, function);
    out << "</section>\n";
}

void put_compared_cells(std::ostream& out, const Comparison& comparison,
                        const ComparedCalls& calls) {
    for (std::size_t i = 0; i < calls.reports.size(); ++i) {
        put_row(out, "td", call_cells(comparison, calls, i, ""));
    }
}

void put_compared_table(std::ostream& out, const Comparison& comparison) {
    begin_section(out, "Calls by size");
    out << "<p class=\"soft\">" << kCallNote << "</p>\n<table>\n";
    put_row(out, "th", {std::begin(kCallTitles), std::end(kCallTitles)});
    for (const ComparedCalls& calls : comparison.calls) put_compared_cells(out, comparison, calls);
    if (comparison.non_blocking) put_compared_cells(out, comparison, *comparison.non_blocking);
    out << "</table>\n</section>\n";
}

}  // namespace

void write_comparison_html(std::ostream& out, const Comparison& comparison) {
    begin_page(out, "Replays of " + comparison.reports.front().input);
    put_compared_head(out, comparison);
    put_judgements(out, comparison);
    for (const Explanation& explanation : comparison.explanations)
        put_parts_chart(out, comparison, explanation);
    put_compared_times(out, comparison);
    put_compared_ranks(out, comparison);
    put_compared_curves(out, comparison);
    put_compared_table(out, comparison);
    end_page(out);
}

}  // namespace tracefold
