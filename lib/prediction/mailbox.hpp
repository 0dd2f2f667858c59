// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/hash.hpp"

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

    Mailbox() : table_(kFewPlaces) {}

    /// A message has come. The receive that waits for it, if one does; else the message waits.
    std::optional<End> arrive(const Channel& channel, const End& sender) {
        return put(channel, sender, true);
    }
    /// A receive is posted. The message that waits for it, if one does.
    std::optional<End> post(const Channel& channel, const End& receiver) {
        return put(channel, receiver, false);
    }

  private:
    static constexpr std::size_t kFewPlaces = 64;

    struct Queue {
        bool are_messages = false;
        std::size_t count = 0;   ///< that wait
        End next;                ///< the first of these
        std::size_t second = 0;  ///< where the others begin
        std::vector<End> others;
    };
    struct Place {
        Channel channel;
        u32 queue = kNone;  ///< kNone: the place is free
    };

    std::optional<End> put(const Channel& channel, const End& end, bool is_message) {
        const std::size_t place = place_of(channel);
        Queue& queue = queues_[table_[place].queue];
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
        if (queue.count == 0 && channel.number >> 32U != 0) forget(place);
        return other;
    }

    static void move_up(Queue& queue) {
        queue.next = queue.others[queue.second++];
        if (2 * queue.second < queue.others.size()) return;
        queue.others.erase(queue.others.begin(),
                           queue.others.begin() + static_cast<std::ptrdiff_t>(queue.second));
        queue.second = 0;
    }

    // A table with linear probing: a channel is at the first place from its own one on that was
    // free when it came.

    [[nodiscard]] std::size_t mask() const { return table_.size() - 1; }
    [[nodiscard]] std::size_t own_place(const Channel& channel) const {
        return mix((u64{channel.from} << 32U | channel.to) ^ channel.number * kGolden) & mask();
    }

    std::size_t place_of(const Channel& channel) {
        std::size_t place = find(channel);
        if (table_[place].queue != kNone) return place;
        if (2 * ++channels_ > table_.size()) {
            grow();
            place = find(channel);
        }
        if (free_.empty()) {
            free_.push_back(static_cast<u32>(queues_.size()));
            queues_.emplace_back();
        }
        table_[place] = {channel, free_.back()};
        free_.pop_back();
        return place;
    }
    /// Its place, or the free one that it would take.
    [[nodiscard]] std::size_t find(const Channel& channel) const {
        std::size_t place = own_place(channel);
        while (table_[place].queue != kNone && table_[place].channel != channel) {
            place = (place + 1) & mask();
        }
        return place;
    }
    void grow() {
        std::vector<Place> old(2 * table_.size());
        old.swap(table_);
        for (const Place& one : old) {
            if (one.queue != kNone) table_[find(one.channel)] = one;
        }
    }
    /// Those that come after it and could be in its place move up.
    void forget(std::size_t place) {
        free_.push_back(table_[place].queue);
        --channels_;
        for (std::size_t next = (place + 1) & mask(); table_[next].queue != kNone;
             next = (next + 1) & mask()) {
            const std::size_t distance = (next - own_place(table_[next].channel)) & mask();
            if (distance < ((next - place) & mask())) continue;
            table_[place] = table_[next];
            place = next;
        }
        table_[place].queue = kNone;
    }

    std::vector<Place> table_;
    std::size_t channels_ = 0;
    std::vector<Queue> queues_;
    std::vector<u32> free_;  ///< of these
};

}  // namespace tracefold
