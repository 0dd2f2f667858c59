// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/profile_metric.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// The values of the nodes that a process owns: per node and metric a row over the locations. Rows
/// of zeros take no memory.
class NodeRows {
  public:
    /// `owners`: by node.
    NodeRows(const std::vector<u32>& owners, u32 owner, u32 locations);

    /// In rising order.
    [[nodiscard]] const std::vector<u32>& nodes() const { return nodes_; }
    [[nodiscard]] u32 locations() const { return locations_; }

    /// Empty: all zero. Precondition: the node is owned.
    [[nodiscard]] std::span<const u64> row(u32 node, std::size_t metric) const {
        return rows_[slots_[node]][metric];
    }
    /// Adds to the values of one location.
    void add(u32 node, u32 location, const MetricValues& values);
    /// Adds a row, one value per location.
    void add(u32 node, std::size_t metric, std::span<const u64> values);
    /// The same with what another node has, which has nothing afterwards.
    void move(u32 from, u32 to);
    void release(u32 node);

    /// Bytes of rows: now, and at most so far.
    [[nodiscard]] u64 bytes() const { return bytes_; }
    [[nodiscard]] u64 peak_bytes() const { return peak_bytes_; }

  private:
    using Row = std::vector<u64>;

    Row& filled(u32 node, std::size_t metric);
    void drop(Row& row);

    u32 locations_;
    std::vector<u32> nodes_;
    std::vector<u32> slots_;  ///< by node
    std::vector<std::array<Row, kStoredMetrics>> rows_;
    u64 bytes_ = 0;
    u64 peak_bytes_ = 0;
};

/// The rows of one node; those of zeros are empty.
using OneNodeRows = std::array<std::vector<u64>, kStoredMetrics>;

struct NumberedRows {
    u32 node = 0;
    OneNodeRows rows;
};

/// The rows of a node for another process of the same program: numbers as they lie in memory.
std::string rows_to_bytes(const NodeRows& rows, u32 node);

/// Throws Error(internal) for bytes that are none.
NumberedRows rows_from_bytes(std::string_view bytes, u32 locations);

}  // namespace tracefold
