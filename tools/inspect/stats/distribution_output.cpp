// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "core/csv_table.hpp"
#include "inspect/stats/stats.hpp"
#include "tables/statistics_table.hpp"

namespace tracefold {

namespace {

void write_bound(const Distribution& distribution, std::string_view name, u64 value,
                 JsonWriter& json) {
    if (distribution.quantity == Quantity::time) {
        json.member(name, distribution.rate.seconds(value));
    } else {
        json.member(name, value);
    }
}

void write_counts(const Distribution& distribution, const Distribution::Row& row,
                  JsonWriter& json) {
    json.key("counts").begin_array();
    for (u32 column = 0; column < distribution.columns; ++column) {
        json.begin_array();
        for (u32 bin = 0; bin < distribution.bins.count(); ++bin) {
            json.value(distribution.at(row, column, bin));
        }
        json.end_array();
    }
    json.end_array();
}

}  // namespace

void write_distribution_row(const Distribution& distribution, const Distribution::Row& row,
                            JsonWriter& json) {
    json.begin_object();
    write_list("path", row.path, json);
    if (row.durations.count() != 0) {
        json.key("durations").begin_object();
        write_log_bins(row.durations, distribution.rate, json);
        json.end_object();
    } else {
        json.key("samples").begin_object();
        write_moments(row.moments, distribution.quantity, distribution.rate, json);
        json.end_object();
        write_counts(distribution, row, json);
    }
    json.end_object();
}

void write_bins(const Distribution& distribution, JsonWriter& json) {
    json.key("bins").begin_array();
    for (u32 bin = 0; bin < distribution.bins.count(); ++bin) {
        json.begin_object();
        write_bound(distribution, "from", distribution.bins.first(bin), json);
        write_bound(distribution, "to", distribution.bins.last(bin), json);
        json.end_object();
    }
    json.end_array();
}

void write_distribution_csv(const Distribution& distribution, std::ostream& out) {
    CsvTable table(out);
    put_distribution(distribution, table);
}

void write_distribution_json(const Distribution& distribution, const DistributionTitle& title,
                             Console& console) {
    JsonWriter json = begin_document(console, "histogram");
    json.member("file", title.file)
        .member("what", title.what)
        .member("timing", timing_name(distribution.timing))
        .member("metric", quantity_name(distribution.quantity))
        .member("over", over_name(distribution.over))
        .member("iterations", distribution.iterations)
        .member("columns", distribution.columns);
    if (distribution.columns > 1) {
        json.member("iterations_per_column", distribution.per_column);
    }
    json.member("backwards", distribution.backwards);
    write_bins(distribution, json);
    json.key("rows").begin_array();
    for (const Distribution::Row& row : distribution.rows) {
        write_distribution_row(distribution, row, json);
    }
    json.end_array().end_object();
}

}  // namespace tracefold
