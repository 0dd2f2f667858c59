// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/table.hpp"
#include "common/units.hpp"
#include "replay/compare/compare.hpp"
#include "replay/compare/compare_words.hpp"
#include "replay/spread_output.hpp"

#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t kMostParts = 10;

void print_spreads(const Comparison& comparison, Console& console) {
    Table table({{"time per rank"},
                 {""},
                 {"min", kRight},
                 {"mean", kRight},
                 {"max", kRight},
                 {"std", kRight}});
    for (const MachineReport& report : comparison.reports) {
        std::string name = report.name;
        report.times.for_each([&](const std::string& what, const Spread& spread) {
            std::vector<std::string> row = spread_cells(what, spread);
            row.insert(row.begin(), std::exchange(name, ""));
            table.add_row(row);
        });
    }
    table.print(console.out());
}

void add_calls(Table& table, const Comparison& comparison, const ComparedCalls& calls) {
    for (std::size_t i = 0; i < calls.reports.size(); ++i) {
        table.add_row(call_cells(comparison, calls, i, "-"));
    }
}

void print_compared_calls(const Comparison& comparison, Console& console) {
    Table table({{"call"},
                 {"bytes from", kRight},
                 {"report"},
                 {"calls", kRight},
                 {"shortest", kRight},
                 {"mean", kRight},
                 {"bandwidth", kRight},
                 {"", kRight}});
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
    console.out() << '\n' << printable(explanation_words(comparison, explanation)) << '\n';
    Table table({{""},
                 {comparison.reports.front().name, kRight},
                 {comparison.reports[explanation.report].name, kRight},
                 {"difference", kRight},
                 {"shortest call", kRight},
                 {"waiting", kRight}});
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
