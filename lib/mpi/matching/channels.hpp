// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/flat_map.hpp"
#include "model/mpi_function.hpp"

#include <deque>
#include <optional>
#include <vector>

namespace tracefold {

/// A part of a call, named by the location (among those that are walked), the number of the call
/// there, and the number of the action in the call.
struct CallPlace {
    CallPlace() = default;
    CallPlace(u32 of_walker, u64 of_index, u32 of_action)
        : index(of_index), walker(of_walker), action(of_action) {}

    bool operator==(const CallPlace&) const = default;

    u64 index = 0;  ///< comes first, so that there are no gaps
    u32 walker = 0;
    u32 action = 0;
};

/// Something for each of several places, for as long as it is outstanding. Each location has a
/// table of its own, which is small and at hand while its calls are walked.
template <class Value>
class ByPlace {
  public:
    /// Null if there is none; holds until something is added or removed.
    [[nodiscard]] Value* find(CallPlace place) {
        return place.walker < walkers_.size() ? walkers_[place.walker].find(part(place)) : nullptr;
    }
    [[nodiscard]] bool contains(CallPlace place) { return find(place) != nullptr; }
    /// What is there, or something new.
    Value& operator[](CallPlace place) {
        if (place.walker >= walkers_.size()) walkers_.resize(place.walker + std::size_t{1});
        return walkers_[place.walker][part(place)];
    }
    /// Removes what is there and gives it back; nothing if there is none.
    std::optional<Value> take(CallPlace place) {
        if (place.walker >= walkers_.size()) return std::nullopt;
        return walkers_[place.walker].take(part(place));
    }
    void erase(CallPlace place) { static_cast<void>(take(place)); }

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

/// The messages from one process to another on one communicator with one tag, which MPI delivers in
/// order: the n-th one sent is for the n-th receive that was posted. Ends without a partner wait in
/// a queue; equal ones in a regular sequence of calls are one entry.
class Channels {
  public:
    using Key = MessageChannel;
    /// Sends, or receives, without a partner so far.
    struct Run {
        u64 bytes = 0;
        u64 count = 0;
        CallPlace first;
        u64 stride = 0;  ///< from call to call
        u64 time = 0;    ///< of the first
    };
    /// Ends that wait, in order. Nothing but the object itself while there is none, since a trace
    /// may have millions of channels. Amortised constant cost.
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

        std::vector<Run> runs_;  ///< empty if none waits
        std::size_t first_ = 0;  ///< those before have gone
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
        i64 surplus = 0;  ///< how many more sends than receives the whole trace has
        Queue waiting;
        std::vector<u32> blocked;  ///< walkers that wait for a message

        [[nodiscard]] bool has_messages() const { return sent > posted; }
    };

    /// The channel's number; it is new if there was none. `sends`: who asks is its source. Ranks
    /// have tables of their own.
    u32 find(const Key& key, bool sends);
    Channel& operator[](u32 channel) { return channels_[channel]; }
    [[nodiscard]] const std::deque<Channel>& all() const { return channels_; }

    /// A message is sent, or a receive is posted. True if the other end was waiting; then `match`
    /// says what met. Without `merge` every end has an entry of its own.
    bool send(u32 channel, u64 bytes, CallPlace place, u64 time, bool merge, Match& match);
    bool post(u32 channel, u64 bytes, CallPlace place, Match& match);
    /// The last message that was sent is cancelled, if it still waits.
    void retract(u32 channel);

    /// Messages sent and not received.
    [[nodiscard]] u64 outstanding() const { return outstanding_; }

  private:
    /// A channel as one of its ends names it.
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
    /// The numbers of the channels from a rank, or to it.
    using Numbers = FlatMap<End, u32, Hash>;

    static Numbers& of_rank(std::vector<Numbers>& all, u32 rank);
    static void append(Channel& channel, const Run& end, bool merge);
    static Run take(Channel& channel);

    std::vector<Numbers> received_;  ///< by destination
    std::vector<Numbers> sent_;      ///< by source: what these say, as far as somebody asked
    std::deque<Channel> channels_;
    u64 outstanding_ = 0;
};

}  // namespace tracefold
