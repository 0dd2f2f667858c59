// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "common/losses.hpp"
#include "core/csv_table.hpp"
#include "inspect/stats/stats.hpp"
#include "tables/statistics_table.hpp"

namespace tracefold {

namespace {

constexpr Over kAllOvers[] = {Over::calls, Over::ranks, Over::iterations};
constexpr Quantity kAllQuantities[] = {Quantity::calls,    Quantity::time, Quantity::sent,
                                       Quantity::received, Quantity::read, Quantity::written};

void write_row(const Statistics::Row& row, double ticks_per_second, JsonWriter& json) {
    json.begin_object();
    write_list("path", row.path, json).member("mpi", row.mpi).member("calls", row.figures.calls());
    json.member("locations", row.figures.ranks());
    json.key("figures").begin_array();
    for (const Over over : kAllOvers) {
        for (const Quantity quantity : kAllQuantities) {
            const Moments& moments = row.figures.of(over, quantity);
            if (moments.empty()) continue;
            json.begin_object()
                .member("over", over_name(over))
                .member("metric", quantity_name(quantity));
            write_moments(moments, quantity, ticks_per_second, json);
            json.end_object();
        }
    }
    json.end_array();
    if (row.durations.count() != 0) {
        json.key("durations").begin_object();
        json.member("count", row.durations.count())
            .member("sum", static_cast<double>(row.durations.sum()) / ticks_per_second)
            .member("min", static_cast<double>(row.durations.min()) / ticks_per_second)
            .member("max", static_cast<double>(row.durations.max()) / ticks_per_second);
        write_log_bins(row.durations, ticks_per_second, json);
        json.end_object();
    }
    json.end_object();
}

}  // namespace

void write_statistics_csv(const Statistics& statistics, std::ostream& out) {
    CsvTable table(out);
    put_statistics(statistics, table);
}

void write_moments(const Moments& moments, Quantity quantity, double ticks_per_second,
                   JsonWriter& json) {
    const double unit = quantity == Quantity::time ? ticks_per_second : 1;
    const auto whole = [&](std::string_view name, u64 value) {
        if (quantity == Quantity::time) {
            json.member(name, static_cast<double>(value) / unit);
        } else {
            json.member(name, value);
        }
    };
    json.member("count", moments.count());
    whole("sum", moments.total());
    json.member("mean", moments.mean() / unit).member("deviation", moments.deviation() / unit);
    whole("min", moments.min());
    whole("max", moments.max());
}

void write_log_bins(const LogHistogram& durations, double ticks_per_second, JsonWriter& json) {
    json.key("bins").begin_array();
    for (u32 bucket = 0; bucket < durations.buckets().size(); ++bucket) {
        if (durations.buckets()[bucket] == 0) continue;
        const u64 first = log_bucket_start(bucket);
        const u64 last = first + (log_bucket_width(bucket) - 1);
        json.begin_object()
            .member("from", static_cast<double>(first) / ticks_per_second)
            .member("to", static_cast<double>(last) / ticks_per_second)
            .member("count", durations.buckets()[bucket])
            .end_object();
    }
    json.end_array();
}

void write_statistics_json(const Statistics& statistics, const StatisticsView& view,
                           Console& console) {
    JsonWriter json = begin_document(console, "stats");
    json.member("file", view.file)
        .member("by", view.by)
        .member("timing", timing_name(statistics.timing))
        .member("locations", statistics.locations)
        .member("iterations", statistics.iterations)
        .member("backwards", statistics.backwards);
    write_nesting(statistics.nesting, json);
    json.key("rows").begin_array();
    for (const Statistics::Row& row : statistics.rows) {
        write_row(row, statistics.ticks_per_second, json);
    }
    json.end_array();
    if (view.accelerators) write_streams(*view.accelerators, json);
    json.end_object();
}

}  // namespace tracefold
