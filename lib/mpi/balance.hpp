// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/communicator_table.hpp"
#include "mpi/mpi_call.hpp"

#include <unordered_map>
#include <unordered_set>

namespace tracefold {

/// Finds out without a look at the other ranks whether all ranks together have a partner for
/// everything: each adds up numbers made from its messages and collectives, and the sums of all
/// ranks cancel out if every send has a receive of the same communicator, tag and size and all
/// members of a communicator call the same operations on it. They do not otherwise, but for odds
/// of 2^-64. Communicators that are in use without a call that makes them, and completions of a
/// request of another kind, have no partner either.
/// Memory: requests outstanding, communicators. Cost: O(1) per call.
class Balance {
  public:
    /// The table must outlive this object.
    explicit Balance(const CommunicatorTable& table) : table_(table) {}

    /// For every call of the rank as it was recorded, in order on each location.
    void add(const MpiCall& call);
    /// Those of all ranks add up to 0, modulo 2^64, if everything has a partner.
    [[nodiscard]] u64 sum() const { return sum_; }

  private:
    void add(const MpiCall& call, const Action& action);
    void complete(const Action& action);
    void unrecorded(const MpiCall& call, const Action& action);
    void message(const Envelope& envelope, bool sends);
    void collective(u64 key, const CollectivePart& part, u64 metric = 0);
    const CommunicatorView* find(u64 comm);
    /// Of something that has no partner for certain.
    void spoil() { sum_ += kSpoilt; }

    static constexpr u64 kSpoilt = 1;

    struct Posted {
        Action::Kind kind{};
        u64 number = 0;  ///< what a cancelled one takes back
    };

    const CommunicatorTable& table_;
    std::unordered_map<u64, Posted> requests_;
    std::unordered_map<u64, u64> instances_;  ///< so far, by communicator or window
    std::unordered_set<u64> made_;            ///< communicators that exist now
    u64 sum_ = 0;
};

}  // namespace tracefold
