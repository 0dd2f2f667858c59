// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/format/function_table_codec.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

// Mark of a following table, instead of a grid, a number of functions and of numbers.
constexpr u64 kFollows = 0;
constexpr u64 kHasFactors = 0;
constexpr u64 kOrdered = 0;
constexpr u64 kChosen = 1;
/// Mark instead of a number of functions: number k has function k and is present for all.
constexpr u64 kOneEach = 1;

/// Of the grid of a table.
constexpr u64 kMostDimensions = 6;
/// Of a grid; each at least doubles its positions.
constexpr u64 kMostDigits = 32;
constexpr u64 kMostPlaces = u64{1} << 25U;

void put_factors(ByteWriter& out, ColumnWriter& columns, const FunctionTable& table) {
    out.put_varint(table.factors.size());
    for (const u32 column : table.factors) columns.put_column(column);
    for (const u32 column : table.factor_of) columns.put_column(column);
}

void put_sequence(ByteWriter& out, ColumnWriter& columns, const FunctionTable& table) {
    if (table.order != kNone) {
        out.put_varint(table.choices == kNone ? kOrdered : kChosen);
        columns.put_column(table.order);
        if (table.choices != kNone) columns.put_column(table.choices);
    }
    const bool everywhere = table.presence == kNone;
    out.put_varint(4 * u64{table.size} + (everywhere ? 0 : 2) + (table.periodic ? 1 : 0));
    if (everywhere) return;
    out.put_varint(table.presences.size());
    columns.put_column(table.presence);
    for (const u32 column : table.presences) columns.put_column(column);
    if (!table.presences.empty()) columns.put_column(table.group_of);
}

/// Omits the dimensions of digits in dimension order.
void put_grid(ByteWriter& out, const std::vector<DigitGrid::Digit>& grid) {
    bool mixed = false;
    for (u32 i = 0; i < grid.size(); ++i) mixed = mixed || grid[i].dimension != i;
    out.put_varint(2 * grid.size() + (mixed ? 1 : 0));
    for (const DigitGrid::Digit& digit : grid) {
        out.put_varint(digit.size);
        if (mixed) out.put_varint(digit.dimension);
    }
}

/// True if the sequence is implicit.
bool has_one_each(const FunctionTable& table) {
    return table.function_of == kNone && table.presence == kNone && table.order == kNone;
}

}  // namespace

void put_functions(ByteWriter& out, ColumnWriter& columns, const FunctionTable& table) {
    const bool one_each = has_one_each(table);
    columns.put_column(one_each ? table.parameters[0] : table.function_of);
    out.put_varint(0);
    if (table.follows) {
        out.put_varint(kFollows);
    } else {
        put_grid(out, table.grid);
    }
    const bool looks_up = !table.lookups.empty();
    const bool has_factors = !table.factors.empty();
    if (has_factors) out.put_varint(kHasFactors);
    if (one_each) {
        out.put_varint(kOneEach);
        out.put_varint(4 * u64{table.function_count} + (table.periodic ? 2 : 0) +
                       (looks_up ? 1 : 0));
    } else {
        out.put_varint(2 * u64{table.function_count} + (looks_up ? 1 : 0));
    }
    for (std::size_t k = one_each ? 1 : 0; k < table.parameters.size(); ++k) {
        columns.put_column(table.parameters[k]);
    }
    if (looks_up) {
        out.put_varint(table.lookups.size());
        for (const u32 column : table.lookups) columns.put_column(column);
        columns.put_column(table.lookup_of);
    }
    if (has_factors) put_factors(out, columns, table);
    if (!table.follows && !one_each) put_sequence(out, columns, table);
}

FunctionTable FunctionTableReader::get(u32 first, u64& free_columns) {
    FunctionTable table;
    const u64 dimensions = get_grid(table, free_columns);
    u64 functions = in_.at(FieldRole::family_size).get_varint();
    const bool has_factors = functions == kHasFactors;
    if (has_factors) functions = in_.at(FieldRole::family_size).get_varint();
    const bool one_each = functions == kOneEach;
    if (one_each) functions = in_.at(FieldRole::family_size).get_varint();
    table.function_count = get_size(functions / (one_each ? 4 : 2));
    if (one_each) {
        if (table.follows && table.size != table.function_count) {
            in_.fail("functions follow others of another size");
        }
        table.size = table.function_count;
        if (!table.follows) table.periodic = functions / 2 % 2 != 0;
        table.parameters.push_back(first);
    } else {
        table.function_of = first;
    }
    const u64 parameters = 1 + dimensions * (2 + dimensions);
    while (table.parameters.size() < parameters) table.parameters.push_back(columns_.get_column());
    if (functions % 2 != 0) {
        get_columns(table.lookups);
        table.lookup_of = columns_.get_column();
    }
    if (has_factors) {
        get_columns(table.factors);
        for (u64 t = 0; t < dimensions; ++t) table.factor_of.push_back(columns_.get_column());
    }
    if (!table.follows) {
        if (!one_each) get_sequence(table);
        leader_ = table;
    }
    return table;
}

