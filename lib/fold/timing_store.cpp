// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/timing_store.hpp"

#include "base/error.hpp"
#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "fold/columns/column_size.hpp"
#include "fold/structure_pool.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

void unite(Durations& mine, const Durations& other) {
    mine.all.merge(other.all);
    unite(mine.means, other.means);
}

bool edge_order(const TimingModel::Edge& a, const TimingModel::Edge& b) {
    return std::pair(a.to, a.from) < std::pair(b.to, b.from);
}

}  // namespace

void TimingStore::merge(const PartialTimings& other) {
    for (const TimingModel::Node& node : other.model.nodes) {
        NodeContent& mine = nodes_[other.symbols[node.symbol]];
        unite(mine.durations, node.durations);
        mine.steps.resize(node.steps.size());
        for (std::size_t i = 0; i < node.steps.size(); ++i) {
            mine.steps[i].count += node.steps[i].count;
            mine.steps[i].sum += node.steps[i].sum;
        }
    }
    for (const TimingModel::Edge& edge : other.model.edges) {
        unite(edges_[{other.symbols[edge.to], other.symbols[edge.from]}], edge.durations);
    }
}

/// Every symbol of an edge has a node.
PartialTimings TimingStore::partial() const {
    PartialTimings partial;
    std::map<ContentHash, u32> number;
    for (const auto& [address, node] : nodes_) {
        const u32 symbol = static_cast<u32>(partial.symbols.size());
        number.emplace(address, symbol);
        partial.symbols.push_back(address);
        partial.model.nodes.push_back({symbol, node.durations, node.steps});
    }
    for (const auto& [ends, durations] : edges_) {
        partial.model.edges.push_back({number.at(ends.second), number.at(ends.first), durations});
    }
    return partial;
}

TimingModel TimingStore::finish(const Structure& structure) const {
    const std::vector<ContentHash> addresses = symbol_addresses(structure.symbols);
    std::map<ContentHash, u32> number;
    for (u32 i = 0; i < addresses.size(); ++i) number.emplace(addresses[i], i);
    TimingModel model;
    for (const auto& [address, node] : nodes_) {
        model.nodes.push_back({number.at(address), node.durations, node.steps});
    }
    std::sort(model.nodes.begin(), model.nodes.end(),
              [](const auto& a, const auto& b) { return a.symbol < b.symbol; });
    for (const auto& [ends, durations] : edges_) {
        model.edges.push_back({number.at(ends.second), number.at(ends.first), durations});
    }
    std::sort(model.edges.begin(), model.edges.end(), edge_order);
    return model;
}

std::vector<ContentHash> symbol_addresses(const std::vector<Symbol>& symbols) {
    std::vector<ContentHash> addresses;
    addresses.reserve(symbols.size());
    for (const Symbol& symbol : symbols) addresses.push_back(content_hash(symbol_key(symbol)));
    return addresses;
}

namespace {

/// Cost of a column besides its letters: the form, the number of the column, a start.
constexpr u64 kColumnMention = 3;

/// The letters with which the pattern of a column yields these numbers; empty if impossible.
std::vector<u64> letters_for(const StructurePool& pool, const Column& column,
                             std::span<const u64> numbers) {
    PatternCursor runs({pool.patterns(), pool.columns()}, column.pattern, column.counts);
    std::vector<std::optional<u64>> known(pool.patterns()[column.pattern].leaf_count);
    PatternCursor::Run run{};
    while (runs.next(run)) {
        if (run.count > numbers.size()) return {};
        std::optional<u64>& letter = known[run.leaf];
        if (!letter) letter = numbers[0];
        const auto here = numbers.first(run.count);
        const bool fits =
            std::all_of(here.begin(), here.end(), [&](u64 n) { return n == *letter; });
        if (!fits) return {};
        numbers = numbers.subspan(run.count);
    }
    if (!numbers.empty()) return {};
    std::vector<u64> letters;
    letters.reserve(known.size());
    for (const std::optional<u64>& letter : known) letters.push_back(letter.value_or(0));
    return letters;
}

std::vector<u64> steps_of(std::span<const u64> values) {
    std::vector<u64> steps;
    steps.reserve(values.size());
    for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(values[i] - values[i - 1]);
    return steps;
}

/// The columns over locations that distinguish locations in a structure. Other values often vary
/// with them: then a column of the same pattern with other letters suffices.
class LikeColumns {
  public:
    /// The structure's columns must be in the pool under the same numbers.
    explicit LikeColumns(const Structure& structure) {
        const auto add = [&](u32 column) {
            if (column != kNone && structure.columns[column].is_folded())
                columns_.push_back(column);
        };
        for (const u32 column : structure.script_of) add(column);
        for (const u32 column : structure.facts) add(column);
        for (const auto* table : {&structure.script_counts, &structure.slots}) {
            for (const std::vector<Assignment>& assignments : *table) {
                for (const Assignment& assignment : assignments) add(assignment.by_participant);
            }
        }
        std::sort(columns_.begin(), columns_.end());
        columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
    }

    /// Returns the shortest column for these values, `own` if no similar one is shorter. Cost:
    /// linear in the values for each column with a matching pattern.
    u32 shortest(StructurePool& pool, std::span<const u64> values, u32 own) const {
        const std::vector<u64> steps = steps_of(values);
        u64 size = column_size(pool, own);
        u32 best = own;
        for (const u32 id : columns_) {
            const Column& known = pool.columns()[id];
            const bool differences = known.form == Column::Form::differences;
            const std::vector<u64> letters = letters_for(pool, known, differences ? steps : values);
            if (letters.empty()) continue;
            Column column = known;
            column.start = differences ? values[0] : 0;
            column.alphabet = intern_alphabet(pool, letters);
            const u64 needed = kColumnMention + column_size(pool, column.alphabet);
            if (needed >= size) continue;
            size = needed;
            best = pool.intern(std::move(column));
        }
        return best;
    }

