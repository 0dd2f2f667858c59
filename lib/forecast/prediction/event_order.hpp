// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/flat_map.hpp"
#include "forecast/prediction/rank_agenda.hpp"
#include "forecast/prediction/rank_operations.hpp"
#include "forecast/prediction/scenario_clocks.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

/// A tournament tree that finds the rank with the earliest event. Cost of a change: O(log(ranks)).
class RankOrder {
  public:
    /// Initially no rank has an event.
    explicit RankOrder(u32 ranks)
        : leaves_(std::bit_ceil(ranks)), keys_(leaves_, kNever), winners_(2 * leaves_) {
        for (u32 rank = 0; rank < leaves_; ++rank) winners_[leaves_ + rank] = rank;
        for (u32 node = leaves_ - 1; node != 0; --node) winners_[node] = winners_[2 * node];
    }

    [[nodiscard]] u32 first() const { return winners_[1]; }
    [[nodiscard]] const EventKey& key(u32 rank) const { return keys_[rank]; }
    void set(u32 rank, const EventKey& key) {
        keys_[rank] = key;
        u32 winner = rank;
        for (u32 node = leaves_ + rank; node != 1; node /= 2) {
            const u32 other = winners_[node ^ 1U];
            winner = keys_[winner] > keys_[other] ? other : winner;
            winners_[node / 2] = winner;
        }
    }
    [[nodiscard]] EventKey first_of_others(u32 rank) const {
        EventKey first = kNever;
        for (u32 node = leaves_ + rank; node != 1; node /= 2) {
            const EventKey& key = keys_[winners_[node ^ 1U]];
            if (first > key) first = key;
        }
        return first;
    }

  private:
    u32 leaves_;
    std::vector<EventKey> keys_;  ///< by rank
    std::vector<u32> winners_;    ///< by tree node: 1 is the root, leaves_ and up are ranks
};

/// Orders events by the first scenario and LogGOPSim's rules: a rank's operations and arriving
/// messages execute when its processor is free, earliest first. A rank runs ahead of others as long
/// as none of their messages can arrive earlier.
class EventOrder {
  public:
    /// `flight`: minimum message latency. `wakes_others`: an event on a rank may resume another
    /// rank at the same time, or take an adapter that it shares. The clocks must outlive this
    /// object.
    EventOrder(const ScenarioClocks& clocks, u32 ranks, i64 flight, bool wakes_others)
        : clocks_(clocks),
          flight_(flight),
          wakes_others_(wakes_others),
          agendas_(ranks),
          order_(ranks),
          reached_(ranks),
          caused_(ranks) {}

    /// Turn of a rank's current action, which may be slightly ahead of other ranks.
    EventTurn next_turn(u32 rank) {
        return {std::max(now_, clocks_.now(rank)), turn_number(rank, caused_[rank]++)};
    }

    /// The key's time is used only for messages: their arrival.
    void add(u32 rank, const WalkEvent& event) {
        agendas_[rank].add(event);
        if (rank == active_) return;
        // Another rank that resumes continues after this moment.
        if (event.kind != WalkEvent::Kind::message) reached_[rank] = std::max(reached_[rank], now_);
        const EventKey key = actual(rank, event);
        if (!(order_.key(rank) > key)) return;
        order_.set(rank, key);
        if (others_ > key) others_ = key;
    }

    /// The next event; false if none is left.
    bool take(WalkEvent& event) {
        while (true) {
            if (active_ != kNone) {
                if (take_active(event)) return true;
                reached_[active_] = now_;
            }
            active_ = order_.first();
            if (order_.key(active_).time == kNever.time) return false;
            others_ = order_.first_of_others(active_);
            now_ = reached_[active_];
        }
    }

    /// Whether the active rank's next event is an operation of this turn, with its processor free.
    [[nodiscard]] bool is_next(EventTurn turn) {
        const EventKey key{clocks_.now(active_), turn};
        RankAgenda& agenda = agendas_[active_];
        if (!agenda.empty() && key > agenda.first(clocks_.free(active_))) return false;
        return comes_first(key);
    }
    [[nodiscard]] u32 active() const { return active_; }

