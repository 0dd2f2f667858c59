// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/collective_instances.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/matching/channels.hpp"
#include "mpi/matching/inferred_collectives.hpp"
#include "mpi/matching/matching_state.hpp"

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

/// Matches the collective calls of the members of communicators and windows. Functions that return
/// bool return false if the walker has to wait.
class CollectiveMatching {
  public:
    /// The state must outlive this object.
    explicit CollectiveMatching(MatchingState& state) : state_(state), unplaced_(state.tables) {}

    /// Before the first call.
    void begin() { inferred_.resize(state_.walkers.size()); }

    /// A blocking collective. `key` is that of the context.
    bool call(u32 walker, u64 key, const CollectivePart& part);
    void post(u32 walker, const Action& action);
    /// Waits until all members take part in the instance.
    bool wait(u32 walker, u32 context, u64 number);
    /// A call without a record waits until it is known on which communicator it takes place; one
    /// that does not block goes on, and its completion waits for that.
    bool unrecorded(u32 walker, const Action& action);

    /// Finds out on which communicator calls without a record take place; false if that is clear
    /// for none.
    bool place_calls();
    /// Leaves out calls without a record that no communicator's members all make.
    void give_up_unplaced();
    [[nodiscard]] bool has_unplaced() const { return !unplaced_.empty(); }

    /// Members that have not come to the instance for which the walker waits.
    [[nodiscard]] std::vector<u32> absent(u32 walker);
    /// Leaves out that instance on all members.
    void give_up(u32 walker);
    /// What the walker waits for.
    [[nodiscard]] std::string wait_text(u32 walker);

    /// No operation waits for members.
    [[nodiscard]] bool is_at_rest() const { return !has_unplaced() && instances_.are_over(); }
    /// What was inferred for a walker. Call once, at the end.
    [[nodiscard]] std::string pack_inferred(u32 walker) { return inferred_[walker].pack(); }

  private:
    bool join(CallPlace place, u64 key, const CollectivePart& part, u32& context, u64& number);
    void finish(u32 context, u64 number);
    void explain(const UnplacedCollectives::Instance& instance);
    void note(const UnplacedCollectives::Call& call, const Action& action);
    void resolve(const UnplacedCollectives::Call& call, const MatchingState::Request& request);

    MatchingState& state_;
    CollectiveInstances instances_;
    UnplacedCollectives unplaced_;
    std::vector<InferredCollectives> inferred_;  ///< by walker
};

}  // namespace tracefold
