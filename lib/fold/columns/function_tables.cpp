// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/function_tables.hpp"

#include "base/error.hpp"
#include "fold/column_values.hpp"
#include "fold/columns/column_size.hpp"
#include "fold/columns/function_draft.hpp"
#include "fold/columns/function_reader.hpp"
#include "fold/columns/merged_functions.hpp"
#include "fold/columns/ordered_functions.hpp"
#include "fold/structure_pool.hpp"
#include "model/rank_function.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace tracefold {

/// Finds functions for participants with equally many numbers; nothing if a number is no function
/// on any grid. Precondition: the numbers have a size. Cost: the numbers of all participants, for
/// each grid.
std::optional<FunctionDraft> find_uniform(const NumberTable& numbers, std::span<const u32> columns);

/// Duplicates functions until number k has function k, which makes their order implicit.
FunctionDraft with_one_each(const FunctionDraft& draft);

/// Replaces offsets as make_steady() does. Precondition: all numbers are present everywhere.
FunctionDraft with_steady_offsets(FunctionDraft draft);

namespace {

/// Maximum number of participants for grids.
constexpr std::size_t kMostParticipants = std::size_t{1} << 16U;

/// Maximum total of numbers for merging sequences.
constexpr u64 kMostMergedNumbers = u64{1} << 20U;

bool fill_argument(MergedArgument& argument, const NumberTable& numbers,
                   std::span<const u32> columns) {
    u64 total = 0;
    for (const u32 column : columns) {
        argument.numbers.push_back(numbers.numbers(column));
        total += argument.numbers.back().size();
        if (total > kMostMergedNumbers) return false;
    }
    return true;
}

/// The lengths of all participants' sequences; endless arguments adopt those of the others.
class SequenceLengths {
  public:
    explicit SequenceLengths(std::size_t participants) : lengths_(participants) {}

    /// Returns false if they differ from the previous ones.
    bool add(const NumberTable& numbers, std::span<const u32> columns) {
        std::vector<std::optional<std::size_t>> lengths = lengths_;
        for (std::size_t p = 0; p < columns.size(); ++p) {
            const auto own = numbers.length(columns[p]);
            if (own && lengths[p] && *own != *lengths[p]) return false;
            if (own) lengths[p] = own;
        }
        lengths_ = std::move(lengths);
        return true;
    }

    [[nodiscard]] bool all_known() const {
        return std::all_of(lengths_.begin(), lengths_.end(),
                           [](const auto& length) { return length.has_value(); });
    }
    [[nodiscard]] std::size_t of(std::size_t participant) const { return *lengths_[participant]; }

  private:
    std::vector<std::optional<std::size_t>> lengths_;
};

std::optional<std::vector<MergedArgument>> together(std::span<const NumberTable> numbers,
                                                    std::span<const TogetherArgument> arguments) {
    SequenceLengths lengths(arguments[0].column_of_participant.size());
    for (std::size_t a = 0; a < arguments.size(); ++a) {
        if (!lengths.add(numbers[a], arguments[a].column_of_participant)) return std::nullopt;
    }
    if (!lengths.all_known()) return std::nullopt;
    std::vector<MergedArgument> all;
    u64 total = 0;
    for (std::size_t a = 0; a < arguments.size(); ++a) {
        const std::vector<u32>& columns = arguments[a].column_of_participant;
        all.push_back({arguments[a].kind, std::vector<std::vector<u64>>(columns.size())});
        for (std::size_t p = 0; p < columns.size(); ++p) {
            total += lengths.of(p);
            if (total > kMostMergedNumbers) return std::nullopt;
            all.back().numbers[p] = numbers[a].first(columns[p], lengths.of(p));
        }
    }
    return all;
}

/// Verifies the tables, of which all but the first may follow it: they must give all participants
/// the numbers in `expected`, by argument and participant. Nothing wrong is ever written.
template <class Expected>
bool give(const StructurePool& pool, std::span<const FunctionTable> tables, u64 participants,
          const Expected& expected) {
    const FoldedSource source{pool.patterns(), pool.columns()};
    std::vector<FunctionReader> readers;
    readers.reserve(tables.size());  // following readers point to the first one
    for (const FunctionTable& table : tables) {
        readers.emplace_back(source, table, table.follows ? readers.data() : nullptr);
    }
    for (u64 p = 0; p < participants; ++p) {
        const std::vector<u32> common = readers[0].numbers_of(p);
        for (std::size_t a = 0; a < tables.size(); ++a) {
            const bool shares = a == 0 || tables[a].follows;
            const Column column = shares ? readers[a].column(p, common) : readers[a].column(p);
            if (column.values != expected(a, p)) return false;
        }
    }
    return true;
}

}  // namespace

