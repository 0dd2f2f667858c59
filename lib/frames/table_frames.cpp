// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "frames/table_frames.hpp"

#include "core/error.hpp"

#include <array>
#include <limits>
#include <string>

namespace tracefold {

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
