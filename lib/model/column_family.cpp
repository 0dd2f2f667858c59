// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/column_family.hpp"

namespace tracefold::inline model {

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

bool are_relatives(const std::vector<Column>& columns, const Column& a, const Column& b) {
    if (a.form != b.form || a.values.size() != b.values.size()) return false;
    if (!a.is_folded()) return true;
    return a.pattern == b.pattern && a.counts == b.counts &&
           are_relatives(columns, columns[a.alphabet], columns[b.alphabet]);
}

void set_family_numbers(Column& column, std::span<const u64> numbers) {
    if (column.form == Column::Form::constant || column.form == Column::Form::progression) {
        column.start = numbers[0];
        if (column.form == Column::Form::progression) column.stride = numbers[1];
    } else {
        column.values.assign(numbers.begin(), numbers.end());
    }
}

}  // namespace tracefold::inline model
