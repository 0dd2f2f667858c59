// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/flat_map.hpp"
#include "model/mpi_function.hpp"

#include <deque>
#include <optional>
#include <vector>

namespace tracefold {

/// An action of a call: the walked location, the number of the call there, and the action's index.
struct CallPlace {
    CallPlace() = default;
    CallPlace(u32 of_walker, u64 of_index, u32 of_action)
        : index(of_index), walker(of_walker), action(of_action) {}

    bool operator==(const CallPlace&) const = default;

    u64 index = 0;  ///< first: avoids padding
    u32 walker = 0;
    u32 action = 0;
};

/// Values of outstanding actions by place. Each location has its own table: small, and in cache
/// while its calls are walked.
template <class Value>
class ByPlace {
  public:
    /// Null if there is none; valid until a value is added or removed.
    [[nodiscard]] Value* find(CallPlace place) {
        return place.walker < walkers_.size() ? walkers_[place.walker].find(part(place)) : nullptr;
    }
    [[nodiscard]] bool contains(CallPlace place) { return find(place) != nullptr; }
    /// The value, created if missing.
    Value& operator[](CallPlace place) {
        if (place.walker >= walkers_.size()) walkers_.resize(place.walker + std::size_t{1});
        return walkers_[place.walker][part(place)];
    }
    /// Removes and returns the value; nullopt if there is none.
    std::optional<Value> take(CallPlace place) {
        if (place.walker >= walkers_.size()) return std::nullopt;
        return walkers_[place.walker].take(part(place));
    }
    void erase(CallPlace place) { static_cast<void>(take(place)); }
    /// Calls visit(value) for each value, in no particular order.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const auto& walker : walkers_) {
            walker.for_each([&](const Part&, const Value& value) { visit(value); });
        }
    }

  private:
    struct Part {
        u64 index = 0;
        u32 action = 0;

        bool operator==(const Part&) const = default;
    };
    struct Hash {
        u64 operator()(const Part& part) const { return u64{part.action} << 32U ^ part.index; }
    };
    static Part part(CallPlace place) { return {place.index, place.action}; }

    std::vector<FlatMap<Part, Value, Hash>> walkers_;
};

/// Matches messages: those from one process to another on one communicator with one tag are
/// delivered in order, so the n-th send belongs to the n-th posted receive. Unmatched ends wait in
/// a queue; equal ones in a regular sequence of calls share one entry.
class Channels {
  public:
    using Key = MessageChannel;
    /// Unmatched sends, or receives.
    struct Run {
        u64 bytes = 0;
        u64 count = 0;
        CallPlace first;
        u64 stride = 0;  ///< in calls
        u64 time = 0;    ///< of the first
    };
    /// Unmatched ends, in order. Allocates only when used, since a trace may have millions of
    /// channels. Amortised constant cost.
    class Queue {
      public:
        [[nodiscard]] bool empty() const { return runs_.empty(); }
        [[nodiscard]] Run& front() { return runs_[first_]; }
        [[nodiscard]] const Run& front() const { return runs_[first_]; }
        [[nodiscard]] Run& back() { return runs_.back(); }
        [[nodiscard]] auto begin() const { return runs_.begin() + static_cast<long>(first_); }
        [[nodiscard]] auto end() const { return runs_.end(); }
        void push_back(const Run& run) { runs_.push_back(run); }
        void pop_front();
        void pop_back();

      private:
        void forget();

        std::vector<Run> runs_;  ///< empty if none is unmatched
        std::size_t first_ = 0;  ///< earlier entries are removed
    };
    /// A message and its receive.
    struct Match {
        u64 sent = 0;
        u64 received = 0;
        CallPlace sender;
        CallPlace receiver;
    };
    struct Channel {
        Key key;
        u64 sent = 0;
        u64 posted = 0;
        i64 surplus = 0;  ///< sends minus receives in the whole trace
        Queue waiting;
        std::vector<u32> blocked;  ///< walkers that wait for a message

        [[nodiscard]] bool has_messages() const { return sent > posted; }
    };

    /// The channel's number; creates the channel if needed. `sends`: the caller is its source.
    u32 find(const Key& key, bool sends);
    Channel& operator[](u32 channel) { return channels_[channel]; }
    [[nodiscard]] const std::deque<Channel>& all() const { return channels_; }

    /// A message is sent, or a receive is posted. True if its partner was waiting; `match` is then
    /// the pair. Without `merge` every end has its own entry.
    bool send(u32 channel, u64 bytes, CallPlace place, u64 time, bool merge, Match& match);
    bool post(u32 channel, u64 bytes, CallPlace place, Match& match);
    /// Cancels the last message sent, if it is still unmatched.
    void retract(u32 channel);

    /// Messages sent and not received.
    [[nodiscard]] u64 outstanding() const { return outstanding_; }

  private:
    /// A channel's key from the view of one end.
    struct End {
        u64 comm = 0;
        u32 peer = 0;
        u32 tag = 0;

        bool operator==(const End&) const = default;
    };
    struct Hash {
        u64 operator()(const End& end) const {
            return (end.comm * kGolden + end.tag) * kGolden + end.peer;
        }
    };
    /// The numbers of the channels from or to a rank.
    using Numbers = FlatMap<End, u32, Hash>;

    static Numbers& of_rank(std::vector<Numbers>& all, u32 rank);
    static void append(Channel& channel, const Run& end, bool merge);
    static Run take(Channel& channel);

    std::vector<Numbers> received_;  ///< by destination
    std::vector<Numbers> sent_;      ///< by source: a cache of received_
    std::deque<Channel> channels_;
    u64 outstanding_ = 0;
};

}  // namespace tracefold
