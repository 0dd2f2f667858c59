// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/function_tables.hpp"

#include "core/error.hpp"
#include "fold/class_columns.hpp"
#include "fold/column_size.hpp"
#include "fold/function_draft.hpp"
#include "fold/function_reader.hpp"
#include "fold/mentions.hpp"
#include "fold/merged_functions.hpp"
#include "fold/number_table.hpp"
#include "fold/ordered_functions.hpp"
#include "fold/uniform_functions.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Grids of more participants are not looked for.
constexpr std::size_t kMostParticipants = std::size_t{1} << 16U;

/// Numbers of all participants, beyond which sequences are not merged.
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

/// The lengths of all participants' sequences; an argument without end has as many as others.
class SequenceLengths {
  public:
    explicit SequenceLengths(std::size_t participants) : lengths_(participants) {}

    /// False if it has others than those before.
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

/// Whether tables, of which all but the first may follow it, give all participants their numbers,
/// which `expected` tells by argument and participant: what is written is never wrong.
template <class Expected>
bool give(const StructurePool& pool, std::span<const FunctionTable> tables, u64 participants,
          const Expected& expected) {
    const FoldedSource source{pool.patterns(), pool.columns()};
    std::vector<FunctionReader> readers;
    readers.reserve(tables.size());  // those that follow point at the first one
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
    // Most parameters are 0 for all functions, which takes a mention of that column.
    for_each_mention(table, [&](u32 column) {
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

}  // namespace tracefold
