// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/function_tables.hpp"

#include "core/error.hpp"
#include "fold/column_builder.hpp"
#include "fold/column_size.hpp"
#include "model/rank_function.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

/// Numbers of a participant, and of all participants, beyond which no functions are looked for.
constexpr u64 kMostNumbers = u64{1} << 16U;
constexpr u64 kMostOfAll = u64{1} << 21U;
/// Numbers of a folded column that are looked at: those behind them have to repeat them.
constexpr u64 kMostFolded = u64{1} << 9U;
/// Lookups of one table: what the cells of a multi-partition say is the same in all its sweeps.
constexpr std::size_t kMostLookups = 24;
/// Participants beyond which no lookups are looked for.
constexpr std::size_t kMostCells = std::size_t{1} << 14U;
/// Grids of more participants are not looked for.
constexpr std::size_t kMostParticipants = std::size_t{1} << 16U;

/// The first numbers of one column, as many as it has, as it repeats, or as are looked at.
struct Sequence {
    enum class End : u8 { here, never, later };

    std::vector<u64> numbers;
    End end = End::here;
};

/// Numbers of a folded column; counting stops beyond `most`.
u64 folded_length(const FoldedSource& source, const Column& column, u64 most) {
    PatternCursor cursor(source, column.pattern, column.counts);
    PatternCursor::Run run{};
    u64 length = column.form == Column::Form::differences ? 1 : 0;
    while (length <= most && cursor.next(run)) length += run.count;
    return length;
}

std::optional<Sequence> sequence_of(const FoldedSource& source, u32 id) {
    const Column& column = source.columns[id];
    switch (column.form) {
        case Column::Form::list:
        case Column::Form::periodic:
            if (column.values.empty() || column.values.size() > kMostNumbers) return std::nullopt;
            return Sequence{column.values, column.form == Column::Form::list
                                               ? Sequence::End::here
                                               : Sequence::End::never};
        case Column::Form::constant:
            return Sequence{{column.start}, Sequence::End::never};
        case Column::Form::folded:
        case Column::Form::differences:
            break;
        default:
            return std::nullopt;
    }
    const u64 length = folded_length(source, column, kMostFolded);
    return Sequence{unwind(source, id, std::min(length, kMostFolded)),
                    length > kMostFolded ? Sequence::End::later : Sequence::End::here};
}

/// Whether a column has the numbers of the sequence again and again, to its end.
bool repeats(const FoldedSource& source, u32 id, const Sequence& sequence, std::size_t period) {
    u64 left = folded_length(source, source.columns[id], ~u64{0} >> 1U);
    ColumnCursor cursor(source, id);
    for (std::size_t k = 0; left > 0; --left, k = k + 1 == period ? 0 : k + 1) {
        if (cursor.next() != sequence.numbers[k]) return false;
    }
    return true;
}

/// The shortest period (Knuth, Morris, Pratt); one that does not end is whole periods.
std::size_t period_of(const Sequence& sequence) {
    const std::vector<u64>& numbers = sequence.numbers;
    std::vector<std::size_t> border(numbers.size() + 1, 0);
    for (std::size_t i = 1, length = 0; i < numbers.size(); ++i) {
        while (length > 0 && numbers[i] != numbers[length]) length = border[length];
        if (numbers[i] == numbers[length]) ++length;
        border[i + 1] = length;
    }
    const std::size_t period = numbers.size() - border.back();
    const bool is_whole = sequence.end != Sequence::End::never || numbers.size() % period == 0;
    return is_whole ? period : numbers.size();
}

/// The numbers of all columns of an assignment, brought to one length.
class NumberTable {
  public:
    /// False if that is not possible.
    bool fill(const FoldedSource& source, std::span<const u32> column_of_participant) {
        u64 total = 0;
        for (const u32 id : column_of_participant) {
            if (sequences_.contains(id)) continue;
            std::optional<Sequence> sequence = sequence_of(source, id);
            if (!sequence) return false;
            total += sequence->numbers.size();
            if (total > kMostOfAll) return false;
            sequences_.emplace(id, std::move(*sequence));
        }
        return find_size() && size_ * column_of_participant.size() <= kMostOfAll;
    }

