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

/// The key of a context is its communicator, or its window plus this.
inline constexpr u64 kWindowContext = u64{1} << 40U;

/// The instances of collective operations, by communicator or window: the n-th call of every member
/// belongs to the n-th instance.
class CollectiveInstances {
  public:
    /// The call with which a member takes part in an instance.
    struct Arrival {
        u32 rank = 0;  ///< world rank
        CallPlace place;
        u32 root = 0;  ///< as the member names it
        u64 sent = 0;
        u64 received = 0;
    };
    struct Instance {
        CollectivePart part;  ///< of the first member that came
        std::vector<Arrival> present;
        std::vector<u32> blocked;  ///< walkers that wait for the others
        u64 sent = 0;
        u64 received = 0;
        bool alike = true;  ///< all members call the same operation with the same root
        bool over = false;
    };
    /// A communicator or window.
    struct Context {
        u64 key = 0;
        std::vector<u32> members;             ///< world ranks; of an intercommunicator both sides
        u32 first_side = 0;                   ///< how many of them are of the first one's side
        std::deque<Instance> open;            ///< the oldest that is not over first
        u64 first = 0;                        ///< number of open.front()
        std::unordered_map<u32, u64> visits;  ///< by world rank: instances that it took part in
    };

    /// The number of a context; `members` is asked for when it is new.
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

    /// A member comes to its next instance; its number.
    u64 arrive(u32 context, const Arrival& arrival, const CollectivePart& part);
    /// True if all have come, or nobody waits any longer.
    [[nodiscard]] bool is_over(u32 context, u64 number) const;
    /// True if that holds for all that a member has come to.
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
    /// Nobody waits for this one any longer.
    void end(u32 context, u64 number);
    /// Members that have not come.
    [[nodiscard]] std::vector<u32> absent(u32 context, u64 number);

  private:
    std::unordered_map<u64, u32> numbers_;
    std::deque<Context> contexts_;
};

/// Whom the members of a collective operation need to have begun before they can end.
enum class CollectiveNeed : u8 {
    everybody,  ///< all need all
    root,       ///< all need the root: broadcast, scatter
    members,    ///< the root needs all: reduction, gather
    lower,      ///< all need those of lower rank: scan
};

CollectiveNeed collective_need(CollectiveKind kind);

/// Whoever moves no data needs nobody, but in a barrier and where communicators are made.
bool needs_others(const CollectiveInstances::Instance& instance);

/// When each member of a collective operation has what it needs from the others, if data travels in
/// no time: `arrivals` are in the order of the communicator; `root` is a place among them, kNone if
/// there is none, and then everybody waits for everybody.
std::vector<u64> ready_times(CollectiveNeed need, std::span<const u64> arrivals, u32 root);

}  // namespace tracefold
