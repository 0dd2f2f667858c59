// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/csv.hpp"
#include "common/json_document.hpp"
#include "inspect/stats/classes.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr Quantity kAllClassQuantities[] = {Quantity::calls,    Quantity::time, Quantity::sent,
                                            Quantity::received, Quantity::read, Quantity::written};

/// The first and the last iteration of a column.
std::pair<u64, u64> iterations_of(const RankClasses& classes, std::size_t column) {
    const u64 first = column * classes.per_column;
    return {first, std::min(classes.iterations, first + classes.per_column) - 1};
}

void write_iterations(const RankClasses& classes, std::ostream& out) {
    out << "first_iteration,last_iteration,locations,classes,largest,changed,moved\n";
    for (std::size_t i = 0; i < classes.columns.size(); ++i) {
        const auto [first, last] = iterations_of(classes, i);
        const RankClasses::Column& column = classes.columns[i];
        out << first << ',' << last << ',' << column.locations << ',' << column.classes << ','
            << column.largest << ',' << column.changed << ',' << column.moved << '\n';
    }
}

void write_class_lines(const ClassesView& view, std::ostream& out) {
    out << "class,locations,who,calls,sent,received,time,mean,deviation,min,max\n";
    for (std::size_t i = 0; i < view.classes.classes.size(); ++i) {
        out << i << ',' << view.classes.classes[i].size() << ',' << csv_field(view.participants[i]);
        const Statistics::Row* row = view.statistics_of(i);
        for (const Quantity quantity : {Quantity::calls, Quantity::sent, Quantity::received}) {
            out << ',';
            if (row == nullptr) continue;
            const Moments& moments = row->figures.of(Over::ranks, quantity);
            if (!moments.empty()) out << moments.total();
        }
        const Moments times =
            row == nullptr ? Moments() : row->figures.of(Over::ranks, Quantity::time);
        const double sum = static_cast<double>(times.sum());
        for (const double ticks :
             {sum, times.mean(), times.deviation(), static_cast<double>(times.min()),
              static_cast<double>(times.max())}) {
            out << ',';
            if (!times.empty()) out << csv_number(ticks / view.statistics.ticks_per_second);
        }
        out << '\n';
    }
}

void write_class(const ClassesView& view, std::size_t number, JsonWriter& json) {
    json.begin_object()
        .member("locations", view.classes.classes[number].size())
        .member("participants", view.participants[number]);
    json.key("members").begin_array();
    for (const u32 location : view.classes.classes[number].members()) json.value(location);
    json.end_array().key("figures").begin_array();
    if (const Statistics::Row* row = view.statistics_of(number)) {
        for (const Quantity quantity : kAllClassQuantities) {
            const Moments& moments = row->figures.of(Over::ranks, quantity);
            if (moments.empty()) continue;
            json.begin_object().member("metric", quantity_name(quantity));
            write_moments(moments, quantity, view.statistics.ticks_per_second, json);
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
    if (view.distribution) return write_distribution_csv(*view.distribution, out);
    if (!view.classes.columns.empty()) return write_iterations(view.classes, out);
    write_class_lines(view, out);
}

void write_classes_json(const ClassesView& view, Console& console) {
    JsonWriter json(console.out(), console.json_layout());
    begin_document(json, "classes")
        .member("file", view.file)
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
