// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "questions/profile/detail/cubex_archive.hpp"
#include "questions/profile/trace_profile.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Writes a profile for the Cube tools (Cube 4, docs/reference/profile.md): an archive with an XML
/// description and, per metric, one row of locations per node. Stored metrics are exclusive; Cube
/// derives means and inclusive values. Memory: the XML text, linear in nodes and locations.
class CubexWriter {
  public:
    /// Nodes of the tree are numbered depth first. `profile` holds the trace's metrics and must
    /// outlive the writer. Selected metric-only locations are written without values. Throws
    /// Error(io) if the requested file cannot be written or exists, Error(unsupported) above 8 GiB
    /// per metric.
    CubexWriter(TraceFile& file, const CallTree& tree, const ProfileRequest& request,
                const TraceProfile& profile);

    /// Adds a node's values, one per selected location with more than metrics. Once per node.
    void add(u32 node, const ProfileOptions::Rows& rows);

    /// Moves the file into place. Throws Error(io).
    void commit();

  private:
    /// The value as stored: for times the bits of a double, in seconds.
    [[nodiscard]] u64 value_of(ProfileMetric metric, const ProfileOptions::Rows& rows,
                               u32 column) const;
    void add_metrics_of_trace(u32 node);
    void put_row(u64 first_row, u32 node, std::string_view row);

    struct Metric {
        ProfileMetric metric{};
        u64 offset = 0;  ///< of its first row in the file
    };
    /// Rows of a trace metric.
    struct Rows {
        u64 sums = 0;    ///< 0: in no call path
        u64 counts = 0;  ///< 0: no counts stored
    };

    std::optional<CubexArchive> archive_;
    const TraceProfile& profile_;
    u32 locations_ = 0;
    double seconds_per_tick_;
    std::vector<Metric> metrics_;
    std::vector<Rows> rows_of_trace_;  ///< by member
    std::vector<u32> numbers_;         ///< by location
    std::vector<u32> places_;          ///< location number, by column of a profile row
    std::vector<u64> row_;
    /// By node: its entries in the profile.
    std::unordered_map<u32, std::vector<u32>> entries_;
    u64 row_bytes_ = 0;
};

}  // namespace tracefold
