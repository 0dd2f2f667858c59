// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"
#include "mpi/matching/channels.hpp"
#include "mpi/mpi_call.hpp"

#include <algorithm>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Added to a window's id to form the key of its context; the key of a communicator is its id.
inline constexpr u64 kWindowContext = u64{1} << 40U;

/// The instances of collective operations, by communicator or window: the n-th call of every member
/// belongs to the n-th instance.
class CollectiveInstances {
  public:
    /// A member's call that joins an instance.
    struct Arrival {
        u32 rank = 0;  ///< world rank
        CallPlace place;
        u32 root = 0;  ///< as stated by the member
        u64 sent = 0;
        u64 received = 0;
        bool inferred = false;  ///< without a record: another instance is possible
    };
    struct Instance {
        CollectivePart part;  ///< of the first arrival
        std::vector<Arrival> present;
        std::vector<u32> blocked;  ///< walkers that wait for other members
        u64 sent = 0;
        u64 received = 0;
        bool alike = true;  ///< all members call the same operation with the same root
        bool over = false;
    };
    /// A communicator or window.
    struct Context {
        u64 key = 0;
        std::vector<u32> members;             ///< world ranks; both sides of an intercommunicator
        u32 first_side = 0;                   ///< members on the first member's side
        std::deque<Instance> open;            ///< the oldest unfinished instance first
        u64 first = 0;                        ///< number of open.front()
        std::unordered_map<u32, u64> visits;  ///< instances joined, by world rank

        /// The member with a world rank; members.size() if there is none.
        [[nodiscard]] std::size_t member(u32 rank) const {
            if (rank < members.size() && members[rank] == rank) return rank;
            return static_cast<std::size_t>(std::ranges::find(members, rank) - members.begin());
        }
        [[nodiscard]] bool is_of_window() const { return (key & kWindowContext) != 0; }
        [[nodiscard]] bool is_inter() const { return first_side != members.size(); }
    };

    /// The number of a context; calls `members` for a new one only.
    template <class Members>
    u32 find(u64 key, const Members& members) {
        const auto [found, fresh] = numbers_.try_emplace(key, static_cast<u32>(contexts_.size()));
        if (fresh) {
            contexts_.emplace_back().key = key;
            contexts_.back().members = members();
        }
        return found->second;
    }
    Context& operator[](u32 context) { return contexts_[context]; }
    [[nodiscard]] std::deque<Context>& all() { return contexts_; }

    /// A member joins its next instance; returns its number.
    u64 arrive(u32 context, const Arrival& arrival, const CollectivePart& part);
    /// True if all members have arrived, or the instance was given up.
    [[nodiscard]] bool is_over(u32 context, u64 number) const;
    /// True if all joined instances are over.
    [[nodiscard]] bool are_over() const {
        return std::ranges::all_of(contexts_, [](const Context& it) { return it.open.empty(); });
    }
    /// Precondition: it is not over.
    Instance& instance(u32 context, u64 number) {
        return contexts_[context].open[number - contexts_[context].first];
    }
    [[nodiscard]] bool is_full(u32 context, u64 number) {
        return instance(context, number).present.size() >= contexts_[context].members.size();
    }
    /// Ends the instance.
    void end(u32 context, u64 number);
    /// Members that have not arrived.
    [[nodiscard]] std::vector<u32> absent(u32 context, u64 number);

  private:
    std::unordered_map<u64, u32> numbers_;
    std::deque<Context> contexts_;
};

/// Which members must have begun before a member can end.
enum class CollectiveNeed : u8 {
    everybody,  ///< every member needs all
    root,       ///< every member needs the root: broadcast, scatter
    members,    ///< the root needs all: reduction, gather
    lower,      ///< every member needs those of lower rank: scan
};

CollectiveNeed collective_need(CollectiveKind kind);

/// Why a member has to wait for those that it needs.
enum class NeedBasis : u8 {
    semantics,  ///< their data, or the synchronisation that MPI prescribes
    custom,     ///< MPI libraries wait, or the instance is inferred; recorded times may disprove it
    unknown,    ///< neither MPI nor the record says whether it waits
};

/// Which members of one instance of a collective operation wait for which others. The only place
/// with these rules (docs/reference/efficiency.md). Members of an intercommunicator need those of
/// the other side. Operations without data need nobody, except barriers and those on handles.
class CollectiveNeeds {
  public:
    CollectiveNeeds() = default;
    /// Precondition: the instance is complete.
    CollectiveNeeds(const CollectiveInstances::Context& context,
                    const CollectiveInstances::Instance& instance);

    [[nodiscard]] NeedBasis basis() const { return basis_; }
    [[nodiscard]] CollectiveNeed need() const { return need_; }
    /// A member; kNone: none.
    [[nodiscard]] u32 root() const { return root_; }
    [[nodiscard]] std::size_t size() const { return gives_.size(); }
    /// Whether others may need the member, and whether it may need others.
    [[nodiscard]] bool gives(std::size_t member) const { return gives_[member] != 0; }
    [[nodiscard]] bool takes(std::size_t member) const { return takes_[member] != 0; }
    /// The members that a member may need are those that give and belong to this side (0 or 1) or,
    /// if kNone, any. Precondition: need() is `everybody`.
    [[nodiscard]] u32 needed_side(std::size_t member) const {
        return across_ ? 1 - side(member) : kNone;
    }
    [[nodiscard]] u32 side(std::size_t member) const { return member < first_side_ ? 0 : 1; }

    /// When each member has all that it may need from the others, with zero transfer time.
    /// `arrivals`: by member.
    [[nodiscard]] std::vector<u64> ready_times(std::span<const u64> arrivals) const;
    /// When it has all that it certainly needs, even if basis() is `unknown`.
    [[nodiscard]] std::vector<u64> certain_times(std::span<const u64> arrivals) const;

  private:
    void find_givers(const CollectiveInstances::Context& context,
                     const CollectiveInstances::Instance& instance);
    void note_sums(const CollectiveInstances::Context& context,
                   const CollectiveInstances::Instance& instance);
    [[nodiscard]] bool is_needed(std::size_t member, std::size_t other) const {
        return gives(other) && (!across_ || side(member) != side(other));
    }

    CollectiveNeed need_{};
    NeedBasis basis_{};
    u32 root_ = kNone;
    std::size_t first_side_ = 0;
    bool across_ = false;    ///< only members of different sides need each other
    std::vector<u8> gives_;  ///< by member
    std::vector<u8> takes_;  ///< by member
    std::vector<u64> sent_;  ///< by member; empty if no pair of members is certain
    std::vector<u64> received_;
    u64 total_ = 0;
};

}  // namespace tracefold
