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

enum class ValueColumn : u8 {
    integer,   ///< signed 64-bit integer
    real,      ///< double
    text,      ///< characters
    label,     ///< one of few names, as a code
    integers,  ///< a list of integers
};

struct ColumnInfo {
    std::string name;
    ValueColumn type = ValueColumn::integer;
    std::string unit = {};  ///< "ns", "byte"; empty: none
};

/// Concatenated names; existing ones never change.
struct NameList {
    std::vector<i32> offsets{0};  ///< begin of each name, then the end of the last
    std::string characters;

    [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
    [[nodiscard]] std::string_view operator[](std::size_t i) const {
        return std::string_view(characters)
            .substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(offsets[i + 1]) -
                                                              static_cast<std::size_t>(offsets[i]));
    }
};

/// Assigns codes to names in order of first use.
class Labels {
  public:
    /// Code of a name. Cost: one hash. Throws Error(unsupported) if names exceed 32-bit offsets.
    i32 code(std::string_view name);
    /// All names so far; the same object until a name is added.
    std::shared_ptr<const NameList> names();

  private:
    std::unordered_map<std::string, i32> codes_;
    NameList list_;
    std::shared_ptr<const NameList> shared_;
};

/// The values of one column of a frame; the type determines which buffers are used.
struct FrameColumn {
    AppendBuffer<u8> valid;      ///< by row: 1 with a value, else 0
    AppendBuffer<i64> integers;  ///< by row; concatenated items of lists
    AppendBuffer<double> reals;
    AppendBuffer<i32> codes;    ///< of labels
    AppendBuffer<i32> offsets;  ///< of texts and lists: rows + 1 offsets
    std::string characters;     ///< of texts
    std::shared_ptr<const NameList> names;

    [[nodiscard]] u64 nulls() const;
};

/// Rows of a table in columnar form.
struct Frame {
    u64 rows = 0;
    std::vector<FrameColumn> columns;
};

/// A table in frames. Label codes persist: later frames extend the names of earlier ones.
class FrameSource {
  public:
    virtual ~FrameSource() = default;

    [[nodiscard]] virtual const std::vector<ColumnInfo>& columns() const = 0;
    /// The next frame; null at the end. Throws Error.
    virtual std::shared_ptr<const Frame> next() = 0;
};

/// Fills frames row by row. A value that is not set is null.
class FrameWriter {
  public:
    /// `capacity`: maximum rows of a frame.
    FrameWriter(std::vector<ColumnInfo> columns, u64 capacity);

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const { return columns_; }
    /// Completed rows.
    [[nodiscard]] u64 rows() const { return row_; }
    [[nodiscard]] bool is_full() const { return row_ == capacity_; }

    /// Set values of the current row. Preconditions: the column has this type; not is_full().
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
    /// Replaces invalid UTF-8, also in labels.
    void set_text(u32 column, std::string_view text);
    /// Appends an item to the list of the current row.
    void add(u32 column, i64 item) {
        FrameColumn& to = frame_->columns[column];
        to.integers.push_back(item);
        to.valid[row_] = 1;
    }
    /// Reverts the current row's value.
    void take_back(u32 column);
    void end_row();

    i32 code(u32 column, std::string_view name) { return labels_[column].code(name); }

    /// Sets one value in all rows from `first` up to, excluding, the current row.
    void fill(u32 column, u64 first, i64 value);
    void fill_code(u32 column, u64 first, i32 code);

    /// Returns the rows so far as a frame and begins the next one. Null without rows.
    std::shared_ptr<const Frame> take();

  private:
    void begin();

    std::vector<ColumnInfo> columns_;
    u64 capacity_;
    u64 row_ = 0;
    std::vector<u32> variable_;  ///< text and list columns
    std::vector<Labels> labels_;
    std::shared_ptr<Frame> frame_;
};

/// Stores a table of results as frames.
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
    /// The stored frames. Call once, at the end. Precondition: begin().
    Frames take();

  private:
    void end_cell();

    std::optional<FrameWriter> frames_;
    Frames done_;
    u32 column_ = 0;  ///< of the next cell
};

/// Frames of a table; copies share the data.
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
