// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "core/csv_table.hpp"
#include "inspect/stats/classes.hpp"

namespace tracefold {

namespace {

constexpr Quantity kAllClassQuantities[] = {
    Quantity::calls, Quantity::time,    Quantity::sent,         Quantity::received,
    Quantity::read,  Quantity::written, Quantity::self_samples, Quantity::total_samples};

void write_class(const ClassesView& view, std::size_t number, JsonWriter& json) {
    json.begin_object()
        .member("locations", view.classes.classes[number].size())
        .member("participants", view.participants[number]);
    write_list("members", view.classes.classes[number].members(), json);
    json.key("figures").begin_array();
    if (const Statistics::Row* row = view.statistics_of(number)) {
        for (const Quantity quantity : kAllClassQuantities) {
            const Moments& moments = row->figures.of(Over::ranks, quantity);
            if (moments.empty()) continue;
            json.begin_object().member("metric", quantity_name(quantity));
            write_moments(moments, quantity, view.statistics.rate, json);
            json.end_object();
        }
    }
    json.end_array();
    if (const Distribution::Row* row = view.distribution_of(number)) {
        write_distribution_row(*view.distribution, *row, json.key("histogram"));
    }
    json.end_object();
}

void write_columns(const RankClasses& classes, JsonWriter& json) {
    json.key("iterations").begin_array();
    for (std::size_t i = 0; i < classes.columns.size(); ++i) {
        const auto [first, last] = iterations_of(classes, i);
        const RankClasses::Column& column = classes.columns[i];
        json.begin_object()
            .member("first", first)
            .member("last", last)
            .member("locations", column.locations)
            .member("classes", column.classes)
            .member("largest", column.largest)
            .member("changed", column.changed)
            .member("moved", column.moved)
            .end_object();
    }
    json.end_array();
}

}  // namespace

void write_classes_csv(const ClassesView& view, std::ostream& out) {
    CsvTable table(out);
    put_classes(view, table);
}

void write_classes_json(const ClassesView& view, Console& console) {
    JsonWriter json = begin_document(console, "classes");
    json.member("file", view.file)
        .member("by", view.by)
        .member("what", view.what)
        .member("locations", view.classes.locations)
        .member("reduction", view.classes.reduction());
    json.key("classes").begin_array();
    for (std::size_t i = 0; i < view.classes.classes.size(); ++i) write_class(view, i, json);
    json.end_array();
    if (view.distribution) write_bins(*view.distribution, json);
    if (!view.classes.columns.empty()) write_columns(view.classes, json);
    json.end_object();
}

}  // namespace tracefold
