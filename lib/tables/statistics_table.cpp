// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tables/statistics_table.hpp"

namespace tracefold::inline tables {

namespace {

constexpr Over kOversOfTable[] = {Over::calls, Over::ranks, Over::iterations};
constexpr Quantity kQuantitiesOfTable[] = {Quantity::calls,    Quantity::time, Quantity::sent,
                                           Quantity::received, Quantity::read, Quantity::written};

void put_row(const Statistics::Row& row, Over over, Quantity quantity, double ticks_per_second,
             TableSink& table) {
    const Moments& moments = row.figures.of(over, quantity);
    if (moments.empty()) return;
    const bool timed = quantity == Quantity::time;
    const double unit = timed ? ticks_per_second : 1;
    const auto whole = [&](u64 value) {
        timed ? table.real(static_cast<double>(value) / unit) : table.whole(value);
    };
    table.text(path_text(row.path));
    table.text(row.mpi ? "mpi" : "user");
    table.text(over_name(over));
    table.text(quantity_name(quantity));
    table.whole(moments.count());
    whole(moments.total());
    table.real(moments.mean() / unit);
    table.real(moments.deviation() / unit);
    whole(moments.min());
    whole(moments.max());
}

/// What a file of timing level histogram knows: no deviation.
void put_durations(const Statistics::Row& row, double ticks_per_second, TableSink& table) {
    const LogHistogram& kept = row.durations;
    if (kept.count() == 0) return;
    const auto sum = static_cast<double>(kept.sum());
    table.text(path_text(row.path));
    table.text(row.mpi ? "mpi" : "user");
    table.text("calls");
    table.text("time");
    table.whole(kept.count());
    table.real(sum / ticks_per_second);
    table.real(sum / static_cast<double>(kept.count()) / ticks_per_second);
    table.none();
    table.real(static_cast<double>(kept.min()) / ticks_per_second);
    table.real(static_cast<double>(kept.max()) / ticks_per_second);
}

}  // namespace

std::string path_text(const std::vector<std::string>& path) {
    std::string text;
    for (const std::string& name : path) text += (text.empty() ? "" : " / ") + name;
    return text;
}

void put_statistics(const Statistics& statistics, TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"name"},
                 {"kind"},
                 {"over"},
                 {"metric"},
                 {"count", Type::whole},
                 {"sum", Type::real},
                 {"mean", Type::real},
                 {"deviation", Type::real},
                 {"min", Type::real},
                 {"max", Type::real}});
    for (const Statistics::Row& row : statistics.rows) {
        for (const Over over : kOversOfTable) {
            for (const Quantity quantity : kQuantitiesOfTable) {
                put_row(row, over, quantity, statistics.ticks_per_second, table);
            }
        }
        put_durations(row, statistics.ticks_per_second, table);
    }
}

}  // namespace tracefold::inline tables
