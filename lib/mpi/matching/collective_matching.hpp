// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/collective_instances.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/matching/channels.hpp"
#include "mpi/matching/inferred_collectives.hpp"
#include "mpi/matching/matching_state.hpp"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace tracefold {

/// Collective calls without a record whose communicator is not yet known: the one whose members all
/// make them in the same order. If several communicators fit, the largest one is chosen. Memory:
/// the unplaced calls, the members of all communicators.
class UnplacedCollectives {
  public:
    struct Call {
        u32 rank = 0;  ///< world rank
        CallPlace place;
        UnrecordedCall said;
        u64 request = kNoRequest;  ///< non-blocking calls only
    };
    /// The calls of all members, in the order of the communicator.
    struct Instance {
        u64 comm = kNone;
        std::vector<Call> calls;
    };

    /// `tables`: one per rank; must outlive this object.
    explicit UnplacedCollectives(const std::vector<CommunicatorTable>& tables) : tables_(tables) {}

    /// Adds a rank's next call. Cost: O(1); the first call is linear in all communicators.
    void arrive(const Call& call);
    [[nodiscard]] bool empty() const { return open_ == 0; }

    /// Removes the next matching calls, blocking or non-blocking; false if no communicator's
    /// members all have the same oldest call. Cost: linear in the members of communicators.
    bool next(bool blocking, Instance& instance);
    /// Removes the oldest calls of the smallest set of ranks that wait in the same function.
    /// Precondition: next() was false for both kinds, and not empty().
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
    std::vector<std::deque<Call>> queues_;  ///< by rank, oldest call first; none before arrive()
    u64 open_ = 0;
};

/// Matches the collective calls of the members of communicators and windows. Functions that return
/// bool return false if the walker has to wait.
class CollectiveMatching {
  public:
    /// The state must outlive this object.
    explicit CollectiveMatching(MatchingState& state) : state_(state), unplaced_(state.tables) {}

    /// A blocking collective. `key`: see CollectiveInstances::Context.
    bool call(u32 walker, u64 key, const CollectivePart& part);
    void post(u32 walker, const Action& action);
    /// Waits until all members have joined the instance.
    bool wait(u32 walker, u32 context, u64 number);
    /// A blocking call without a record waits until its communicator is known; a non-blocking one
    /// continues, and its completion waits instead.
    bool unrecorded(u32 walker, const Action& action);

    /// Places calls without a record on their communicators; false if none can be placed.
    bool place_calls();
    /// Leaves out calls without a record that no communicator's members all make.
    void give_up_unplaced();
    [[nodiscard]] bool has_unplaced() const { return !unplaced_.empty(); }

    /// Members missing in the walker's instance.
    [[nodiscard]] std::vector<u32> absent(u32 walker);
    /// Leaves out the walker's instance on all members.
    void give_up(u32 walker);
    /// Describes the operation that blocks the walker.
    [[nodiscard]] std::string wait_text(u32 walker);

    /// True if no operation waits for members.
    [[nodiscard]] bool is_at_rest() const { return !has_unplaced() && instances_.are_over(); }
    /// The inferences for a walker. Call once, at the end.
    [[nodiscard]] std::string pack_inferred(u32 walker) {
        const auto found = inferred_.find(walker);
        return found == inferred_.end() ? "" : found->second.pack();
    }

  private:
    bool join(CallPlace place, u64 key, const CollectivePart& part, u32& context, u64& number,
              bool inferred = false);
    void finish(u32 context, u64 number);
    void explain(const UnplacedCollectives::Instance& instance);
    void note(const UnplacedCollectives::Call& call, const Action& action);
    void resolve(const UnplacedCollectives::Call& call, const MatchingState::Request& request);

    MatchingState& state_;
    CollectiveInstances instances_;
    UnplacedCollectives unplaced_;
    std::map<u32, InferredCollectives> inferred_;  ///< by walker, where there are any
};

}  // namespace tracefold
