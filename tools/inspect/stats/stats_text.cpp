// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/losses.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/gaps.hpp"
#include "inspect/stats/stats.hpp"

#include <algorithm>
#include <cmath>

namespace tracefold {

namespace {

std::string total_text(const Statistics& statistics, const Statistics::Row& row,
                       Quantity quantity) {
    const Moments& moments = row.figures.of(Over::calls, quantity);
    if (!moments.empty()) {
        return quantity_text(quantity, moments.real_sum(), statistics.rate);
    }
    if (quantity == Quantity::time && row.durations.count() != 0) {
        return quantity_text(quantity, static_cast<double>(row.durations.sum()), statistics.rate);
    }
    return "-";
}

/// Count, mean, deviation, smallest and largest.
std::vector<std::string> detail_texts(const Statistics& statistics, const Statistics::Row& row,
                                      const StatisticsView& view) {
    const Moments& moments = row.figures.of(view.over, view.quantity);
    const auto text = [&](double value) {
        return quantity_text(view.quantity, value, statistics.rate);
    };
    const auto whole = [&](u64 value) {
        return value == kOverflow ? std::string(kOverflowText) : text(static_cast<double>(value));
    };
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

bool has_samples(const Statistics& statistics) {
    return std::ranges::any_of(
        statistics.rows, [](const Statistics::Row& row) { return row.figures.samples() != 0; });
}

std::vector<Table::Column> columns_of(std::string_view by, bool files, bool samples) {
    std::vector<Table::Column> columns = {{std::string(by)}, {"locations", kRight},
                                          {"calls", kRight}, {"time", kRight},
                                          {"sent", kRight},  {"received", kRight}};
    if (files) columns.insert(columns.end(), {{"read", kRight}, {"written", kRight}});
    // Of the call stack.
    if (samples) columns.insert(columns.end(), {{"self", kRight}, {"total", kRight}});
    columns.insert(columns.end(), {{"samples", kRight},
                                   {"mean", kRight},
                                   {"deviation", kRight},
                                   {"min", kRight},
                                   {"max", kRight}});
    return columns;
}

/// A size, or the sum of a location, that needs more than 64 bits costs the figures that it is in.
void print_overflows(const Statistics& statistics, Console& console) {
    for (const Statistics::Row& row : statistics.rows) {
        for (const Over over : {Over::calls, Over::ranks, Over::iterations}) {
            for (const Quantity quantity :
                 {Quantity::sent, Quantity::received, Quantity::read, Quantity::written}) {
                if (!row.figures.of(over, quantity).overflows()) continue;
                console.out() << "  overflow: bytes " << quantity_name(quantity) << " of "
                              << printable(row.name()) << " over " << over_name(over)
                              << " need more than 64 bits\n";
            }
        }
    }
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
    print_overflows(statistics, console);
    if (statistics.unknown_sizes != 0) {
        console.out()
            << "  " << format_count(statistics.unknown_sizes)
            << " reads and writes, whose size is not recorded, are in no figure of bytes\n";
    }
    if (statistics.backwards != 0) {
        console.out() << "  " << format_count(statistics.backwards)
                      << " calls have no time, since their clock ran backwards\n";
    }
    print_nesting(statistics.nesting, console);
}

}  // namespace

std::string quantity_text(Quantity quantity, double value, TickRate rate) {
    if (std::isnan(value)) return std::string(kOverflowText);
    if (quantity == Quantity::time) return format_time(rate.seconds(value));
    const bool counts = quantity == Quantity::calls || quantity == Quantity::self_samples ||
                        quantity == Quantity::total_samples;
    return counts ? format_count(rounded(value)) : format_bytes(value);
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
    const bool samples = has_samples(statistics);
    if (samples) {
        console.out()
            << "  self, total: samples of the call stack in the region itself, and with it "
               "anywhere on the stack\n";
    }
    Table table(columns_of(view.by, files, samples));
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
        if (samples) {
            cells.push_back(total_text(statistics, row, Quantity::self_samples));
            cells.push_back(total_text(statistics, row, Quantity::total_samples));
        }
        for (std::string& text : detail_texts(statistics, row, view)) {
            cells.push_back(std::move(text));
        }
        table.add_row(std::move(cells));
    }
    table.print(console.out(), 2);
    if (view.accelerators) print_streams(*view.accelerators, console);
    print_gaps(view.gaps, GapScope::events, console);
}

}  // namespace tracefold
