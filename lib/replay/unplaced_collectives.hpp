// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/channels.hpp"
#include "replay/communicator_table.hpp"
#include "replay/unrecorded_collective.hpp"

#include <deque>
#include <vector>

namespace tracefold {

/// Collective calls without a record, until it is clear on which communicator they take place: one
/// whose members all make them in the same order. Where several communicators fit, the largest one
/// is meant. Memory: the calls that are not clear yet, the members of all communicators.
class UnplacedCollectives {
  public:
    struct Call {
        u32 rank = 0;  ///< world rank
        CallPlace place;
        UnrecordedCall said;
        u64 request = kNoRequest;  ///< of a non-blocking one
    };
    /// The calls of all members, in the order of the communicator.
    struct Instance {
        u64 comm = kNone;
        std::vector<Call> calls;
    };

    /// `tables` are those of the ranks, and must outlive this object.
    explicit UnplacedCollectives(const std::vector<CommunicatorTable>& tables)
        : tables_(tables), queues_(tables.size()) {}

    /// A rank's next call. Cost: O(1), but of the first one linear in the communicators of all
    /// ranks.
    void arrive(const Call& call);
    [[nodiscard]] bool empty() const { return open_ == 0; }

    /// The next blocking, or other, calls that belong together, which leave; false if no
    /// communicator's members all have the same call as their oldest one. Cost: linear in the
    /// members of communicators.
    bool next(bool blocking, Instance& instance);
    /// Precondition: next() was false for both, and not empty(). The oldest calls of the ranks that
    /// are least in number to wait in the same function, which leave.
    std::vector<Call> give_up();

  private:
    struct Candidate {
        u64 comm = kNone;
        std::span<const u64> members;
    };

    void find_candidates();
    [[nodiscard]] bool is_full(const Candidate& candidate) const;
    Call leave(u32 rank);

    const std::vector<CommunicatorTable>& tables_;
    std::vector<Candidate> candidates_;     ///< the largest first
    std::vector<std::deque<Call>> queues_;  ///< by rank, the oldest call first
    u64 open_ = 0;
};

}  // namespace tracefold