  private:
    /// False if the active rank has no event that may execute yet.
    bool take_active(WalkEvent& event) {
        RankAgenda& agenda = agendas_[active_];
        if (agenda.empty()) {
            order_.set(active_, kNever);
            return false;
        }
        const EventKey key = agenda.first(clocks_.free(active_));
        if (!comes_first(key)) {
            order_.set(active_, key);
            return false;
        }
        event = agenda.take_first();
        now_ = std::max(now_, key.time);
        return true;
    }

    /// Whether the key precedes the events of other ranks and the arrival of any of their messages.
    [[nodiscard]] bool comes_first(const EventKey& key) const {
        if (!wakes_others_ && others_.time > key.time - flight_) return true;
        return !(key > others_);
    }

    [[nodiscard]] EventKey actual(u32 rank, const WalkEvent& event) const {
        const RankFree free = clocks_.free(rank);
        switch (event.kind) {
            case WalkEvent::Kind::timeline:
                return {free.processor, event.key.turn};
            case WalkEvent::Kind::send:
                return {free.send(event.via), event.key.turn};
            case WalkEvent::Kind::message:
                break;
        }
        return {std::max(event.key.time, free.process(event.via)), event.key.turn};
    }

    const ScenarioClocks& clocks_;
    i64 flight_;
    bool wakes_others_;
    std::vector<RankAgenda> agendas_;  ///< by rank
    RankOrder order_;                  ///< of all ranks except the active one
    std::vector<i64> reached_;         ///< by rank: time that its events have reached
    std::vector<u64> caused_;          ///< turns by rank
    u32 active_ = kNone;               ///< active rank
    EventKey others_ = kNever;         ///< first event elsewhere
    i64 now_ = 0;                      ///< of the active rank
};

/// Unmatched messages and receives. The n-th message of a channel matches its n-th receive. Memory:
/// unmatched ends, and the channels.
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
        u32 timeline = kNone;  ///< of a receive, or of a send that waits for it; kNone: no waiting
        u32 slot = 0;
        u32 node = kNone;    ///< MPI call
        u32 moment = kNone;  ///< of a message: when the receiver has processed it
    };

    /// Adds a message: returns the waiting receive, or queues the message.
    std::optional<End> arrive(const Channel& channel, const End& sender) {
        return put(channel, sender, true);
    }
    /// Posts a receive: returns the waiting message, or queues the receive.
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
        std::size_t count = 0;   ///< queue length
        End next;                ///< first queued end
        std::size_t second = 0;  ///< index of the remaining ends
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
        // Discards channels of a single operation.
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

    FlatMap<Channel, u32, Hash> numbers_;  ///< numbers of queues
    std::vector<Queue> queues_;
    std::vector<u32> free_;  ///< free numbers
};

/// A posted request.
struct StrandSlot {
    bool is_open = false;
    bool is_awaited = false;
    u32 moment = kNone;  ///< moment of its completion; kNone: immediate
};

/// A sequence of operations: of a rank, or of one of its nonblocking collectives.
struct Timeline {
    u32 number = 0;
    u32 rank = 0;
    EventTurn turn;  ///< order of its next operation among those of the same time
    NetworkOperations operations;
    std::size_t at = 0;
    std::vector<StrandSlot> slots;
    u32 missing = 0;        ///< incomplete slots that it waits for
    u32 ready = kNone;      ///< of a branch: moment that it has reached
    bool has_calls = true;  ///< of a rank: whether calls are left to read
    bool over = false;
    bool is_blocked = false;                  ///< in its current operation
    std::unique_ptr<RankOperations> program;  ///< of a rank
    u32 parent = kNone;                       ///< of a branch
    u32 parent_slot = 0;

    StrandSlot& slot(u32 number_of_slot) {
        if (number_of_slot >= slots.size()) slots.resize(number_of_slot + std::size_t{1});
        return slots[number_of_slot];
    }
};

/// A message from its send on.
struct FlyingMessage {
    NetworkMessage transfer;
    u64 channel = 0;
    u32 timeline = kNone;  ///< sender
    u32 slot = 0;
    u32 moment = kNone;  ///< arrival; kNone: not sent yet
    bool has_rendezvous = false;

    [[nodiscard]] Mailbox::Channel mailbox() const { return {transfer.from, transfer.to, channel}; }
};

}  // namespace tracefold
