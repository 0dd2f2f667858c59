// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tables/classes_table.hpp"

#include "names/participant_names.hpp"
#include "tables/statistics_table.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Streams of accelerators and metrics call no MPI; they would be one more class.
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
        const Moments moments = row == nullptr ? Moments() : row->figures.of(Over::ranks, quantity);
        const std::optional<u64> sum = moments.empty() ? std::nullopt : moments.total();
        sum ? table.whole(*sum) : table.none();
    }
    const Moments times = row == nullptr ? Moments() : row->figures.of(Over::ranks, Quantity::time);
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