std::vector<FunctionTable> find_functions_together(StructurePool& pool, const FoldedSource& source,
                                                   std::span<const TogetherArgument> arguments) {
    // Only neighbours have an order, and only several arguments share a sequence.
    if (arguments.size() == 1 && arguments[0].kind != NumberKind::places) return {};
    std::vector<NumberTable> numbers(arguments.size());
    for (std::size_t a = 0; a < arguments.size(); ++a) {
        const std::vector<u32>& columns = arguments[a].column_of_participant;
        if (columns.size() < 2 || columns.size() > kMostParticipants) return {};
        if (!numbers[a].fill(source, columns) || !numbers[a].all_known()) return {};
    }
    const auto all = together(numbers, arguments);
    if (!all) return {};
    std::vector<FunctionDraft> drafts = find_ordered(*all);
    if (drafts.empty() && arguments.size() > 1) drafts = find_merged(*all);
    std::vector<FunctionTable> tables;
    for (const FunctionDraft& draft : drafts) tables.push_back(table_of(pool, draft));
    const auto expected = [&](std::size_t a, u64 p) -> const std::vector<u64>& {
        return (*all)[a].numbers[p];
    };
    const u64 participants = arguments[0].column_of_participant.size();
    if (!tables.empty() && !give(pool, tables, participants, expected)) return {};
    return tables;
}

std::vector<FunctionTable> find_functions(StructurePool& pool, const FoldedSource& source,
                                          std::span<const u32> column_of_participant,
                                          NumberKind kind, u64 size) {
    const std::size_t participants = column_of_participant.size();
    if (participants < 2 || participants > kMostParticipants) return {};
    NumberTable numbers;
    if (!numbers.fill(source, column_of_participant)) return {};
    std::vector<FunctionTable> found;
    const auto consider = [&](FunctionTable table, bool uniform) {
        if (table_size(pool, table) >= size) return;
        const auto expected = [&](std::size_t, u64 p) {
            const u32 column = column_of_participant[p];
            return numbers.first(column, uniform ? numbers.size() : numbers.numbers(column).size());
        };
        if (!give(pool, std::span(&table, 1), participants, expected)) return;
        found.push_back(std::move(table));
    };
    if (numbers.find_size(participants) && numbers.holds(source)) {
        if (const auto draft = find_uniform(numbers, column_of_participant)) {
            const FunctionDraft each = with_one_each(*draft);
            FunctionTable table = table_of(pool, *draft);
            FunctionTable other = table_of(pool, each);
            if (table_size(pool, other) <= table_size(pool, table)) {
                FunctionTable steady = table_of(pool, with_steady_offsets(each));
                if (!(steady == other)) consider(std::move(steady), true);
                table = std::move(other);
            }
            consider(std::move(table), true);
        }
    }
    if (!found.empty() || !numbers.cut_to_periods(source)) return found;
    MergedArgument argument{kind, {}};
    if (!fill_argument(argument, numbers, column_of_participant)) return found;
    const std::vector<FunctionDraft> merged = find_merged(std::span(&argument, 1));
    if (!merged.empty()) consider(table_of(pool, merged[0]), false);
    return found;
}

u64 table_size(const StructurePool& pool, const FunctionTable& table) {
    constexpr u64 kHead = 4;
    u64 size = kHead + 2 * table.grid.size();
    // Most parameters are 0 for all functions: one reference to a shared column.
    for_each_column_ref(table, [&](u32 column) {
        const bool is_constant = pool.columns()[column].form == Column::Form::constant;
        size += 1 + (is_constant ? 0 : column_size(pool, column));
    });
    return size;
}

