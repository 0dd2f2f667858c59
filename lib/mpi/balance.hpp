// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/communicator_table.hpp"
#include "mpi/mpi_call.hpp"

#include <unordered_map>
#include <unordered_set>

namespace tracefold {

/// Checks without a look at the other ranks whether every message and collective has a partner:
/// each rank adds up numbers made from its messages and collectives. The sums of all ranks cancel
/// out if every send has a receive of the same communicator, tag and size and all members of a
/// communicator call the same operations on it; otherwise they cancel out with a probability of
/// 2^-64. A communicator in use that no call makes, and the completion of a request of another
/// kind, count as unmatched. Memory: outstanding requests, communicators. Cost: O(1) per call.
class Balance {
  public:
    /// The table must outlive this object.
    explicit Balance(const CommunicatorTable& table) : table_(table) {}

    /// Call for every recorded call of the rank, in order on each location.
    void add(const MpiCall& call);
    /// The sums of all ranks add up to 0, modulo 2^64, if everything has a partner.
    [[nodiscard]] u64 sum() const { return sum_; }

  private:
    void add(const MpiCall& call, const Action& action);
    void complete(const Action& action);
    void unrecorded(const MpiCall& call, const Action& action);
    void message(const Envelope& envelope, bool sends);
    void collective(u64 key, const CollectivePart& part, u64 metric = 0);
    const CommunicatorView* find(u64 comm);
    /// For an action that certainly has no partner.
    void spoil() { sum_ += kSpoilt; }

    static constexpr u64 kSpoilt = 1;

    struct Posted {
        Action::Kind kind{};
        u64 number = 0;  ///< subtracted again if the operation is cancelled
    };

    const CommunicatorTable& table_;
    std::unordered_map<u64, Posted> requests_;
    std::unordered_map<u64, u64> instances_;  ///< so far, by communicator or window
    std::unordered_set<u64> made_;            ///< communicators that exist at this call
    u64 sum_ = 0;
};

/// The summand of a rank. Cost: a walk through its program.
u64 balance_of_rank(TraceFile& file, u32 rank);

}  // namespace tracefold
