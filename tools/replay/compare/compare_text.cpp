// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/table.hpp"
#include "common/units.hpp"
#include "replay/compare/compare.hpp"
#include "replay/compare/compare_words.hpp"

namespace tracefold {

namespace {

constexpr std::size_t kMostParts = 10;

void add_spread(Table& table, const std::string& name, const std::string& what,
                const Spread& spread) {
    table.add_row({name, what, format_time(spread.minimum), format_time(spread.mean),
                   format_time(spread.maximum), format_time(spread.deviation)});
}

void print_spreads(const Comparison& comparison, Console& console) {
    using Align = Table::Align;
    Table table({{"time per rank", Align::left},
                 {"", Align::left},
                 {"min", Align::right},
                 {"mean", Align::right},
                 {"max", Align::right},
                 {"std", Align::right}});
    for (const MachineReport& report : comparison.reports) {
        add_spread(table, report.name, "wall", report.times.wall);
        add_spread(table, "", "communication", report.times.communication);
        add_spread(table, "", "computation", report.times.computation);
    }
    table.print(console.out());
}

/// A line for each report, with the name of the call on the first one.
void add_calls(Table& table, const Comparison& comparison, const ComparedCalls& calls) {
    const std::optional<CallsOfSize>& first = calls.reports.front();
    for (std::size_t i = 0; i < calls.reports.size(); ++i) {
        const std::optional<CallsOfSize>& of = calls.reports[i];
        std::vector<std::string> row = {i == 0 ? calls.function : "",
                                        i == 0 ? size_words(calls) : "",
                                        comparison.reports[i].name};
        if (!of) {
            row.resize(8, "-");
        } else {
            const bool has_bandwidth = calls.part == CallPart::whole && of->bytes != 0;
            row.push_back(std::to_string(of->calls));
            row.push_back(of->shortest > 0 ? format_time(of->shortest) : "");
            row.push_back(format_time(of->mean()));
            row.push_back(has_bandwidth ? format_bandwidth(of->bandwidth()) : "");
            row.push_back(i != 0 && first ? ratio_words(first->mean(), of->mean()) : "");
        }
        table.add_row(row);
    }
}

void print_compared_calls(const Comparison& comparison, Console& console) {
    using Align = Table::Align;
    Table table({{"call", Align::left},
                 {"bytes from", Align::right},
                 {"report", Align::left},
                 {"calls", Align::right},
                 {"shortest", Align::right},
                 {"mean", Align::right},
                 {"bandwidth", Align::right},
                 {"", Align::right}});
    for (const ComparedCalls& calls : comparison.calls) add_calls(table, comparison, calls);
    if (comparison.non_blocking) add_calls(table, comparison, *comparison.non_blocking);
    console.out() << '\n';
    table.print(console.out());
    console.out() << "bandwidth: bytes sent and received in the time of all calls, for calls that "
                     "wait for their own "
                     "data\n";
}

void print_explanation(const Comparison& comparison, const Explanation& explanation,
                       Console& console) {
    using Align = Table::Align;
    console.out() << '\n' << printable(explanation_words(comparison, explanation)) << '\n';
    Table table({{"", Align::left},
                 {comparison.reports.front().name, Align::right},
                 {comparison.reports[explanation.report].name, Align::right},
                 {"difference", Align::right},
                 {"shortest call", Align::right},
                 {"waiting", Align::right}});
    for (const DifferencePart& part : large_parts(explanation, kMostParts)) {
        const bool is_call = !part.function.empty();
        table.add_row({part_words(part), format_time(part.first), format_time(part.other),
                       change_words(part.difference()),
                       is_call ? change_words(part.by_shortest) : "",
                       is_call ? change_words(part.by_waiting()) : ""});
    }
    table.print(console.out(), 2);
}

}  // namespace

void print_comparison(const Comparison& comparison, Console& console) {
    for (const std::string& warning : comparison_warnings(comparison)) console.warning(warning);
    print_spreads(comparison, console);
    print_compared_calls(comparison, console);
    for (const Explanation& explanation : comparison.explanations) {
        print_explanation(comparison, explanation, console);
    }
    const MachineReport& first = comparison.reports.front();
    console.summary(first.input + ": " + std::to_string(comparison.reports.size()) +
                    " replays of " + std::to_string(first.ranks) + " ranks, " +
                    format_count(first.calls) + " calls");
}

}  // namespace tracefold
