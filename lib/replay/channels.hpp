// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/hash.hpp"
#include "model/message_channel.hpp"

#include <deque>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A part of a call, named by the location (among those that are walked), the number of the call
/// there, and the number of the action in the call.
struct CallPlace {
    u32 walker = 0;
    u64 index = 0;
    u32 action = 0;

    bool operator==(const CallPlace&) const = default;
};

struct CallPlaceHash {
    std::size_t operator()(const CallPlace& place) const {
        u64 h = place.index * kGolden + place.walker;
        h = (h ^ (h >> 29U)) * 0xBF58476D1CE4E5B9U + place.action;
        return static_cast<std::size_t>(h ^ (h >> 32U));
    }
};
/// Something for each of several places.
template <class Value>
using ByPlace = std::unordered_map<CallPlace, Value, CallPlaceHash>;

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

    /// The channel's number; it is new if there was none.
    u32 find(const Key& key);
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
    struct Hash {
        std::size_t operator()(const Key& key) const {
            u64 h = (key.comm << 32U) ^ key.tag;
            h = h * kGolden + ((u64{key.source} << 32U) | key.destination);
            h *= kGolden;
            return static_cast<std::size_t>(h ^ (h >> 29U));
        }
    };

    static void append(Channel& channel, const Run& end, bool merge);
    static Run take(Channel& channel);

    std::unordered_map<Key, u32, Hash> numbers_;
    std::deque<Channel> channels_;
    u64 outstanding_ = 0;
};

}  // namespace tracefold
