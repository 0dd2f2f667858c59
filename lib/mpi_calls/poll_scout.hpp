// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "model/definition_index.hpp"
#include "model/record_batch.hpp"
#include "mpi_calls/mapping_tables.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Which regions of a location poll: tests, as MPI_Test, most of which complete nothing. A failed
/// poll says no more than that time passes. With a symbol of its own, polls are a count in the
/// script, and what follows them says that one has succeeded; tests that succeed more often share
/// one symbol with the failed ones, so that the script stays that of the program. Regions are
/// judged together, by a stretch of records from the first test on, which whoever encodes them
/// holds back. Cost: a look at each Enter.
class PollScout {
  public:
    using Heads = std::span<const RecordBatch::Head>;

    /// Both must outlive the scout.
    PollScout(const DefinitionIndex& definitions, const MappingTables& tables)
        : definitions_(definitions), tables_(tables) {}

    /// How many records there are before the first test of a region that was not judged yet.
    [[nodiscard]] std::size_t records_before_test(const RecordBatch& batch, Heads heads);
    /// Watches the next records of a stretch, and returns how many it took: less than all if the
    /// stretch is complete.
    std::size_t watch(const RecordBatch& batch, Heads heads);
    /// True if the stretch is as long as it gets.
    [[nodiscard]] bool has_seen_enough() const { return records_ == kStretch; }
    /// Judges the regions with tests in the stretch, which ends: true if they poll.
    bool judge();

    /// True if the region that an Enter names by this raw id was found to poll.
    [[nodiscard]] bool polls(u64 raw) const {
        return raw < regions_.size() && regions_[raw] == Region::polls;
    }

  private:
    enum class Region : u8 {
        unknown,  ///< never seen
        tests,    ///< to be judged
        watched,  ///< the same, and in the stretch
        polls,
        other,
    };

    static constexpr u32 kStretch = u32{1} << 15U;
    /// Of polls, more than five times as many fail as succeed, and so many more: a second symbol
    /// takes some bytes.
    static constexpr u32 kRatio = 5;
    static constexpr u32 kMargin = 64;
    /// Regions with larger raw ids are taken for no polls.
    static constexpr u64 kMostRegions = 65536;

    /// The region to be judged that the record enters, null if it does not.
    Region* test_of(const RecordBatch& batch, const RecordBatch::Head& head);
    [[nodiscard]] Region look_up(u64 raw) const;
    void end_test();

    const DefinitionIndex& definitions_;
    const MappingTables& tables_;
    std::vector<Region> regions_;  ///< by raw id
    // Of the stretch:
    u32 records_ = 0;
    u32 failed_ = 0;  ///< tests
    u32 succeeded_ = 0;
    bool in_test_ = false;
    bool completed_ = false;  ///< something in this test
};

}  // namespace tracefold
