// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/channels.hpp"
#include "replay/mpi_call.hpp"

#include <algorithm>
#include <deque>
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

}  // namespace tracefold
