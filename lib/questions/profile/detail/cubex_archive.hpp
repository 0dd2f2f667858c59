// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/file.hpp"
#include "base/types.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tracefold {

inline constexpr u64 kTarBlock = 512;

/// The first bytes of a metric's files.
inline constexpr std::string_view kCubexData = "CUBEX.DATA";
inline constexpr std::string_view kCubexIndex = "CUBEX.INDEX";

constexpr u64 padded_tar_size(u64 size) { return (size + kTarBlock - 1) / kTarBlock * kTarBlock; }

/// Writes the archive of a Cube file (ustar): an index and data for each metric, and anchor.xml.
class CubexArchive {
  public:
    /// `row_bytes`: at most, of one node. Throws Error: io; unsupported above 8 GiB per metric.
    CubexArchive(const std::string& path, bool force, u64 nodes, u64 row_bytes);

    /// Reserves rows for these row numbers of the next metric; returns the offset of the first one.
    [[nodiscard]] u64 reserve_rows(std::span<const u32> rows, u64 row_bytes);
    /// Skips the number of a metric without rows.
    void skip_metric() { ++stored_; }
    void write_row(u64 offset, std::string_view row) { out_.write_at(offset, row); }

    /// Adds the description, which ends the archive, but for rows.
    void write_anchor(std::string_view text);
    /// Moves the file into place. Throws Error(io).
    void commit() { out_.commit(); }

  private:
    void write_member(const std::string& name, std::string_view bytes);
    [[nodiscard]] u64 reserve_member(const std::string& name, u64 size);

    AtomicFile out_;
    u32 stored_ = 0;  ///< metrics
    u64 end_ = 0;
};

}  // namespace tracefold
