// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/structure.hpp"

#include <type_traits>

namespace tracefold {

/// Visits the columns of functions in the order of the file.
template <class Table, class Visitor>
requires std::is_same_v<std::remove_const_t<Table>, FunctionTable>
void for_each_mention(Table& table, const Visitor& visit) {
    const auto visit_known = [&visit](auto& column) {
        if (column != kNone) visit(column);
    };
    visit_known(table.function_of);
    for (auto& column : table.parameters) visit(column);
    for (auto& column : table.lookups) visit(column);
    visit_known(table.lookup_of);
    for (auto& column : table.factors) visit(column);
    for (auto& column : table.factor_of) visit(column);
    visit_known(table.order);
    visit_known(table.choices);
    visit_known(table.presence);
    for (auto& column : table.presences) visit(column);
    visit_known(table.group_of);
}

/// Visits an assignment's columns, those of a family but the first left out.
template <class Visitor>
void for_each_mention(Assignment& assignment, const Visitor& visit) {
    if (assignment.by_participant != kNone) visit(assignment.by_participant);
    if (assignment.functions) for_each_mention(*assignment.functions, visit);
    auto family = assignment.families.begin();
    for (u32 i = 0; i < assignment.columns.size(); ++i) {
        visit(assignment.columns[i]);
        if (family == assignment.families.end() || family->first != i) continue;
        for (ColumnFamily::Number& number : family->numbers) visit(number.column);
        i += family++->size - 1;
    }
}

}  // namespace tracefold
