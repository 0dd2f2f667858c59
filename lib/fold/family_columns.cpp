// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/family_columns.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace tracefold {

const Column& FoldedSource::family_column(u32 id) const { return families->column(id); }

std::vector<u64> family_numbers(const std::vector<Column>& columns, const Column& column) {
    switch (column.form) {
        case Column::Form::constant:
            return {column.start};
        case Column::Form::progression:
            return {column.start, column.stride};
        case Column::Form::list:
        case Column::Form::periodic:
        case Column::Form::runs:
            return column.values;
        case Column::Form::folded:
        case Column::Form::differences:
            break;
    }
    std::vector<u64> numbers = family_numbers(columns, columns[column.alphabet]);
    numbers.insert(numbers.begin(), column.start);
    return numbers;
}

const ColumnFamily* family_of(const Assignment& assignment, u64 of_class) {
    const auto after =
        std::ranges::upper_bound(assignment.families, of_class, {}, &ColumnFamily::first);
    if (after == assignment.families.begin()) return nullptr;
    const ColumnFamily& family = *(after - 1);
    return of_class - family.first < family.size ? &family : nullptr;
}

namespace {

/// Replaces the numbers of a column without an alphabet. Precondition: equally many.
void set_family_numbers(Column& column, std::span<const u64> numbers) {
    if (column.form == Column::Form::constant || column.form == Column::Form::progression) {
        column.start = numbers[0];
        if (column.form == Column::Form::progression) column.stride = numbers[1];
    } else {
        column.values.assign(numbers.begin(), numbers.end());
    }
}

}  // namespace

FamilyMembers::FamilyMembers(const FoldedSource& source, const ColumnFamily& family, u32 first)
    : column_(source.columns[first]), numbers_(family_numbers(source.columns, column_)) {
    if (is_folded()) alphabet_ = source.columns[column_.alphabet];
    for (const ColumnFamily::Number& number : family.numbers) {
        if (number.place >= numbers_.size()) {
            throw Error(ErrorKind::corrupt, "a family has a number that its columns do not have");
        }
        varying_.push_back({number.place, PlacedValues(source, number.column, family.size)});
    }
}

std::vector<u64> FamilyMembers::numbers(u64 member) const {
    std::vector<u64> numbers = numbers_;
    for (const Varying& varying : varying_) numbers[varying.place] = varying.values.at(member);
    return numbers;
}

Column FamilyMembers::column(u64 member, u32 alphabet) const {
    Column column = column_;
    const std::vector<u64> numbers = this->numbers(member);
    if (is_folded()) {
        column.start = numbers[0];
        column.alphabet = alphabet;
    } else {
        set_family_numbers(column, numbers);
    }
    return column;
}

Column FamilyMembers::alphabet(u64 member) const {
    Column column = alphabet_;
    const std::vector<u64> numbers = this->numbers(member);
    set_family_numbers(column, std::span(numbers).subspan(1));
    return column;
}

FamilyColumns::FamilyColumns(const Structure& structure)
    : first_(static_cast<u32>(structure.columns.size())), end_(first_) {
    const FoldedSource source{structure.patterns, structure.columns};
    for (const auto* table : {&structure.script_counts, &structure.slots}) {
        for (const std::vector<Assignment>& assignments : *table) {
            for (const Assignment& assignment : assignments) add(source, assignment);
        }
    }
}

void FamilyColumns::add(const FoldedSource& source, const Assignment& assignment) {
    for (const ColumnFamily& family : assignment.families) {
        if (assignment.columns[family.first + 1] != kNone) continue;
        FamilyMembers members(source, family, assignment.columns[family.first]);
        const u32 ids = members.is_folded() ? 2 : 1;  // a column has the id before its alphabet
        if (family.size > (kNone - end_) / ids) {
            throw Error(ErrorKind::corrupt, "there are more columns than any trace has");
        }
        numbers_.emplace(&family, static_cast<u32>(families_.size()));
        families_.push_back({end_, std::move(members)});
        end_ += ids * (family.size - 1);
    }
}

u32 FamilyColumns::id(const Assignment& assignment, u64 of_class) const {
    const ColumnFamily* const family = family_of(assignment, of_class);
    if (family == nullptr) return kNone;
    const auto number = numbers_.find(family);
    if (number == numbers_.end()) return kNone;
    const Family& found = families_[number->second];
    const auto place = static_cast<u32>(of_class - family->first - 1);
    return found.first + (found.members.is_folded() ? 2 * place : place);
}

const Column& FamilyColumns::column(u32 id) const {
    const std::scoped_lock lock(mutex_);
    const auto known = made_.find(id);
    if (known != made_.end()) return known->second;
    const Family& family = *(std::ranges::upper_bound(families_, id, {}, &Family::first) - 1);
    const u32 place = id - family.first;
    const auto make = [&] {
        if (!family.members.is_folded()) return family.members.column(place + 1);
        const u32 member = place / 2 + 1;
        return place % 2 == 0 ? family.members.column(member, id + 1)
                              : family.members.alphabet(member);
    };
    return made_.emplace(id, make()).first->second;
}

}  // namespace tracefold
