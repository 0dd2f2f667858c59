// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/collective_arguments.hpp"
#include "schedules/transport.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// What the members of a communicator recorded for one collective operation. Members of an
/// intercommunicator are those of one side and then those of the other.
struct CollectiveRecords {
    CollectiveKind kind = CollectiveKind::barrier;
    u32 root = kNone;    ///< member; kNone: none
    u32 first_side = 0;  ///< members of the first side; all without an intercommunicator
    std::vector<Contribution> sizes;  ///< by member

    bool operator==(const CollectiveRecords&) const = default;
};

/// A collective operation as all its members together see it: which data are where before, and
/// where they have to be after. Worked out once; who takes part in it only reads.
class Exchange {
  public:
    explicit Exchange(const CollectiveRecords& records);

    [[nodiscard]] CollectiveKind kind() const { return kind_; }
    [[nodiscard]] u32 root() const { return root_; }
    /// Members, of both sides.
    [[nodiscard]] u32 size() const { return size_; }
    [[nodiscard]] u32 first_side() const { return first_side_; }
    [[nodiscard]] bool is_inter() const { return first_side_ != size_; }
    /// Where the sides differ in what one of a member's partners gets, blocks differ.
    [[nodiscard]] bool has_equal_blocks() const { return blocks_.empty(); }
    /// True if the records of the members contradict each other, so that this is a compromise.
    [[nodiscard]] bool is_compromise() const { return compromise_; }

    /// Bytes of a member's block: of Bcast, Reduce, Allreduce, Scan and Exscan the whole vector; of
    /// Gather(v), Allgather(v) what it contributes, of Scatter(v) and Reduce_scatter(_block) what
    /// it gets, of Alltoall what it sends to each.
    [[nodiscard]] u64 block(u32 member) const { return blocks_.empty() ? bytes_ : blocks_[member]; }
    /// Of `count` members, from `first` on, the last one followed by the first one.
    [[nodiscard]] u64 blocks(u32 first, u32 count) const;

    /// The most bytes that a member sends, or receives, in all.
    [[nodiscard]] u64 largest_sum() const;

    /// Alltoallv, Alltoallw: what a member sends to, or receives from, each member of the other
    /// side (without an intercommunicator: of all).
    void sends(u32 member, std::vector<u64>& out) const;
    void receives(u32 member, std::vector<u64>& out) const;

  private:
    void set_blocks(std::vector<u64> blocks);
    void spread(const CollectiveRecords& records);
    void add_uniform(const CollectiveRecords& records);
    void add_shares(const CollectiveRecords& records);

    CollectiveKind kind_;
    u32 root_;
    u32 size_;
    u32 first_side_;
    bool compromise_ = false;
    u64 bytes_ = 0;
    std::vector<u64> blocks_;          ///< empty: all are bytes_
    std::vector<u64> summed_;          ///< blocks before each, one more than there are
    std::vector<Transport> matrices_;  ///< one; of an intercommunicator, one for each direction
};

/// How a member sees the communicator.
CollectiveScope scope_of(const CollectiveRecords& records, u32 member);

}  // namespace tracefold