void FunctionUnfolding::unfold(Assignment& assignment, u64& limit) {
    const FunctionTable& table = *assignment.functions;
    const u64 participants = DigitGrid(table.grid).participants();
    const u64 most = std::max<u64>({table.size, table.function_count, 1 + table.presences.size(),
                                    table.lookups.size(), table.factors.size()});
    if (participants > limit / (most + 1) || most > limit / table.parameters.size()) {
        throw Error(ErrorKind::corrupt, "there are more columns than the locations can have");
    }
    limit -= participants * (most + 1);
    const FoldedSource source{structure_.patterns, structure_.columns};
    std::optional<FunctionReader> follower;
    if (table.follows) {
        follower.emplace(source, table, leader_ ? &*leader_ : nullptr);
    } else {
        numbers_.clear();
        leader_.emplace(source, table);
        for (u64 p = 0; p < participants; ++p) numbers_.push_back(leader_->numbers_of(p));
    }
    const FunctionReader& reader = follower ? *follower : *leader_;
    ClassColumns classes;
    for (u64 participant = 0; participant < participants; ++participant) {
        classes.add(reader.column(participant, numbers_[participant]));
    }
    classes.append_to(structure_, assignment);
}

namespace {

/// Maximum number of lookups per table: the cells of a multi-partition share them over all sweeps.
constexpr std::size_t kMostLookups = 24;
/// Maximum number of participants for lookups.
constexpr std::size_t kMostCells = std::size_t{1} << 14U;

/// Finds functions of all numbers on a grid.
class FunctionFinder {
  public:
    FunctionFinder(const NumberTable& numbers, std::span<const u32> columns, const RankGrid& grid)
        : numbers_(numbers),
          columns_(columns),
          grid_(grid),
          values_(columns.size()),
          draft_{DigitGrid(grid), {}, {}, numbers.periodic(), {}, {}, {}, {}} {}

    /// Returns false if a number is no function, not even with up to `most` lookups.
    bool find(std::size_t most) {
        for (std::size_t number = 0; number < numbers_.size(); ++number) {
            for (std::size_t p = 0; p < columns_.size(); ++p) {
                values_[p] = numbers_.at(columns_[p], number);
            }
            // Numbers equal for all participants share one function.
            const auto [known, fresh] = known_numbers_.try_emplace(values_, 0);
            if (fresh && !fit(most, known->second)) return false;
            draft_.function_of.push_back(known->second);
        }
        return true;
    }

    [[nodiscard]] const FunctionDraft& draft() const { return draft_; }

  private:
    bool fit(std::size_t most, u64& function) {
        if (const std::optional<RankFunction> found = fit_function(grid_, values_)) {
            function = intern(*found, 0);
            return true;
        }
        if (most == 0) return false;
        const RankFunction way = find_blocks(grid_, values_);
        std::vector<u64> lookup(values_.size());
        for (u64 p = 0; p < values_.size(); ++p) lookup[evaluate(way, grid_, p)] = values_[p];
        auto& lookups = draft_.lookups;
        const auto known = std::find(lookups.begin(), lookups.end(), lookup);
        if (known == lookups.end() && fit_known_lookup(function)) return true;
        function = intern(way, 1 + static_cast<u32>(known - lookups.begin()));
        if (known == lookups.end()) lookups.push_back(std::move(lookup));
        return lookups.size() <= most;
    }

    /// Faces that look alike from different sides share a lookup, with different functions.
    bool fit_known_lookup(u64& function) {
        for (u32 lookup = 0; lookup < draft_.lookups.size(); ++lookup) {
            const auto way = find_way(grid_, draft_.lookups[lookup], values_);
            if (!way) continue;
            function = intern(*way, 1 + lookup);
            return true;
        }
        return false;
    }

    u64 intern(const RankFunction& found, u32 lookup) {
        PlaceFunction function{found.base, {}, lookup};
        for (std::size_t t = 0; t < found.terms.size(); ++t) {
            const RankFunction::Term& term = found.terms[t];
            const u64 stride = term.stride == grid_.stride(t) ? 0 : term.stride;
            function.terms.push_back({stride, i64{term.offset}, term.coefficients});
        }
        const auto [known, fresh] = known_functions_.try_emplace(function, draft_.functions.size());
        if (fresh) draft_.functions.push_back(std::move(function));
        return known->second;
    }

    const NumberTable& numbers_;
    std::span<const u32> columns_;
    const RankGrid& grid_;
    std::vector<u64> values_;
    FunctionDraft draft_;
    std::map<std::vector<u64>, u64> known_numbers_;
    std::map<PlaceFunction, u64> known_functions_;
};

}  // namespace

