// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/channels.hpp"
#include "replay/mpi_call.hpp"

#include <deque>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Keys of rooms are communicators; with this added, windows.
inline constexpr u64 kWindowRoom = u64{1} << 40U;

/// The collective operations on one communicator, in which all its members meet in order.
class Meetings {
  public:
    /// Where a member came to a meeting.
    struct Arrival {
        u32 rank = 0;  ///< world rank
        CallPlace place;
        u32 root = 0;  ///< as the member names it
        u64 sent = 0;
        u64 received = 0;
    };
    struct Meeting {
        CollectivePart part;  ///< of who came first
        std::vector<Arrival> present;
        std::vector<u32> blocked;  ///< walkers that wait for the others
        u64 sent = 0;
        u64 received = 0;
        bool alike = true;  ///< all came for the same operation with the same root
        bool over = false;
    };
    /// A place where members meet again and again.
    struct Room {
        u64 key = 0;
        std::vector<u32> members;             ///< world ranks; of an intercommunicator both sides
        u32 first_side = 0;                   ///< how many of them are of the first one's side
        std::deque<Meeting> open;             ///< the oldest that is not over first
        u64 first = 0;                        ///< number of open.front()
        std::unordered_map<u32, u64> visits;  ///< by world rank: meetings that it came to
    };

    /// The number of a room; `members` is asked for when it is new.
    template <class Members>
    u32 find(u64 key, const Members& members) {
        const auto [found, fresh] = numbers_.try_emplace(key, static_cast<u32>(rooms_.size()));
        if (fresh) {
            rooms_.emplace_back().key = key;
            rooms_.back().members = members();
        }
        return found->second;
    }
    Room& operator[](u32 room) { return rooms_[room]; }
    [[nodiscard]] std::deque<Room>& all() { return rooms_; }

    /// A member comes to its next meeting; its number.
    u64 arrive(u32 room, const Arrival& arrival, const CollectivePart& part);
    /// True if all have come, or nobody waits any longer.
    [[nodiscard]] bool is_over(u32 room, u64 number) const;
    /// Precondition: it is not over.
    Meeting& meeting(u32 room, u64 number) {
        return rooms_[room].open[number - rooms_[room].first];
    }
    [[nodiscard]] bool is_full(u32 room, u64 number) {
        return meeting(room, number).present.size() >= rooms_[room].members.size();
    }
    /// Nobody waits for this one any longer.
    void end(u32 room, u64 number);
    /// Members that have not come.
    [[nodiscard]] std::vector<u32> absent(u32 room, u64 number);

  private:
    std::unordered_map<u64, u32> numbers_;
    std::deque<Room> rooms_;
};

}  // namespace tracefold
