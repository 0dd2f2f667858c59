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

/// True if data moves, and for barriers and communicator creation.
bool needs_others(const CollectiveInstances::Instance& instance);

/// The time at which each member has all that it needs from the others, with zero transfer time.
/// `arrivals` are in communicator order; `root` is an index, or kNone: all members wait for all.
std::vector<u64> ready_times(CollectiveNeed need, std::span<const u64> arrivals, u32 root);

}  // namespace tracefold
