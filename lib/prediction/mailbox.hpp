// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/hash.hpp"

#include <cstddef>
#include <optional>
#include <unordered_map>
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
    struct Queue {
        bool are_messages = false;
        std::size_t first = 0;  ///< of those that wait
        std::vector<End> waiting;
    };
    struct Hash {
        std::size_t operator()(const Channel& channel) const {
            return mix((u64{channel.from} << 32U | channel.to) ^ mix(channel.number));
        }
    };

    std::optional<End> put(const Channel& channel, const End& end, bool is_message) {
        Queue& queue = queues_[channel];
        if (queue.first == queue.waiting.size() || queue.are_messages == is_message) {
            queue.are_messages = is_message;
            queue.waiting.push_back(end);
            return std::nullopt;
        }
        const End other = queue.waiting[queue.first++];
        if (2 * queue.first >= queue.waiting.size()) {
            queue.waiting.erase(queue.waiting.begin(),
                                queue.waiting.begin() + static_cast<std::ptrdiff_t>(queue.first));
            queue.first = 0;
        }
        // Channels of one operation only are not kept.
        if (queue.waiting.empty() && channel.number >> 32U != 0) queues_.erase(channel);
        return other;
    }

    std::unordered_map<Channel, Queue, Hash> queues_;
};

}  // namespace tracefold
