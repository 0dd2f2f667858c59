// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/flat_map.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

/// Messages without a receive and receives without a message. The n-th message of a channel from
/// one rank to another is for the n-th receive. Memory: what waits, and the channels.
class Mailbox {
  public:
    struct Channel {
        u32 from = 0;
        u32 to = 0;
        u64 number = 0;

        bool operator==(const Channel&) const = default;
    };
    /// One end of a message.
    struct End {
        u32 strand = kNone;  ///< of a receive, or of a send that waits for it; kNone: none waits
        u32 slot = 0;
        u32 node = kNone;    ///< the call
        u32 moment = kNone;  ///< of a message: when it has been taken from the network
    };

    /// A message has come. The receive that waits for it, if one does; else the message waits.
    std::optional<End> arrive(const Channel& channel, const End& sender) {
        return put(channel, sender, true);
    }
    /// A receive is posted. The message that waits for it, if one does.
    std::optional<End> post(const Channel& channel, const End& receiver) {
        return put(channel, receiver, false);
    }

  private:
    struct Hash {
        u64 operator()(const Channel& channel) const {
            return mix((u64{channel.from} << 32U | channel.to) ^ channel.number * kGolden);
        }
    };
    struct Queue {
        bool are_messages = false;
        std::size_t count = 0;   ///< that wait
        End next;                ///< the first of these
        std::size_t second = 0;  ///< where the others begin
        std::vector<End> others;
    };
    std::optional<End> put(const Channel& channel, const End& end, bool is_message) {
        const u32 number = queue_of(channel);
        Queue& queue = queues_[number];
        if (queue.count == 0 || queue.are_messages == is_message) {
            queue.are_messages = is_message;
            if (queue.count++ == 0) {
                queue.next = end;
            } else {
                queue.others.push_back(end);
            }
            return std::nullopt;
        }
        const End other = queue.next;
        if (--queue.count != 0) move_up(queue);
        // Channels of one operation only are not kept.
        if (queue.count == 0 && channel.number >> 32U != 0) {
            free_.push_back(number);
            numbers_.erase(channel);
        }
        return other;
    }

    static void move_up(Queue& queue) {
        queue.next = queue.others[queue.second++];
        if (2 * queue.second < queue.others.size()) return;
        queue.others.erase(queue.others.begin(),
                           queue.others.begin() + static_cast<std::ptrdiff_t>(queue.second));
        queue.second = 0;
    }

    u32 queue_of(const Channel& channel) {
        const auto [number, fresh] = numbers_.try_emplace(channel, kNone);
        if (!fresh) return *number;
        if (free_.empty()) {
            free_.push_back(static_cast<u32>(queues_.size()));
            queues_.emplace_back();
        }
        *number = free_.back();
        free_.pop_back();
        return *number;
    }

    FlatMap<Channel, u32, Hash> numbers_;  ///< of queues
    std::vector<Queue> queues_;
    std::vector<u32> free_;  ///< of these
};

}  // namespace tracefold