/// Reads lookups or factors.
void FunctionTableReader::get_columns(std::vector<u32>& columns) {
    const u64 count = in_.at(FieldRole::class_count).get_count(1);
    if (count == 0) in_.fail("functions have no lookup or no factor");
    for (u64 k = 0; k < count; ++k) columns.push_back(columns_.get_column());
}

void FunctionTableReader::get_sequence(FunctionTable& table) {
    u64 size = in_.at(FieldRole::family_size).get_varint();
    if (size <= kChosen) {
        const bool chosen = size == kChosen;
        table.order = columns_.get_column();
        if (chosen) table.choices = columns_.get_column();
        size = in_.at(FieldRole::family_size).get_varint();
    }
    table.periodic = size % 2 != 0;
    table.size = get_size(size / 4);
    if (size / 2 % 2 == 0) return;
    const u64 presences = in_.at(FieldRole::class_count).get_count(1);
    table.presence = columns_.get_column();
    for (u64 k = 0; k < presences; ++k) table.presences.push_back(columns_.get_column());
    if (presences != 0) table.group_of = columns_.get_column();
}

u32 FunctionTableReader::get_size(u64 size) const {
    if (size == 0 || size >= kNone) in_.fail("an argument has no functions");
    return static_cast<u32>(size);
}

/// Reads the digits of a grid, or takes those of the leading table; returns the dimensions.
u64 FunctionTableReader::get_grid(FunctionTable& table, u64& free_columns) {
    const u64 head = in_.at(FieldRole::family_count).get_varint();
    if (head != kFollows) return get_grid(table.grid, head, free_columns);
    if (!leader_) in_.fail("functions follow none");
    const DigitGrid grid(leader_->grid);
    if (grid.participants() > free_columns) in_.fail("there are too many columns in families");
    free_columns -= grid.participants();
    table.follows = true;
    table.grid = leader_->grid;
    table.size = leader_->size;
    table.periodic = leader_->periodic;
    return grid.dimensions();
}

u64 FunctionTableReader::get_grid(std::vector<DigitGrid::Digit>& grid, u64 head,
                                  u64& free_columns) {
    const u64 digits = head / 2;
    if (digits > kMostDigits) in_.fail("a grid has too many places");
    std::array<bool, kMostDimensions> known{};
    u64 dimensions = 0;
    u64 places = 1;
    for (u64 i = 0; i < digits; ++i) {
        const u64 size = in_.at(FieldRole::family_gap).get_varint();
        const u64 dimension = head % 2 != 0 ? in_.at(FieldRole::family_gap).get_varint() : i;
        if (size < 2 || size > kMostPlaces / places) in_.fail("a grid has too many places");
        if (dimension >= kMostDimensions) in_.fail("a grid has too many dimensions");
        places *= size;
        known[dimension] = true;
        dimensions = std::max(dimensions, dimension + 1);
        grid.push_back({static_cast<u32>(size), static_cast<u32>(dimension)});
    }
    const auto first =
        static_cast<u64>(std::find(known.begin(), known.end(), false) - known.begin());
    if (digits == 0 || first < dimensions) in_.fail("a grid lacks a dimension");
    if (places > free_columns) in_.fail("there are too many columns in families");
    free_columns -= places;
    return dimensions;
}

namespace {

/// Fewer columns are as short separately.
constexpr std::size_t kLeastColumns = 16;
constexpr u64 kMostFactor = u64{1} << 31U;

/// True for constants and runs that are not written yet.
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

/// Returns a common factor of all differences between values; 0 if they are all equal.
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

/// Writes a column's runs after the first value, step by step.
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
    // Requires a saving of a byte for half of them.
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