std::optional<FunctionDraft> find_uniform(const NumberTable& numbers,
                                          std::span<const u32> columns) {
    for (const std::size_t most_lookups : {std::size_t{0}, kMostLookups}) {
        for (const RankGrid& grid : grids_of(static_cast<u32>(columns.size()))) {
            const bool has_cells = columns.size() <= kMostCells && grid.dimensions() == 2 &&
                                   grid.sizes()[0] == grid.sizes()[1];
            if (most_lookups != 0 && !has_cells) continue;
            FunctionFinder finder(numbers, columns, grid);
            if (finder.find(most_lookups)) return finder.draft();
        }
    }
    return std::nullopt;
}

FunctionDraft with_one_each(const FunctionDraft& draft) {
    FunctionDraft out = draft;
    out.functions.clear();
    for (u64& function : out.function_of) {
        out.functions.push_back(draft.functions[function]);
        function = out.functions.size() - 1;
    }
    return out;
}

FunctionDraft with_steady_offsets(FunctionDraft draft) {
    std::vector<i64> offsets(draft.functions.size());
    for (std::size_t t = 0; t < draft.grid.dimensions(); ++t) {
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            offsets[k] = draft.functions[k].terms[t].offset;
        }
        make_steady(offsets, draft.grid.sizes()[t]);
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            draft.functions[k].terms[t].offset = offsets[k];
        }
    }
    return draft;
}

namespace {

constexpr u32 kNever = ~u32{0};

/// Dynamic programming over the choices of two successive offsets, encoded as 2 * first + second:
/// the minimum of step changes so far, and the choices before.
struct Choices {
    std::array<u32, 4> changes = {kNever, kNever, kNever, kNever};
    std::array<u8, 4> before{};
};

class SteadyOffsets {
  public:
    SteadyOffsets(const std::vector<i64>& offsets, u32 size)
        : offsets_(offsets), size_(size), choices_(offsets.size()) {}

    /// Precondition: at least three offsets.
    std::vector<i64> run() {
        for (u32 state = 0; state < 4; ++state) {
            if (allows(0, state / 2) && allows(1, state % 2)) choices_[1].changes[state] = 0;
        }
        for (std::size_t k = 2; k < choices_.size(); ++k) choose(k);
        const auto& changes = choices_.back().changes;
        const u32 least = *std::min_element(changes.begin(), changes.end());
        std::vector<i64> best;
        for (u32 state = 0; state < 4; ++state) {
            if (changes[state] != least) continue;
            std::vector<i64> found = follow(state);
            if (best.empty() || std::abs(found[0]) < std::abs(best[0])) best = std::move(found);
        }
        return best;
    }

  private:
    void choose(std::size_t k) {
        for (u32 state = 0; state < 4; ++state) {
            if (choices_[k - 1].changes[state] == kNever) continue;
            const i64 first = at(k - 2, state / 2);
            const i64 second = at(k - 1, state % 2);
            for (const u32 own : {0U, 1U}) {
                if (!allows(k, own)) continue;
                const bool same = at(k, own) - second == second - first;
                const u32 changes = choices_[k - 1].changes[state] + (same ? 0 : 1);
                const u32 next = state % 2 * 2 + own;
                if (changes >= choices_[k].changes[next]) continue;
                choices_[k].changes[next] = changes;
                choices_[k].before[next] = static_cast<u8>(state);
            }
        }
    }

    /// Backtracks the offsets from the choices of the last two.
    [[nodiscard]] std::vector<i64> follow(u32 state) const {
        std::vector<i64> found(offsets_.size());
        for (std::size_t k = offsets_.size() - 1; k > 0; --k) {
            found[k] = at(k, state % 2);
            found[k - 1] = at(k - 1, state / 2);
            state = choices_[k].before[state];
        }
        return found;
    }

    /// The offset itself, or its negative representative.
    [[nodiscard]] i64 at(std::size_t k, u32 choice) const {
        return choice == 0 ? offsets_[k] : offsets_[k] - i64{size_};
    }
    [[nodiscard]] bool allows(std::size_t k, u32 choice) const {
        return choice == 0 || offsets_[k] != 0;
    }

    const std::vector<i64>& offsets_;
    u32 size_;
    std::vector<Choices> choices_;
};

}  // namespace

void make_steady(std::vector<i64>& offsets, u32 size) {
    if (offsets.size() > 2) offsets = SteadyOffsets(offsets, size).run();
}

}  // namespace tracefold
