// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/class_constants.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

/// Fewer of them are as short one by one.
constexpr std::size_t kLeastColumns = 16;
constexpr u64 kMostFactor = u64{1} << 31U;

/// Constants and runs that are not written yet.
bool is_coded(u32 id, const std::vector<Column>& columns, const ColumnWriter& writer) {
    u64 number = 0;
    const Column::Form form = columns[id].form;
    return (form == Column::Form::constant || form == Column::Form::runs) &&
           !writer.is_known(id, number);
}

u64 first_value(const Column& column) {
    return column.form == Column::Form::constant ? column.start : column.values[0];
}

u64 varint_size(u64 number) { return (static_cast<u64>(std::bit_width(number | 1U)) + 6) / 7; }

/// A common factor of all differences between values; 0 if they are all equal.
u64 common_factor(const std::vector<const Column*>& columns, u64 base) {
    u64 factor = 0;
    for (const Column* column : columns) {
        factor = std::gcd(factor, first_value(*column) - base);
        for (std::size_t i = 2; i < column->values.size(); i += 2) {
            const u64 step = column->values[i] - column->values[i - 2];
            factor = std::gcd(factor, static_cast<i64>(step) < 0 ? 0 - step : step);
        }
    }
    return factor;
}

/// What runs have behind their first value, step by step.
void put_runs(ByteWriter& out, const ClassConstants& constants, const std::vector<u64>& values) {
    out.put_varint(values.size() / 2);
    for (std::size_t i = 2; i < values.size(); i += 2) {
        out.put_varint(values[i - 1]);
        const auto step = static_cast<i64>(values[i] - values[i - 2]);
        out.put_signed(step / static_cast<i64>(constants.factor));
    }
}

u32 get_runs(FieldReader& in, ColumnReader& reader, const ClassConstants& constants, u64 value) {
    Column column{Column::Form::runs, 0, 0, {value}, kNone, kNone, {}};
    const u64 runs = in.at(FieldRole::list_size).get_count(2);
    for (u64 i = 0; i < runs; ++i) {
        column.values.push_back(in.at(FieldRole::run_length).get_varint());
        if (column.values.back() == 0) in.fail("a run is empty");
        value += static_cast<u64>(in.at(FieldRole::step).get_signed()) * constants.factor;
        column.values.push_back(value);
    }
    return reader.add(std::move(column));
}

}  // namespace

std::optional<ClassConstants> find_class_constants(const Assignment& assignment,
                                                   const std::vector<Column>& columns,
                                                   const ColumnWriter& writer) {
    std::vector<const Column*> coded;
    ClassConstants constants{~u64{0}, 0};
    for (const u32 id : assignment.columns) {
        if (!is_coded(id, columns, writer)) continue;
        coded.push_back(&columns[id]);
        constants.base = std::min(constants.base, first_value(columns[id]));
    }
    if (coded.size() < kLeastColumns) return std::nullopt;
    constants.factor = common_factor(coded, constants.base);
    if (constants.factor == 0 || constants.factor > kMostFactor) return std::nullopt;
    u64 before = 0;
    u64 after = 0;
    for (const Column* column : coded) {
        before += varint_size(2 * first_value(*column));
        after += varint_size(constants.code(*column));
    }
    // Half of them need a byte less.
    if (2 * after + coded.size() > 2 * before) return std::nullopt;
    return constants;
}

u64 ClassConstants::code(const Column& column) const {
    const u64 number = (first_value(column) - base) / factor;
    return 2 * number + (column.form == Column::Form::constant ? 1 : 2);
}

void put_class_constants(ByteWriter& out, ColumnWriter& writer, const ClassConstants& constants,
                         const Assignment& assignment, const std::vector<Column>& columns) {
    out.put_signed(static_cast<i64>(constants.base));
    out.put_varint(constants.factor);
    out.put_varint(assignment.columns.size());
    for (const u32 id : assignment.columns) {
        if (!is_coded(id, columns, writer)) {
            out.put_varint(0);
            writer.put_column(id);
            continue;
        }
        const Column& column = columns[id];
        out.put_varint(constants.code(column));
        if (column.form == Column::Form::runs) put_runs(out, constants, column.values);
        writer.note_written(id);
    }
}

std::vector<u32> get_class_constants(FieldReader& in, ColumnReader& reader) {
    ClassConstants constants;
    constants.base = static_cast<u64>(in.at(FieldRole::start).get_signed());
    constants.factor = in.at(FieldRole::progression).get_varint();
    const u64 classes = in.at(FieldRole::class_count).get_count(1);
    if (classes == 0) in.fail("an argument has no column");
    std::vector<u32> columns;
    while (columns.size() < classes) {
        const u64 code = in.at(FieldRole::value).get_varint();
        const u64 value = constants.base + (code - 1) / 2 * constants.factor;
        if (code == 0) {
            columns.push_back(reader.get_column());
        } else if (code % 2 != 0) {
            columns.push_back(reader.add({Column::Form::constant, value, 0, {}, kNone, kNone, {}}));
        } else {
            columns.push_back(get_runs(in, reader, constants, value));
        }
    }
    return columns;
}

}  // namespace tracefold