    /// Whether what was not looked at so far repeats the numbers. Cost: linear in it.
    [[nodiscard]] bool holds(const FoldedSource& source) const {
        return std::all_of(sequences_.begin(), sequences_.end(), [&](const auto& entry) {
            return entry.second.end != Sequence::End::later ||
                   repeats(source, entry.first, entry.second, size_);
        });
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool periodic() const { return periodic_; }
    /// A number of a column.
    [[nodiscard]] u64 at(u32 column, std::size_t number) const {
        const std::vector<u64>& numbers = sequences_.at(column).numbers;
        return numbers[number % numbers.size()];
    }

  private:
    /// What all of them repeat, else their common length.
    bool find_size() {
        std::size_t common = 1;
        std::size_t least = kMostNumbers;
        for (const auto& [id, sequence] : sequences_) {
            common = std::lcm(common, period_of(sequence));
            if (common > kMostNumbers) return false;
            if (sequence.end == Sequence::End::never) continue;
            least = std::min(least, sequence.numbers.size());
        }
        periodic_ = common <= least;
        size_ = periodic_ ? common : least;
        return periodic_ ||
               std::all_of(sequences_.begin(), sequences_.end(), [&](const auto& entry) {
                   return entry.second.end == Sequence::End::here &&
                          entry.second.numbers.size() == size_;
               });
    }

    std::map<u32, Sequence> sequences_;
    std::size_t size_ = 0;
    bool periodic_ = false;
};

/// A number of all participants: a function, or a lookup where it leads to.
struct PlacedNumber {
    RankFunction function;
    u32 lookup = 0;  ///< 0: none; else 1 + number of the lookup
};

/// Looks for functions of all numbers in a grid.
class FunctionFinder {
  public:
    FunctionFinder(const NumberTable& numbers, std::span<const u32> columns, const RankGrid& grid)
        : numbers_(numbers), columns_(columns), grid_(grid), values_(columns.size()) {}

    /// False if some number is no function and no lookup of `most` ones.
    bool find(std::size_t most) {
        for (std::size_t number = 0; number < numbers_.size(); ++number) {
            for (std::size_t p = 0; p < columns_.size(); ++p) {
                values_[p] = numbers_.at(columns_[p], number);
            }
            if (!place(most)) return false;
        }
        return true;
    }

    [[nodiscard]] const std::vector<PlacedNumber>& placed() const { return placed_; }
    [[nodiscard]] const std::vector<std::vector<u64>>& lookups() const { return lookups_; }

  private:
    /// Numbers that all participants have alike are placed once.
    bool place(std::size_t most) {
        const auto [known, fresh] = known_numbers_.try_emplace(values_);
        if (fresh && !fit(most, known->second)) return false;
        placed_.push_back(known->second);
        return true;
    }

    bool fit(std::size_t most, PlacedNumber& placed) {
        if (std::optional<RankFunction> function = fit_function(grid_, values_)) {
            placed.function = std::move(*function);
            return true;
        }
        if (most == 0) return false;
        placed.function = find_blocks(grid_, values_);
        std::vector<u64> lookup(values_.size());
        for (u64 p = 0; p < values_.size(); ++p) {
            lookup[evaluate(placed.function, grid_, p)] = values_[p];
        }
        const auto known = std::find(lookups_.begin(), lookups_.end(), lookup);
        placed.lookup = 1 + static_cast<u32>(known - lookups_.begin());
        if (known == lookups_.end()) lookups_.push_back(std::move(lookup));
        return lookups_.size() <= most;
    }

