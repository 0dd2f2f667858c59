// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/statistics_table.hpp"

#include "model/participant_names.hpp"

#include <algorithm>
#include <cmath>

namespace tracefold {

namespace {

void put_row(const Statistics::Row& row, SampleScope over, Quantity quantity, const TickRate& rate,
             TableSink& table) {
    const Moments& moments = row.figures.of(over, quantity);
    if (moments.empty()) return;
    const bool timed = quantity == Quantity::time;
    const auto unit = [&](double value) { return timed ? rate.seconds(value) : value; };
    const auto whole = [&](u64 value) {
        if (value == kOverflow) return table.none();
        timed ? table.real(rate.seconds(value)) : table.whole(value);
    };
    const auto real = [&](double value) {
        std::isnan(value) ? table.none() : table.real(unit(value));
    };
    table.text(path_text(row.path));
    table.text(row.mpi ? "mpi" : "user");
    table.text(scope_name(over));
    table.text(quantity_name(quantity));
    table.whole(moments.count());
    const std::optional<u64> sum = moments.total();
    sum ? whole(*sum) : real(moments.real_sum());
    real(moments.mean());
    real(moments.deviation());
    whole(moments.min());
    whole(moments.max());
}

/// Durations of timing level histogram have no deviation.
void put_durations(const Statistics::Row& row, const TickRate& rate, TableSink& table) {
    const LogHistogram& kept = row.durations;
    if (kept.count() == 0) return;
    const auto sum = static_cast<double>(kept.sum());
    table.text(path_text(row.path));
    table.text(row.mpi ? "mpi" : "user");
    table.text("calls");
    table.text("time");
    table.whole(kept.count());
    table.real(rate.seconds(sum));
    table.real(rate.seconds(sum / static_cast<double>(kept.count())));
    table.none();
    table.real(rate.seconds(kept.min()));
    table.real(rate.seconds(kept.max()));
}

/// A bin bound: seconds, or an integer.
void put_bound(const Distribution& distribution, u64 value, TableSink& table) {
    if (distribution.quantity == Quantity::time) {
        table.real(distribution.rate.seconds(value));
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
        for (std::size_t over = 0; over < kOvers; ++over) {
            for (std::size_t quantity = 0; quantity < kQuantities; ++quantity) {
                put_row(row, static_cast<SampleScope>(over), static_cast<Quantity>(quantity),
                        statistics.rate, table);
            }
        }
        put_durations(row, statistics.rate, table);
    }
}

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

namespace {

/// Accelerator streams and metric locations call no MPI: they would form a class of their own.
void keep_threads(const DefinitionIndex& definitions, std::vector<bool>& selected) {
    const std::vector<LocationDefinition>& locations = definitions.locations();
    if (selected.empty()) selected.assign(locations.size(), true);
    for (std::size_t i = 0; i < locations.size(); ++i) {
        if (!locations[i].is_thread()) selected[i] = false;
    }
}

template <class Row>
const Row* row_of(const std::vector<Row>& rows, std::size_t number) {
    const std::string label = RankClasses::label(number);
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const Row& row) { return row.path.front() == label; });
    return found == rows.end() ? nullptr : &*found;
}

void put_iterations(const RankClasses& classes, TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"first_iteration", Type::whole},
                 {"last_iteration", Type::whole},
                 {"locations", Type::whole},
                 {"classes", Type::whole},
                 {"largest", Type::whole},
                 {"changed", Type::whole},
                 {"moved", Type::whole}});
    for (std::size_t i = 0; i < classes.columns.size(); ++i) {
        const auto [first, last] = iterations_of(classes, i);
        const RankClasses::Column& column = classes.columns[i];
        for (const u64 number : {first, last, column.locations, column.classes, column.largest,
                                 column.changed, column.moved}) {
            table.whole(number);
        }
    }
}

void put_figures(const Statistics::Row* row, const TickRate& rate, TableSink& table) {
    for (const Quantity quantity : {Quantity::calls, Quantity::sent, Quantity::received}) {
        const Moments moments =
            row == nullptr ? Moments() : row->figures.of(SampleScope::ranks, quantity);
        const std::optional<u64> sum = moments.empty() ? std::nullopt : moments.total();
        sum ? table.whole(*sum) : table.none();
    }
    const Moments times =
        row == nullptr ? Moments() : row->figures.of(SampleScope::ranks, Quantity::time);
    const double sum = static_cast<double>(times.sum());
    for (const double ticks :
         {sum, times.mean(), times.deviation(), static_cast<double>(times.min()),
          static_cast<double>(times.max())}) {
        times.empty() ? table.none() : table.real(rate.seconds(ticks));
    }
}

void put_class_rows(const ClassFigures& figures, TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"class", Type::whole},
                 {"locations", Type::whole},
                 {"who"},
                 {"calls", Type::whole},
                 {"sent", Type::whole},
                 {"received", Type::whole},
                 {"time", Type::real},
                 {"mean", Type::real},
                 {"deviation", Type::real},
                 {"min", Type::real},
                 {"max", Type::real}});
    for (std::size_t i = 0; i < figures.classes.classes.size(); ++i) {
        table.whole(i);
        table.whole(figures.classes.classes[i].size());
        table.text(figures.participants[i]);
        put_figures(figures.statistics_of(i), figures.statistics.rate, table);
    }
}

}  // namespace

const Statistics::Row* ClassFigures::statistics_of(std::size_t number) const {
    return row_of(statistics.rows, number);
}

const Distribution::Row* ClassFigures::distribution_of(std::size_t number) const {
    return distribution ? row_of(distribution->rows, number) : nullptr;
}

ClassFigures collect_figures(Communicator& comm, TraceFile& file, ClassRequest request,
                             SampleRequest samples, int fanout) {
    keep_threads(file.definitions(), request.selected);
    samples.selected = request.selected;
    ClassFigures figures;
    figures.classes = collect_classes(comm, file, request, fanout);
    const ParticipantNames names(file.definitions());
    for (const ParticipantList& members : figures.classes.classes) {
        figures.participants.push_back(names.text(members));
    }
    samples.iterations = false;
    samples.count_iterations = false;
    keep_apart(figures.classes, file.location_count(), samples.rows);
    figures.statistics = collect_statistics(comm, file, samples, fanout);
    return figures;
}

std::pair<u64, u64> iterations_of(const RankClasses& classes, std::size_t column) {
    const u64 first = column * classes.per_column;
    return {first, std::min(classes.iterations, first + classes.per_column) - 1};
}

void put_classes(const ClassFigures& figures, TableSink& table) {
    if (figures.distribution) return put_distribution(*figures.distribution, table);
    if (!figures.classes.columns.empty()) return put_iterations(figures.classes, table);
    put_class_rows(figures, table);
}

}  // namespace tracefold
