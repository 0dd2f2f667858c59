// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/matching/communicator_history.hpp"

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Infers which calls without a record made which communicators. Each was made by the last such
/// call that all its members make before they first use it, in the order in which they learnt of
/// their communicators, together with all other members of its parent, which get none or another.
///
/// Works backwards from the last call, one collective call of all its members at a time: the result
/// is a feasible order of creation. Of several candidates, the one that leaves the fewest members
/// without a communicator was called last. Memory: linear in the histories. Cost: members of all
/// calls; if some got none, times the ranks.
class CreationMatcher {
  public:
    /// The result of a rank's call.
    struct Creation {
        bool known = false;  ///< false: no defined communicator
        u64 made = kNone;    ///< kNone: MPI_COMM_NULL
        u64 parent = kNone;  ///< `made` itself if its parent is not known
    };

    /// `histories` of all ranks must outlive this object.
    explicit CreationMatcher(const std::vector<CommunicatorHistory>& histories);

    /// Call once.
    void match();

    /// By number of the rank's call among CommunicatorHistory::creations().
    [[nodiscard]] const std::vector<Creation>& creations(u32 rank) const {
        return ranks_[rank].creations;
    }

  private:
    struct Rank {
        std::size_t calls = 0;  ///< not yet processed
        std::size_t comms = 0;
        std::vector<Creation> creations;
    };
    struct Part {
        u32 rank = 0;
        u64 made = kNone;
    };
    /// One collective call.
    struct Event {
        u64 parent = kNone;
        std::vector<Part> parts;
        u64 without = 0;  ///< parts without a communicator
    };
    /// A communicator that is the latest one of all its members. A single-process communicator
    /// belongs to that process alone.
    struct Candidate {
        u64 comm = kNone;
        u32 rank = 0;  ///< a member

        auto operator<=>(const Candidate&) const = default;
    };

    [[nodiscard]] const CommunicatorHistory& history(u32 rank) const { return histories_[rank]; }
    [[nodiscard]] const CommunicatorView& view(Candidate it) const {
        return *history(it.rank).table().find(it.comm);
    }
    [[nodiscard]] u64 last_comm(u32 rank) const;
    [[nodiscard]] MpiFunction last_function(u32 rank) const;
    [[nodiscard]] std::size_t slack(u32 rank) const;
    [[nodiscard]] bool can_be_made(u32 rank) const;
    [[nodiscard]] std::vector<u64> participants(MpiFunction function, Candidate it) const;
    [[nodiscard]] std::optional<Event> event_of(Candidate it);
    [[nodiscard]] std::optional<u64> part_of(u32 rank, Candidate it, MpiFunction function);
    [[nodiscard]] bool can_join(u64 comm, u32 rank, MpiFunction function);
    void reveal(u32 rank);
    void take(const Event& event);
    bool take_best();
    [[nodiscard]] bool can_drop_together(Candidate it) const;
    bool drop_together();
    bool drop_calls();
    void drop_call(u32 rank) { --ranks_[rank].calls; }
    bool drop_communicator();
    void forget_top(u32 rank);

    const std::vector<CommunicatorHistory>& histories_;
    std::vector<Rank> ranks_;
    std::map<u64, std::size_t> on_top_;  ///< members for which it is the latest communicator
    std::set<Candidate> candidates_;
    std::vector<Candidate> fresh_;  ///< candidates to examine first
    std::map<u64, bool> can_join_;  ///< for the current call
};

/// Infers which communicators MPI_Comm_free without a record freed: each was freed by the first
/// such call that all its members make after their last use, in the order of creation. Memory:
/// linear in the histories. Cost: frees times the communicators that exist at a time.
class FreeMatcher {
  public:
    /// Both must outlive this object. Precondition: `creations` are matched.
    FreeMatcher(const std::vector<CommunicatorHistory>& histories,
                const CreationMatcher& creations);

    /// Call once.
    void match();

    /// The communicator of each of CommunicatorHistory::frees(); kNone: unknown.
    [[nodiscard]] const std::vector<u64>& frees(u32 rank) const { return ranks_[rank].frees; }

  private:
    struct Rank {
        std::vector<u64> alive;  ///< existing or not yet made, in the order of creation
        /// Creations that precede the free of a communicator: its own and its children's.
        std::unordered_map<u64, u64> creations;
        std::vector<u64> frees;
        std::size_t next = 0;
    };

    void list_alive(u32 rank, const CreationMatcher& creations);
    [[nodiscard]] bool has_frees(u32 rank) const {
        return ranks_[rank].next < ranks_[rank].frees.size();
    }
    [[nodiscard]] bool can_free(u32 rank, u64 comm) const;
    [[nodiscard]] bool can_all_free(u32 rank, u64 comm) const;
    bool free_one(u32 rank);
    bool skip_call();

    const std::vector<CommunicatorHistory>& histories_;
    std::vector<Rank> ranks_;
};

}  // namespace tracefold
