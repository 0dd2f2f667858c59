// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/table_sink.hpp"
#include "frames/frame.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace tracefold {

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
