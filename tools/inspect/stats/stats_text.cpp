// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/losses.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/stats/stats.hpp"

#include <algorithm>
#include <cmath>

namespace tracefold {

namespace {

std::string total_text(const Statistics& statistics, const Statistics::Row& row,
                       Quantity quantity) {
    const Moments& moments = row.figures.of(Over::calls, quantity);
    if (!moments.empty()) {
        return quantity_text(quantity, static_cast<double>(moments.sum()),
                             statistics.ticks_per_second);
    }
    if (quantity == Quantity::time && row.durations.count() != 0) {
        return quantity_text(quantity, static_cast<double>(row.durations.sum()),
                             statistics.ticks_per_second);
    }
    return "-";
}

/// Count, mean, deviation, smallest and largest.
std::vector<std::string> detail_texts(const Statistics& statistics, const Statistics::Row& row,
                                      const StatisticsView& view) {
    const Moments& moments = row.figures.of(view.over, view.quantity);
    const auto text = [&](double value) {
        return quantity_text(view.quantity, value, statistics.ticks_per_second);
    };
    const auto whole = [&](u64 value) { return text(static_cast<double>(value)); };
    if (!moments.empty()) {
        return {format_count(moments.count()), text(moments.mean()), text(moments.deviation()),
                whole(moments.min()), whole(moments.max())};
    }
    const LogHistogram& kept = row.durations;
    if (view.quantity == Quantity::time && view.over == Over::calls && kept.count() != 0) {
        const double mean = static_cast<double>(kept.sum()) / static_cast<double>(kept.count());
        return {format_count(kept.count()), text(mean), "-", whole(kept.min()), whole(kept.max())};
    }
    return {"-", "-", "-", "-", "-"};
}

/// Paths are shown as a tree, by their depth.
std::string label(const Statistics::Row& row, std::string_view by) {
    if (by != "path") return printable(row.name());
    return std::string(2 * (row.path.size() - 1), ' ') + printable(row.name());
}

bool has_files(const Statistics& statistics) {
    return std::any_of(statistics.rows.begin(), statistics.rows.end(),
                       [](const Statistics::Row& row) {
                           return !row.figures.of(Over::calls, Quantity::read).empty() ||
                                  !row.figures.of(Over::calls, Quantity::written).empty();
                       });
}

std::vector<Table::Column> columns_of(std::string_view by, bool files) {
    std::vector<Table::Column> columns = {{std::string(by)}, {"locations", kRight},
                                          {"calls", kRight}, {"time", kRight},
                                          {"sent", kRight},  {"received", kRight}};
    if (files) columns.insert(columns.end(), {{"read", kRight}, {"written", kRight}});
    columns.insert(columns.end(), {{"samples", kRight},
                                   {"mean", kRight},
                                   {"deviation", kRight},
                                   {"min", kRight},
                                   {"max", kRight}});
    return columns;
}

void print_notes(const Statistics& statistics, const StatisticsView& view, Console& console) {
    if (view.over == Over::iterations && !statistics.has_iterations) {
        console.out() << "  no iterations were looked at\n";
    }
    switch (statistics.timing) {
        case TimingLevel::none:
            console.out() << "  the file keeps no times\n";
            break;
        case TimingLevel::histogram:
            console.out() << "  the file keeps durations of calls of all ranks together: no "
                             "deviation, nothing over ranks, iterations or paths\n";
            break;
        case TimingLevel::exact:
        case TimingLevel::quantized:
            break;
    }
    if (statistics.backwards != 0) {
        console.out() << "  " << format_count(statistics.backwards)
                      << " calls have no time, since their clock ran backwards\n";
    }
    print_nesting(statistics.nesting, console);
}

}  // namespace

std::string quantity_text(Quantity quantity, double value, double ticks_per_second) {
    if (quantity == Quantity::time) return format_time(value / ticks_per_second);
    const auto whole = static_cast<u64>(std::llround(value));
    return quantity == Quantity::calls ? format_count(whole) : format_size(whole);
}

void print_statistics(const Statistics& statistics, const StatisticsView& view, Console& console) {
    console.out() << console.paint(Style::bold, view.file) << "  by " << view.by << ", "
                  << quantity_name(view.quantity) << " over " << over_name(view.over) << '\n';
    print_notes(statistics, view, console);
    if (statistics.rows.empty()) {
        console.out() << "  no calls\n";
        return;
    }
    const bool files = has_files(statistics);
    Table table(columns_of(view.by, files));
    for (const Statistics::Row& row : statistics.rows) {
        std::vector<std::string> cells = {label(row, view.by),
                                          format_count(row.figures.ranks()),
                                          format_count(row.figures.calls()),
                                          total_text(statistics, row, Quantity::time),
                                          total_text(statistics, row, Quantity::sent),
                                          total_text(statistics, row, Quantity::received)};
        if (files) {
            cells.push_back(total_text(statistics, row, Quantity::read));
            cells.push_back(total_text(statistics, row, Quantity::written));
        }
        for (std::string& text : detail_texts(statistics, row, view)) {
            cells.push_back(std::move(text));
        }
        table.add_row(std::move(cells));
    }
    table.print(console.out(), 2);
    if (view.accelerators) print_streams(*view.accelerators, console);
}

}  // namespace tracefold
