// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "common/losses.hpp"
#include "core/csv_table.hpp"
#include "inspect/gaps.hpp"
#include "inspect/stats/stats.hpp"
#include "tables/statistics_table.hpp"

namespace tracefold {

namespace {

constexpr Over kAllOvers[] = {Over::calls, Over::ranks, Over::iterations};
constexpr Quantity kAllQuantities[] = {
    Quantity::calls, Quantity::time,    Quantity::sent,         Quantity::received,
    Quantity::read,  Quantity::written, Quantity::self_samples, Quantity::total_samples};

void write_row(const Statistics::Row& row, TickRate rate, JsonWriter& json) {
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
            write_moments(moments, quantity, rate, json);
            json.end_object();
        }
    }
    json.end_array();
    if (row.durations.count() != 0) {
        json.key("durations").begin_object();
        json.member("count", row.durations.count())
            .member("sum", rate.seconds(row.durations.sum()))
            .member("min", rate.seconds(row.durations.min()))
            .member("max", rate.seconds(row.durations.max()));
        write_log_bins(row.durations, rate, json);
        json.end_object();
    }
    json.end_object();
}

}  // namespace

void write_statistics_csv(const Statistics& statistics, std::ostream& out) {
    CsvTable table(out);
    put_statistics(statistics, table);
}

void write_moments(const Moments& moments, Quantity quantity, TickRate rate, JsonWriter& json) {
    const auto unit = [&](double value) {
        return quantity == Quantity::time ? rate.seconds(value) : value;
    };
    const auto whole = [&](std::string_view name, u64 value) {
        if (value == kOverflow) {
            json.key(name).null();
        } else if (quantity == Quantity::time) {
            json.member(name, rate.seconds(value));
        } else {
            json.member(name, value);
        }
    };
    json.member("count", moments.count());
    if (const std::optional<u64> sum = moments.total()) {
        whole("sum", *sum);
    } else {
        json.member("sum", unit(moments.real_sum()));
    }
    json.member("mean", unit(moments.mean())).member("deviation", unit(moments.deviation()));
    whole("min", moments.min());
    whole("max", moments.max());
}

void write_log_bins(const LogHistogram& durations, TickRate rate, JsonWriter& json) {
    json.key("bins").begin_array();
    for (u32 bucket = 0; bucket < durations.buckets().size(); ++bucket) {
        if (durations.buckets()[bucket] == 0) continue;
        const u64 first = log_bucket_start(bucket);
        const u64 last = first + (log_bucket_width(bucket) - 1);
        json.begin_object()
            .member("from", rate.seconds(first))
            .member("to", rate.seconds(last))
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
    if (statistics.unknown_sizes != 0) json.member("unknown_sizes", statistics.unknown_sizes);
    add_gaps(json, view.gaps, GapScope::events);
    write_nesting(statistics.nesting, json);
    json.key("rows").begin_array();
    for (const Statistics::Row& row : statistics.rows) {
        write_row(row, statistics.rate, json);
    }
    json.end_array();
    if (view.accelerators) write_streams(*view.accelerators, json);
    json.end_object();
}

}  // namespace tracefold
