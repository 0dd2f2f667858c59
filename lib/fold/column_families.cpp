// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_families.hpp"

#include "base/error.hpp"
#include "fold/column_builder.hpp"
#include "fold/columns/column_size.hpp"
#include "fold/columns/function_tables.hpp"
#include "fold/columns/matched_receives.hpp"
#include "fold/family_columns.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace tracefold {

namespace {

/// True if two columns have equally many such numbers and are otherwise equal.
bool are_relatives(const std::vector<Column>& columns, const Column& a, const Column& b) {
    if (a.form != b.form || a.values.size() != b.values.size()) return false;
    if (!a.is_folded()) return true;
    return a.pattern == b.pattern && a.counts == b.counts &&
           are_relatives(columns, columns[a.alphabet], columns[b.alphabet]);
}

/// Returns the numbers of all members, one row each.
std::vector<std::vector<u64>> table_of(const StructurePool& pool, std::span<const u32> members) {
    std::vector<std::vector<u64>> rows;
    rows.reserve(members.size());
    for (const u32 id : members) {
        rows.push_back(family_numbers(pool.columns(), pool.columns()[id]));
    }
    return rows;
}

bool varies(const std::vector<std::vector<u64>>& rows, std::size_t place) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const auto& row) { return row[place] != rows[0][place]; });
}

/// Similar columns also compress well separately: minimum ratio of their size to that of a family.
constexpr u64 kGain = 2;

/// Makes a family of all members; empty if it does not pay.
ColumnFamily make_family(StructurePool& pool, u32 first, std::span<const u32> members) {
    ColumnFamily family{first, static_cast<u32>(members.size()), {}};
    u64 apart = 0;
    for (const u32 id : members.subspan(1)) apart += column_size(pool, id);
    const std::vector<std::vector<u64>> rows = table_of(pool, members);
    u64 together = 2;
    for (u32 place = 0; place < rows[0].size() && together * kGain < apart; ++place) {
        if (!varies(rows, place)) continue;
        ColumnBuilder builder;
        for (const auto& row : rows) builder.push(row[place]);
        family.numbers.push_back({place, builder.finish(pool)});
        together += 1 + column_size(pool, family.numbers.back().column);
    }
    if (together * kGain >= apart) family.numbers.clear();
    return family;
}

/// Lowers `limit` by the numbers of a family's columns.
void charge(const Structure& structure, const ColumnFamily& family, u32 first, u64& limit) {
    const u64 numbers = family_numbers(structure.columns, structure.columns[first]).size() + 1;
    if (family.size > limit / numbers) {
        throw Error(ErrorKind::corrupt, "there are more columns than the locations can have");
    }
    limit -= family.size * numbers;
}

void unfold(Structure& structure, const ColumnFamily& family, std::vector<u32>& members) {
    std::vector<Column>& columns = structure.columns;
    const FamilyMembers made({structure.patterns, columns}, family, members[family.first]);
    for (u32 i = 1; i < family.size; ++i) {
        if (made.is_folded()) columns.push_back(made.alphabet(i));
        columns.push_back(made.column(i, static_cast<u32>(columns.size() - 1)));
        members[family.first + i] = static_cast<u32>(columns.size() - 1);
    }
}

/// Visits the assignments of each script, then those of each symbol.
template <class Visit>
void each_list(Structure& structure, const Visit& visit) {
    for (auto* table : {&structure.script_counts, &structure.slots}) {
        for (auto& assignments : *table) visit(assignments);
    }
}

}  // namespace

void unfold_families(Structure& structure, u64 limit) {
    unfold_tables(structure, limit);
    unfold_matched_receives(structure, limit);
}

namespace {

void unfold(Structure& structure, bool families, u64& limit) {
    each_list(structure, [&](std::vector<Assignment>& assignments) {
        FunctionUnfolding functions(structure);
        for (Assignment& assignment : assignments) {
            if (assignment.functions) functions.unfold(assignment, limit);
            for (const ColumnFamily& family : assignment.families) {
                charge(structure, family, assignment.columns[family.first], limit);
                if (families) unfold(structure, family, assignment.columns);
            }
        }
    });
}

bool has_matched_receives(const Structure& structure) {
    return std::ranges::any_of(structure.slots, [](const std::vector<Assignment>& assignments) {
        return std::ranges::any_of(
            assignments, [](const Assignment& it) { return it.matching != Matching::none; });
    });
}

}  // namespace

void unfold_for_index(Structure& structure, u64 limit) {
    if (has_matched_receives(structure)) return unfold_families(structure, limit);
    unfold(structure, false, limit);
}

void unfold_tables(Structure& structure, u64& limit) { unfold(structure, true, limit); }

void unfold_tables(Structure& structure) {
    u64 unlimited = kUnlimited;
    unfold_tables(structure, unlimited);
}

Structure refold_families(Structure structure) {
    std::size_t before = structure.columns.size();
    const auto drop = [&](u32& member) {
        if (member == kNone) return;
        const Column& column = structure.columns[member];
        before = std::min<std::size_t>(before, column.is_folded() ? column.alphabet : member);
        member = kNone;
    };
    each_list(structure, [&](std::vector<Assignment>& assignments) {
        for (Assignment& assignment : assignments) {
            for (const ColumnFamily& family : assignment.families) {
                const std::span<u32> members(assignment.columns);
                for (u32& member : members.subspan(family.first + 1, family.size - 1)) drop(member);
            }
            if (!assignment.functions && assignment.matching == Matching::none) continue;
            for (u32& member : assignment.columns) drop(member);
            assignment.columns.clear();
            drop(assignment.by_participant);
        }
    });
    structure.columns.resize(before);
    return structure;
}

std::vector<ColumnFamily> find_families(StructurePool& pool, const std::vector<u32>& columns) {
    std::vector<ColumnFamily> families;
    for (std::size_t first = 0, end = 0; first < columns.size(); first = end) {
        const auto like_first = [&](u32 id) {
            return are_relatives(pool.columns(), pool.columns()[columns[first]],
                                 pool.columns()[id]);
        };
        end = first + 1;
        while (end < columns.size() && like_first(columns[end])) ++end;
        if (end - first < 2) continue;
        ColumnFamily family = make_family(pool, static_cast<u32>(first),
                                          std::span(columns).subspan(first, end - first));
        if (!family.numbers.empty()) families.push_back(std::move(family));
    }
    return families;
}

}  // namespace tracefold
