// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/file.hpp"
#include "file/trace_file.hpp"
#include "questions/profile/trace_profile.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Writes a profile as the Cube tools read it (Cube 4, docs/reference/profile.md): an archive with
/// the values of each metric, a row of locations per node, and an XML file that says what they are.
/// All metrics are exclusive or, such as means, worked out from these; Cube adds them up. Memory:
/// the XML text, linear in nodes and locations.
class CubexWriter {
  public:
    /// Nodes of the tree are numbered depth first; `profile` has the trace's metrics and must
    /// outlive the writer. Selected locations that only hold metrics are written without values.
    /// Throws Error(io) if the file of the request cannot be written or exists, Error(unsupported)
    /// if it would have more than 8 GiB per metric.
    CubexWriter(TraceFile& file, const CallTree& tree, const ProfileRequest& request,
                const TraceProfile& profile);

    /// Every node once, with a value for each selected location that holds more than metrics.
    void add(u32 node, const ProfileOptions::Rows& rows);

    /// Puts the file into place. Throws Error(io).
    void commit();

  private:
    void write_member(const std::string& name, std::string_view bytes);
    [[nodiscard]] u64 reserve_member(const std::string& name, u64 size);
    /// Room for the rows of a metric; the place of the first one.
    [[nodiscard]] u64 reserve_rows(u32 nodes);
    /// As the file has it: bits of a double for times, in seconds.
    [[nodiscard]] u64 value_of(ProfileMetric metric, const ProfileOptions::Rows& rows,
                               u32 column) const;
    void add_metrics_of_trace(u32 node);
    void put_row(u64 first_row, u32 node, std::string_view row);

    struct Metric {
        ProfileMetric metric{};
        u64 offset = 0;  ///< of its first row in the file
    };
    /// Of a metric of the trace.
    struct Rows {
        u64 sums = 0;    ///< 0: it is in no call path
        u64 counts = 0;  ///< 0: there are none
    };

    AtomicFile out_;
    const TraceProfile& profile_;
    u32 locations_ = 0;
    double seconds_per_tick_;
    std::vector<Metric> metrics_;
    std::vector<Rows> rows_of_trace_;  ///< by member
    std::vector<u32> numbers_;         ///< by location
    std::vector<u32> places_;          ///< by column of a profile's row: the location's number
    std::vector<u64> row_;
    /// By node: its entries among those of the profile.
    std::unordered_map<u32, std::vector<u32>> entries_;
    u32 stored_ = 0;  ///< metrics
    u64 end_ = 0;
};

}  // namespace tracefold
