// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/file.hpp"
#include "profile/trace_profile.hpp"
#include "trace/trace_file.hpp"

namespace tracefold {

/// Writes a profile as the Cube tools read it (Cube 4, docs/profile.md): an archive with the values
/// of each metric, a row of locations per node, and an XML file that says what they are. All
/// metrics are exclusive; Cube adds them up. Memory: the XML text, linear in nodes and locations.
class CubexWriter {
  public:
    /// Nodes of the tree are numbered depth first. Throws Error(io) if the file of the request
    /// cannot be written or exists, Error(unsupported) if it would have more than 8 GiB per metric.
    CubexWriter(TraceFile& file, const CallTree& tree, const ProfileRequest& request);

    /// Every node once.
    void add(u32 node, const ProfileOptions::Rows& rows);

    /// Puts the file into place. Throws Error(io).
    void commit();

  private:
    void write_member(const std::string& name, std::string_view bytes);
    [[nodiscard]] u64 reserve_member(const std::string& name, u64 size);

    struct Metric {
        std::size_t number = 0;  ///< ProfileMetric
        u64 offset = 0;          ///< of its first row in the file
    };

    AtomicFile out_;
    u32 locations_ = 0;
    double seconds_per_tick_;
    std::vector<Metric> metrics_;
    u64 end_ = 0;
};

}  // namespace tracefold
