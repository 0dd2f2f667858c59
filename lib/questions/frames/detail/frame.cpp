// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/frames/detail/frame.hpp"

#include "base/error.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace tracefold {

namespace {

constexpr std::size_t kMost = std::numeric_limits<i32>::max();

template <class T>
void fill_new(AppendBuffer<T>& buffer, std::size_t count) {
    std::fill_n(buffer.extend(count), count, T{});
}

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Replaces invalid UTF-8, which consumers of tables do not accept.
std::string as_utf8(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t length = utf8_sequence(text);
        result.append(length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length));
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result;
}

/// End of a row's text or list.
i32 end_of(const FrameColumn& column, ValueColumn type) {
    const std::size_t end =
        type == ValueColumn::text ? column.characters.size() : column.integers.size();
    if (end > kMost) throw Error(ErrorKind::unsupported, "a column of a batch exceeds 2 GB");
    return static_cast<i32>(end);
}

}  // namespace

i32 Labels::code(std::string_view name) {
    const auto [found, fresh] = codes_.try_emplace(
        is_ascii(name) ? std::string(name) : as_utf8(name), static_cast<i32>(list_.size()));
    if (!fresh) return found->second;
    const std::string& utf8 = found->first;
    if (list_.characters.size() + utf8.size() > kMost) {
        throw Error(ErrorKind::unsupported, "the names of a column exceed 2 GB");
    }
    list_.characters.append(utf8);
    list_.offsets.push_back(static_cast<i32>(list_.characters.size()));
    shared_.reset();
    return found->second;
}

std::shared_ptr<const NameList> Labels::names() {
    if (!shared_) shared_ = std::make_shared<NameList>(list_);
    return shared_;
}

u64 FrameColumn::nulls() const {
    return static_cast<u64>(std::count(valid.begin(), valid.end(), u8{0}));
}

FrameWriter::FrameWriter(std::vector<ColumnInfo> columns, u64 capacity)
    : columns_(std::move(columns)), capacity_(capacity), labels_(columns_.size()) {
    for (u32 i = 0; i < columns_.size(); ++i) {
        const ValueColumn type = columns_[i].type;
        if (type == ValueColumn::text || type == ValueColumn::integers) variable_.push_back(i);
    }
    begin();
}

void FrameWriter::begin() {
    row_ = 0;
    frame_ = std::make_shared<Frame>();
    frame_->columns.resize(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        FrameColumn& column = frame_->columns[i];
        fill_new(column.valid, capacity_);
        switch (columns_[i].type) {
            case ValueColumn::integer:
                fill_new(column.integers, capacity_);
                break;
            case ValueColumn::real:
                fill_new(column.reals, capacity_);
                break;
            case ValueColumn::label:
                fill_new(column.codes, capacity_);
                break;
            case ValueColumn::text:
            case ValueColumn::integers:
                column.offsets.push_back(0);
                break;
        }
    }
}

void FrameWriter::set_text(u32 column, std::string_view text) {
    FrameColumn& to = frame_->columns[column];
    is_ascii(text) ? to.characters.append(text) : to.characters.append(as_utf8(text));
    to.valid[row_] = 1;
}

void FrameWriter::take_back(u32 column) {
    FrameColumn& to = frame_->columns[column];
    to.valid[row_] = 0;
    switch (columns_[column].type) {
        case ValueColumn::integer:
            to.integers[row_] = 0;
            break;
        case ValueColumn::real:
            to.reals[row_] = 0;
            break;
        case ValueColumn::label:
            to.codes[row_] = 0;
            break;
        case ValueColumn::text:
            to.characters.resize(static_cast<std::size_t>(to.offsets.back()));
            break;
        case ValueColumn::integers:
            to.integers.shrink(static_cast<std::size_t>(to.offsets.back()));
            break;
    }
}

void FrameWriter::end_row() {
    for (const u32 i : variable_) {
        FrameColumn& column = frame_->columns[i];
        column.offsets.push_back(end_of(column, columns_[i].type));
    }
    ++row_;
}

void FrameWriter::fill(u32 column, u64 first, i64 value) {
    FrameColumn& to = frame_->columns[column];
    std::fill(to.integers.begin() + first, to.integers.begin() + row_, value);
    std::fill(to.valid.begin() + first, to.valid.begin() + row_, u8{1});
}

void FrameWriter::fill_code(u32 column, u64 first, i32 code) {
    FrameColumn& to = frame_->columns[column];
    std::fill(to.codes.begin() + first, to.codes.begin() + row_, code);
    std::fill(to.valid.begin() + first, to.valid.begin() + row_, u8{1});
}

std::shared_ptr<const Frame> FrameWriter::take() {
    if (row_ == 0) return nullptr;
    std::shared_ptr<Frame> frame = std::move(frame_);
    frame->rows = row_;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        FrameColumn& column = frame->columns[i];
        column.valid.shrink(row_);
        switch (columns_[i].type) {
            case ValueColumn::integer:
                column.integers.shrink(row_);
                break;
            case ValueColumn::real:
                column.reals.shrink(row_);
                break;
            case ValueColumn::label:
                column.codes.shrink(row_);
                column.names = labels_[i].names();
                break;
            case ValueColumn::text:
            case ValueColumn::integers:
                break;
        }
    }
    begin();
    return frame;
}

namespace {

constexpr u64 kRowsOfFrame = u64{1} << 14U;

ValueColumn type_of(TableColumn::Type type) {
    constexpr std::array<ValueColumn, 3> kTypes = {ValueColumn::text, ValueColumn::integer,
                                                   ValueColumn::real};
    return kTypes[static_cast<std::size_t>(type)];
}

}  // namespace

void TableFrames::begin(std::span<const TableColumn> columns) {
    std::vector<ColumnInfo> infos;
    for (const TableColumn& column : columns) {
        infos.push_back({std::string(column.name), type_of(column.type)});
    }
    frames_.emplace(std::move(infos), kRowsOfFrame);
}

void TableFrames::text(std::string_view text) {
    frames_->set_text(column_, text);
    end_cell();
}

void TableFrames::whole(u64 number) {
    if (columns()[column_].type == ValueColumn::real) return real(static_cast<double>(number));
    if (number > static_cast<u64>(std::numeric_limits<i64>::max())) {
        throw Error(ErrorKind::unsupported, "{} in column {} exceeds 63 bits", number,
                    columns()[column_].name);
    }
    frames_->set(column_, static_cast<i64>(number));
    end_cell();
}

void TableFrames::real(double number) {
    frames_->set_real(column_, number);
    end_cell();
}

void TableFrames::end_cell() {
    if (++column_ < columns().size()) return;
    column_ = 0;
    frames_->end_row();
    if (frames_->is_full()) done_.push_back(frames_->take());
}

TableFrames::Frames TableFrames::take() {
    if (std::shared_ptr<const Frame> rest = frames_->take()) done_.push_back(std::move(rest));
    return std::move(done_);
}

}  // namespace tracefold