    const NumberTable& numbers_;
    std::span<const u32> columns_;
    const RankGrid& grid_;
    std::vector<u64> values_;
    std::vector<PlacedNumber> placed_;
    std::vector<std::vector<u64>> lookups_;
    std::map<std::vector<u64>, PlacedNumber> known_numbers_;
};

/// The columns of a table's parameters over its numbers.
std::vector<u32> parameters_of(StructurePool& pool, const std::vector<PlacedNumber>& numbers) {
    std::vector<ColumnBuilder> builders;
    const std::size_t dimensions = numbers[0].function.terms.size();
    builders.resize(1 + dimensions * (2 + dimensions));
    for (const PlacedNumber& number : numbers) {
        auto builder = builders.begin();
        builder++->push(number.function.base);
        for (const RankFunction::Term& term : number.function.terms) {
            builder++->push(term.stride);
            builder++->push(term.offset);
            for (const u32 coefficient : term.coefficients) builder++->push(coefficient);
        }
    }
    std::vector<u32> columns;
    for (ColumnBuilder& builder : builders) columns.push_back(builder.finish(pool));
    return columns;
}

FunctionTable table_of(StructurePool& pool, const NumberTable& numbers,
                       const FunctionFinder& finder, const RankGrid& grid) {
    FunctionTable table{grid.sizes(),
                        static_cast<u32>(numbers.size()),
                        numbers.periodic(),
                        parameters_of(pool, finder.placed()),
                        {},
                        kNone};
    if (finder.lookups().empty()) return table;
    ColumnBuilder lookup_of;
    for (const PlacedNumber& number : finder.placed()) lookup_of.push(number.lookup);
    table.lookup_of = lookup_of.finish(pool);
    for (const std::vector<u64>& lookup : finder.lookups()) {
        ColumnBuilder values;
        for (const u64 value : lookup) values.push(value);
        table.lookups.push_back(values.finish(pool));
    }
    return table;
}

[[noreturn]] void corrupt(const char* what) { throw Error(ErrorKind::corrupt, what); }

/// The numbers of one table, participant by participant.
class TableReader {
  public:
    TableReader(const FoldedSource& source, const FunctionTable& table)
        : table_(table), grid_(table.grid) {
        const std::size_t dimensions = grid_.dimensions();
        functions_.resize(table.size);
        auto parameter = table.parameters.begin();
        const auto next = [&] { return unwind(source, *parameter++, table.size); };
        const std::vector<u64> bases = next();
        for (u32 k = 0; k < table.size; ++k) functions_[k].base = bases[k];
        for (std::size_t d = 0; d < dimensions; ++d) {
            const std::vector<u64> strides = next();
            const std::vector<u64> offsets = next();
            std::vector<std::vector<u64>> coefficients;
            for (std::size_t i = 0; i < dimensions; ++i) coefficients.push_back(next());
            for (u32 k = 0; k < table.size; ++k) {
                RankFunction::Term term{strides[k], below(offsets[k], d), {}};
                for (const auto& column : coefficients) {
                    term.coefficients.push_back(below(column[k], d));
                }
                functions_[k].terms.push_back(std::move(term));
            }
        }
        lookup_of_.assign(table.size, 0);
        if (table.lookup_of != kNone) lookup_of_ = unwind(source, table.lookup_of, table.size);
        for (const u32 column : table.lookups) {
            lookups_.push_back(unwind(source, column, grid_.participants()));
        }
    }

    [[nodiscard]] Column column(u64 participant) const {
        Column column;
        column.form = table_.periodic ? Column::Form::periodic : Column::Form::list;
        for (u32 k = 0; k < table_.size; ++k) column.values.push_back(number(k, participant));
        return column;
    }

  private:
    [[nodiscard]] u64 number(u32 k, u64 participant) const {
        const u64 value = evaluate(functions_[k], grid_, participant);
        if (lookup_of_[k] == 0) return value;
        if (lookup_of_[k] > lookups_.size() || value >= grid_.participants()) {
            corrupt("a function leaves its grid");
        }
        return lookups_[lookup_of_[k] - 1][value];
    }

