// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tables/distribution_table.hpp"

#include "tables/statistics_table.hpp"

namespace tracefold::inline tables {

namespace {

/// A bound of a bin: seconds, or a whole number.
void put_bound(const Distribution& distribution, u64 value, TableSink& table) {
    if (distribution.quantity == Quantity::time) {
        table.real(static_cast<double>(value) / distribution.ticks_per_second);
    } else {
        table.whole(value);
    }
}

void put_log_bins(const Distribution& distribution, const Distribution::Row& row,
                  TableSink& table) {
    for (u32 bucket = 0; bucket < row.durations.buckets().size(); ++bucket) {
        const u64 count = row.durations.buckets()[bucket];
        if (count == 0) continue;
        const u64 first = log_bucket_start(bucket);
        table.text(path_text(row.path));
        table.none();
        table.none();
        put_bound(distribution, first, table);
        put_bound(distribution, first + (log_bucket_width(bucket) - 1), table);
        table.whole(count);
    }
}

void put_bins(const Distribution& distribution, const Distribution::Row& row, u32 column,
              TableSink& table) {
    for (u32 bin = 0; bin < distribution.bins.count(); ++bin) {
        table.text(path_text(row.path));
        if (distribution.columns > 1) {
            const auto [first, last] = distribution.iterations_of(column);
            table.whole(first);
            table.whole(last);
        } else {
            table.none();
            table.none();
        }
        put_bound(distribution, distribution.bins.first(bin), table);
        put_bound(distribution, distribution.bins.last(bin), table);
        table.whole(distribution.at(row, column, bin));
    }
}

}  // namespace

void put_distribution(const Distribution& distribution, TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"name"},
                 {"first_iteration", Type::whole},
                 {"last_iteration", Type::whole},
                 {"from", Type::real},
                 {"to", Type::real},
                 {"samples", Type::whole}});
    for (const Distribution::Row& row : distribution.rows) {
        if (row.durations.count() != 0) {
            put_log_bins(distribution, row, table);
            continue;
        }
        for (u32 column = 0; column < distribution.columns; ++column) {
            put_bins(distribution, row, column, table);
        }
    }
}

}  // namespace tracefold::inline tables
