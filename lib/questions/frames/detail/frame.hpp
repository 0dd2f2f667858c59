// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/csv_table.hpp"
#include "base/memory.hpp"
#include "base/types.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

using i32 = std::int32_t;

/// What the values of a column of a frame are.
enum class ValueColumn : u8 {
    integer,   ///< 64 bits with a sign
    real,      ///< a double
    text,      ///< characters
    label,     ///< one of a few names, as a number that stands for it
    integers,  ///< a list of integers
};

struct ColumnInfo {
    std::string name;
    ValueColumn type = ValueColumn::integer;
    std::string unit = {};  ///< "ns", "byte"; empty: none
};

/// Names that never change or end once they are there, one after the other.
struct NameList {
    std::vector<i32> offsets{0};  ///< where each begins, and where the last one ends
    std::string characters;

    [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
    [[nodiscard]] std::string_view operator[](std::size_t i) const {
        return std::string_view(characters)
            .substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(offsets[i + 1]) -
                                                              static_cast<std::size_t>(offsets[i]));
    }
};

/// Numbers names in the order in which they are asked for.
class Labels {
  public:
    /// Cost: one hash. Throws Error(unsupported) if there is no room for the name.
    i32 code(std::string_view name);
    /// All names so far; the same object as long as no name is new.
    std::shared_ptr<const NameList> names();

  private:
    std::unordered_map<std::string, i32> codes_;
    NameList list_;
    std::shared_ptr<const NameList> shared_;
};

/// The values of one column of a frame; which of the buffers are used depends on its type.
struct FrameColumn {
    AppendBuffer<u8> valid;      ///< by row: 0 where there is no value, else 1
    AppendBuffer<i64> integers;  ///< by row; the items of lists in a row
    AppendBuffer<double> reals;
    AppendBuffer<i32> codes;    ///< of labels
    AppendBuffer<i32> offsets;  ///< of texts and lists: rows + 1 numbers
    std::string characters;     ///< of texts
    std::shared_ptr<const NameList> names;

    [[nodiscard]] u64 nulls() const;
};

/// Rows of a table, by column.
struct Frame {
    u64 rows = 0;
    std::vector<FrameColumn> columns;
};

/// A table that comes frame by frame. The labels of a column go on from frame to frame: later ones
/// know all names that earlier ones do, by the same numbers.
class FrameSource {
  public:
    virtual ~FrameSource() = default;

    [[nodiscard]] virtual const std::vector<ColumnInfo>& columns() const = 0;
    /// Null at the end. Throws Error.
    virtual std::shared_ptr<const Frame> next() = 0;
};

/// Fills frames row by row. A value that is not set is none.
class FrameWriter {
  public:
    /// Frames have `capacity` rows at most.
    FrameWriter(std::vector<ColumnInfo> columns, u64 capacity);

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const { return columns_; }
    /// Rows that are complete.
    [[nodiscard]] u64 rows() const { return row_; }
    [[nodiscard]] bool is_full() const { return row_ == capacity_; }

    /// Values of the row at hand. Preconditions: the column has that type; not is_full().
    void set(u32 column, i64 value) {
        FrameColumn& to = frame_->columns[column];
        to.integers[row_] = value;
        to.valid[row_] = 1;
    }
    void set_real(u32 column, double value) {
        FrameColumn& to = frame_->columns[column];
        to.reals[row_] = value;
        to.valid[row_] = 1;
    }
    void set_code(u32 column, i32 code) {
        FrameColumn& to = frame_->columns[column];
        to.codes[row_] = code;
        to.valid[row_] = 1;
    }
    void set_label(u32 column, std::string_view name) { set_code(column, code(column, name)); }
    /// Bytes that are no UTF-8 are replaced, in labels as well.
    void set_text(u32 column, std::string_view text);
    /// Adds to the list of the row.
    void add(u32 column, i64 item) {
        FrameColumn& to = frame_->columns[column];
        to.integers.push_back(item);
        to.valid[row_] = 1;
    }
    /// Takes what was set of the row at hand back.
    void take_back(u32 column);
    void end_row();

    /// The number that stands for a name in a column of labels.
    i32 code(u32 column, std::string_view name) { return labels_[column].code(name); }

    /// The same value in all rows from `first` to the one before that at hand.
    void fill(u32 column, u64 first, i64 value);
    void fill_code(u32 column, u64 first, i32 code);

    /// The rows so far as a frame; begins the next one. Null without rows.
    std::shared_ptr<const Frame> take();

  private:
    void begin();

    std::vector<ColumnInfo> columns_;
    u64 capacity_;
    u64 row_ = 0;
    std::vector<u32> variable_;  ///< columns of texts and lists
    std::vector<Labels> labels_;
    std::shared_ptr<Frame> frame_;
};

/// Keeps a table of results as frames.
class TableFrames : public TableSink {
  public:
    using Frames = std::vector<std::shared_ptr<const Frame>>;

    using TableSink::begin;
    void begin(std::span<const TableColumn> columns) override;
    void text(std::string_view text) override;
    void whole(u64 number) override;
    void real(double number) override;
    void none() override { end_cell(); }

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const { return frames_->columns(); }
    /// What was kept. Call once, at the end. Precondition: begin().
    Frames take();

  private:
    void end_cell();

    std::optional<FrameWriter> frames_;
    Frames done_;
    u32 column_ = 0;  ///< of the next cell
};

/// The frames of a table, which share what they hold.
class KeptFrames : public FrameSource {
  public:
    KeptFrames(std::vector<ColumnInfo> columns, TableFrames::Frames frames)
        : columns_(std::move(columns)), frames_(std::move(frames)) {}

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const override { return columns_; }
    std::shared_ptr<const Frame> next() override {
        return next_ < frames_.size() ? frames_[next_++] : nullptr;
    }

  private:
    std::vector<ColumnInfo> columns_;
    TableFrames::Frames frames_;
    std::size_t next_ = 0;
};

}  // namespace tracefold