    [[nodiscard]] u32 below(u64 number, std::size_t dimension) const {
        if (number >= grid_.sizes()[dimension]) corrupt("a function leaves its grid");
        return static_cast<u32>(number);
    }

    const FunctionTable& table_;
    RankGrid grid_;
    std::vector<RankFunction> functions_;
    std::vector<u64> lookup_of_;             ///< by number; 0: none
    std::vector<std::vector<u64>> lookups_;  ///< by place
};

}  // namespace

std::optional<FunctionTable> find_functions(StructurePool& pool, const FoldedSource& source,
                                            std::span<const u32> column_of_participant, u64 most) {
    const std::size_t participants = column_of_participant.size();
    if (participants > kMostParticipants) return std::nullopt;
    NumberTable numbers;
    if (!numbers.fill(source, column_of_participant)) return std::nullopt;
    const std::vector<RankGrid> grids = grids_of(static_cast<u32>(participants));
    for (const std::size_t most_lookups : {std::size_t{0}, kMostLookups}) {
        for (const RankGrid& grid : grids) {
            const bool has_cells = participants <= kMostCells && grid.dimensions() == 2 &&
                                   grid.sizes()[0] == grid.sizes()[1];
            if (most_lookups != 0 && !has_cells) continue;
            FunctionFinder finder(numbers, column_of_participant, grid);
            if (!finder.find(most_lookups)) continue;
            FunctionTable table = table_of(pool, numbers, finder, grid);
            if (table_size(pool, table) >= most || !numbers.holds(source)) return std::nullopt;
            return table;
        }
    }
    return std::nullopt;
}

u64 table_size(const StructurePool& pool, const FunctionTable& table) {
    constexpr u64 kHead = 4;
    u64 size = kHead + table.grid.size();
    for (const u32 column : table.parameters) size += 1 + column_size(pool, column);
    for (const u32 column : table.lookups) size += 1 + column_size(pool, column);
    return table.lookups.empty() ? size : size + 2 + column_size(pool, table.lookup_of);
}

void unfold_tables(Structure& structure, Assignment& assignment, u64& limit) {
    const RankGrid grid(assignment.tables[0].grid);
    const u64 participants = grid.participants();
    u64 most = 1;
    for (const FunctionTable& table : assignment.tables) most = std::max<u64>(most, table.size);
    const u64 parameters = assignment.tables[0].parameters.size();
    if (participants > limit / (most + 1) || most > limit / parameters) {
        corrupt("there are more columns than the locations can have");
    }
    limit -= participants * (most + 1);
    const FoldedSource source{structure.patterns, structure.columns};
    std::vector<TableReader> tables;
    for (const FunctionTable& table : assignment.tables) tables.emplace_back(source, table);
    const std::vector<u64> table_of = unwind(source, assignment.table_of, participants);
    Column classes{Column::Form::list, 0, 0, {}, kNone, kNone, {}};
    std::map<std::pair<Column::Form, std::vector<u64>>, u64> known;
    std::vector<Column> columns;
    for (u64 participant = 0; participant < participants; ++participant) {
        if (table_of[participant] >= tables.size()) corrupt("an argument has no table");
        Column column = tables[table_of[participant]].column(participant);
        const auto [found, fresh] =
            known.emplace(std::pair(column.form, column.values), known.size());
        if (fresh) columns.push_back(std::move(column));
        classes.values.push_back(found->second);
    }
    for (Column& column : columns) {
        assignment.columns.push_back(static_cast<u32>(structure.columns.size()));
        structure.columns.push_back(std::move(column));
    }
    assignment.by_participant = static_cast<u32>(structure.columns.size());
    structure.columns.push_back(std::move(classes));
}

}  // namespace tracefold
