// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/column_codec.hpp"
#include "format/item_codec.hpp"

#include <numeric>
#include <utility>

namespace tracefold {

namespace {

void put_number(ByteWriter& out, u64 value) { out.put_signed(static_cast<i64>(value)); }

/// The numbers themselves, or the differences between them if those are clearly shorter: the same
/// numbers often come again in other columns, their differences do not.
struct CodedNumbers {
    explicit CodedNumbers(const std::vector<u64>& numbers) {
        ByteWriter plain;
        ByteWriter steps;
        u64 last = 0;
        for (const u64 number : numbers) {
            put_number(plain, number);
            put_number(steps, number - last);
            last = number;
        }
        stepwise = steps.size() + 1 + numbers.size() / 4 < plain.size();
        bytes = stepwise ? steps.take() : plain.take();
    }

    bool stepwise;
    std::string bytes;
};

/// Where the runs of neighbouring nodes with the same column end.
std::vector<std::size_t> run_ends(const std::vector<NodeCount>& counts) {
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const bool goes_on = i + 1 < counts.size() && counts[i + 1].node == counts[i].node + 1 &&
                             counts[i + 1].column == counts[i].column;
        if (!goes_on) ends.push_back(i + 1);
    }
    return ends;
}

}  // namespace

ColumnWriter::ColumnWriter(ByteWriter& out, const std::vector<Pattern>& patterns,
                           const std::vector<Column>& columns, u32 known_patterns,
                           u32 known_columns)
    : out_(out),
      patterns_(patterns),
      columns_(columns),
      pattern_numbers_(patterns.size(), kNone),
      column_numbers_(columns.size(), kNone),
      patterns_written_(known_patterns),
      columns_written_(known_columns) {
    std::iota(pattern_numbers_.begin(), pattern_numbers_.begin() + known_patterns, 0);
    std::iota(column_numbers_.begin(), column_numbers_.begin() + known_columns, 0);
    for (u32 i = 0; i < known_columns; ++i) {
        if (columns[i].is_folded()) frames_.emplace(frame_of(columns[i]), i);
    }
}

ColumnWriter::Frame ColumnWriter::frame_of(const Column& column) {
    Frame frame{static_cast<u32>(column.form), column.pattern};
    for (const NodeCount& count : column.counts) {
        frame.push_back(count.node);
        frame.push_back(count.column);
    }
    return frame;
}

void ColumnWriter::put_pattern(u32 id) {
    if (pattern_numbers_[id] != kNone) {
        out_.put_varint(u64{1} + pattern_numbers_[id]);
        return;
    }
    const Pattern& pattern = patterns_[id];
    out_.put_varint(0);
    out_.put_varint(pattern.leaf_count);
    out_.put_varint(pattern.loops.size());
    for (const auto& body : pattern.loops) put_items(out_, body);
    put_items(out_, pattern.root);
    pattern_numbers_[id] = patterns_written_++;
}

bool ColumnWriter::is_known(u32 id, u64& number) const {
    number = column_numbers_[id];
    return column_numbers_[id] != kNone;
}

void ColumnWriter::put_column(u32 id) {
    if (column_numbers_[id] != kNone) {
        out_.put_varint(u64{1} + column_numbers_[id]);
        return;
    }
    out_.put_varint(0);
    put_content(id);
    column_numbers_[id] = columns_written_++;
}

void ColumnWriter::put_content(u32 id) {
    const Column& column = columns_[id];
    switch (column.form) {
        case Column::Form::constant:
            out_.put_u8(kConstant);
            put_number(out_, column.start);
            return;
        case Column::Form::progression:
            out_.put_u8(kProgression);
            put_number(out_, column.start);
            put_number(out_, column.stride);
            return;
        case Column::Form::list:
        case Column::Form::periodic:
            put_list(column);
            return;
        case Column::Form::runs:
            put_runs(column);
            return;
        case Column::Form::folded:
        case Column::Form::differences:
            put_folded(id);
            return;
    }
}

void ColumnWriter::put_folded(u32 id) {
    const Column& column = columns_[id];
    Frame frame = frame_of(column);
    const auto known = frames_.find(frame);
    if (known != frames_.end()) {
        out_.put_u8(kLike);
        out_.put_varint(known->second);
        put_number(out_, column.start);
        put_alphabet(column.alphabet);
        return;
    }
    const bool differences = column.form == Column::Form::differences;
    out_.put_u8(differences ? kDifferences : kFolded);
    if (differences) put_number(out_, column.start);
    put_pattern(column.pattern);
    put_alphabet(column.alphabet);
    put_counts(column);
    frames_.emplace(std::move(frame), columns_written_);
}

void ColumnWriter::put_alphabet(u32 id) {
    if (column_numbers_[id] != kNone) {
        out_.put_varint(kKnownAlphabet + column_numbers_[id]);
        return;
    }
    const Column& column = columns_[id];
    if (column.form == Column::Form::list) {
        const CodedNumbers coded(column.values);
        out_.put_varint(coded.stepwise ? kLetterSteps : kLetters);
        out_.put_bytes(coded.bytes);
    } else {
        out_.put_varint(kLetterProgression);
        put_number(out_, column.start);
        put_number(out_, column.stride);
    }
    column_numbers_[id] = columns_written_++;
}

void ColumnWriter::put_list(const Column& column) {
    const CodedNumbers coded(column.values);
    if (column.form == Column::Form::list) {
        out_.put_u8(coded.stepwise ? kSteps : kList);
    } else {
        out_.put_u8(coded.stepwise ? kPeriodicSteps : kPeriodic);
    }
    out_.put_varint(column.values.size());
    out_.put_bytes(coded.bytes);
}

void ColumnWriter::put_runs(const Column& column) {
    out_.put_u8(kRuns);
    out_.put_varint(column.values.size() / 2);
    for (std::size_t i = 0; i < column.values.size(); ++i) {
        if (i % 2 == 0) {
            put_number(out_, column.values[i]);
        } else {
            out_.put_varint(column.values[i]);
        }
    }
}

void ColumnWriter::put_counts(const Column& column) {
    const std::vector<std::size_t> ends = run_ends(column.counts);
    out_.put_varint(ends.size());
    u32 expected = 0;
    std::size_t first = 0;
    for (const std::size_t end : ends) {
        const u64 nodes = end - first;
        out_.put_varint(u64{column.counts[first].node - expected} * 2 + (nodes > 1 ? 1 : 0));
        if (nodes > 1) out_.put_varint(nodes - 2);
        put_column(column.counts[first].column);
        expected = column.counts[end - 1].node + 1;
        first = end;
    }
}

}  // namespace tracefold