  private:
    std::vector<u32> columns_;  ///< folded columns
};

/// An impossible value of a mean.
constexpr u64 kNoMean = kMeanPlaces;

template <class Model, class Visit>
void each_durations(Model& model, const Visit& visit) {
    for (auto& node : model.nodes) visit(node.durations);
    for (auto& edge : model.edges) visit(edge.durations);
}

i64 place_of_all(const Durations& durations) {
    return mean_place(rounded_mean(durations.all.mean()));
}

u64 value_of(u64 mean, i64 usual) { return static_cast<u64>(mean_place(mean) - usual); }

/// Precondition: not kNoMean.
u64 mean_of_value(u64 value, i64 usual) {
    const i64 above = static_cast<i64>(value);
    if (above < -usual || above >= i64{kMeanPlaces} - usual) {
        throw Error(ErrorKind::corrupt, "the mean of a location is too large");
    }
    return mean_at(static_cast<u32>(usual + above));
}

/// A pool of the structure's patterns and columns, under the same numbers.
StructurePool pool_of(const Structure& structure) {
    StructurePool pool;
    for (const Pattern& pattern : structure.patterns) pool.intern(pattern);
    for (const Column& column : structure.columns) pool.intern(column);
    return pool;
}

/// Returns the values of the means over the locations.
std::vector<u64> values_of(const Durations& durations, u32 location_count) {
    const i64 usual = place_of_all(durations);
    std::vector<u64> values(location_count, kNoMean);
    for (const MeanRun& run : durations.means) {
        std::fill_n(values.begin() + run.first, run.count, value_of(run.mean, usual));
    }
    return values;
}

/// Folds the means of one set of durations after another.
class MeanFolder {
  public:
    explicit MeanFolder(const Structure& structure)
        : location_count_(structure.location_count), pool_(pool_of(structure)), like_(structure) {}

    u32 fold(const Durations& durations) {
        const std::vector<u64> values = values_of(durations, location_count_);
        ColumnBuilder builder;
        for (const u64 value : values) builder.push(value);
        const u32 own = builder.finish(pool_);
        return pool_.columns()[own].form == Column::Form::constant
                   ? own
                   : like_.shortest(pool_, values, own);
    }

    [[nodiscard]] const StructurePool& pool() const { return pool_; }

  private:
    u32 location_count_;
    StructurePool pool_;
    LikeColumns like_;
};

/// Consecutive locations with the same value of a column.
struct LocationRun {
    u32 first;
    u32 count;
    u64 value;
};

std::vector<LocationRun> runs_of(const FoldedSource& source, u32 column, u32 location_count,
                                 u64& limit) {
    ColumnCursor cursor(source, column);
    std::vector<LocationRun> runs;
    for (u32 location = 0; location < location_count;) {
        const ValueRun stretch = cursor.next_equal(location_count - location);
        const u32 count = static_cast<u32>(stretch.count);
        if (runs.empty() || runs.back().value != stretch.start) {
            if (limit-- == 0) throw Error(ErrorKind::corrupt, "there are too many means");
            runs.push_back({location, 0, stretch.start});
        }
        runs.back().count += count;
        location += count;
    }
    return runs;
}

/// Unfolds means; walks each column once, even if several durations refer to it.
class MeanUnfolder {
  public:
    MeanUnfolder(const MeanColumns& means, u32 location_count, u64 limit)
        : source_{means.patterns, means.columns},
          location_count_(location_count),
          limit_(limit),
          known_(means.columns.size()) {}

    void unfold(u32 column, Durations& durations) {
        if (known_[column].empty()) {
            known_[column] = runs_of(source_, column, location_count_, limit_);
        }
        const i64 usual = place_of_all(durations);
        for (const LocationRun& run : known_[column]) {
            if (run.value == kNoMean) continue;
            if (limit_-- == 0) throw Error(ErrorKind::corrupt, "there are too many means");
            durations.means.push_back({run.first, run.count, mean_of_value(run.value, usual)});
        }
    }

  private:
    FoldedSource source_;
    u32 location_count_;
    u64 limit_;
    std::vector<std::vector<LocationRun>> known_;  ///< by column
};

}  // namespace

FoldedDurations fold_means(TimingModel model, const Structure& structure) {
    MeanFolder folder(structure);
    FoldedDurations folded{std::move(model), {}};
    each_durations(folded.model, [&](Durations& durations) {
        folded.means.of.push_back(folder.fold(durations));
        durations.means.clear();
    });
    folded.means.patterns = folder.pool().patterns();
    folded.means.columns = folder.pool().columns();
    folded.means.known_patterns = static_cast<u32>(structure.patterns.size());
    folded.means.known_columns = static_cast<u32>(structure.columns.size());
    return folded;
}

TimingModel unfold_means(FoldedDurations folded, u32 location_count, u64 limit) {
    MeanUnfolder unfolder(folded.means, location_count, limit);
    auto column = folded.means.of.begin();
    each_durations(folded.model,
                   [&](Durations& durations) { unfolder.unfold(*column++, durations); });
    return std::move(folded.model);
}

}  // namespace tracefold
