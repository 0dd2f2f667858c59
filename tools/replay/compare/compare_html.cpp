// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/html_page.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "replay/compare/compare.hpp"
#include "replay/compare/compare_charts.hpp"
#include "replay/compare/compare_words.hpp"
#include "replay/spread_output.hpp"

namespace tracefold {

namespace {

constexpr std::size_t kMostBars = 12;

/// What options are without being given.
bool is_usual(const std::string& value) {
    return value == "none" || value == "false" || value == "error" || value == "1.0";
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
        << "<p class=\"soft\"><span class=\"key communication\"></span>if every call took as long "
           "as the shortest one"
           "<span class=\"key computation\"></span>waiting for partners, and outside of "
           "calls</p>\n";
    draw_parts(out, large_parts(explanation, kMostBars));
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
    out << "<p class=\"soft\">Latency: of a call, on average; the shortest one as a dot. "
           "Bandwidth: of all calls "
           "together, where a call waits for its own data.</p>\n";
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
    out << "<table>\n";
    put_row(out, "th", {"", "bytes from", "report", "calls", "shortest", "mean", "bandwidth", ""});
    for (const ComparedCalls& calls : comparison.calls) put_compared_cells(out, comparison, calls);
    if (comparison.non_blocking) put_compared_cells(out, comparison, *comparison.non_blocking);
    out << "</table>\n</section>\n";
}

}  // namespace

void write_comparison_html(std::ostream& out, const Comparison& comparison) {
    begin_page(out, "Replays of " + comparison.reports.front().input);
    put_compared_head(out, comparison);
    for (const Explanation& explanation : comparison.explanations)
        put_parts_chart(out, comparison, explanation);
    put_compared_times(out, comparison);
    put_compared_ranks(out, comparison);
    put_compared_curves(out, comparison);
    put_compared_table(out, comparison);
    end_page(out);
}

}  // namespace tracefold
