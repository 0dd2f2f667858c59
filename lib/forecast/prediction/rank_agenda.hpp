// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace tracefold {

/// A priority queue, earliest event first. Replacing a taken event needs one sift: the root stays
/// vacant until the next event is known. `Event` has operator>, a strict order.
template <class Event>
class EventQueue {
  public:
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] std::size_t size() const { return heap_.size() - (is_open_ ? 1 : 0); }

    /// Precondition: not empty().
    [[nodiscard]] const Event& top() const {
        if (!is_open_) return heap_.front();
        return heap_.size() > 2 && heap_[1] > heap_[2] ? heap_[2] : heap_[1];
    }
    Event take() {
        close();
        is_open_ = true;
        return heap_.front();
    }
    void push(const Event& event) {
        if (is_open_) {
            is_open_ = false;
            sift_down(event);
            return;
        }
        std::size_t place = heap_.size();
        heap_.push_back(event);
        while (place != 0 && heap_[(place - 1) / 2] > event) {
            heap_[place] = heap_[(place - 1) / 2];
            place = (place - 1) / 2;
        }
        heap_[place] = event;
    }

  private:
    /// Fills the vacant root from the heap.
    void close() {
        if (!is_open_) return;
        is_open_ = false;
        const Event last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) sift_down(last);
    }

    void sift_down(const Event& event) {
        std::size_t place = 0;
        for (std::size_t child = 1; child < heap_.size(); child = 2 * place + 1) {
            if (child + 1 < heap_.size()) child += heap_[child] > heap_[child + 1] ? 1 : 0;
            // Of equal events, the earlier one in the heap goes first.
            if (heap_[child] > event) break;
            heap_[place] = heap_[child];
            place = child;
        }
        heap_[place] = event;
    }

    std::vector<Event> heap_;
    bool is_open_ = false;  ///< whether the root is vacant
};

/// Order of simultaneous events: by the time they became possible, then by the rank that caused
/// them (a message's sender), then by the order of causes on that rank. The event order thus
/// follows from program and network alone.
struct EventTurn {
    i64 since = 0;   ///< when it became possible, in the first scenario
    u64 number = 0;  ///< of turn_number()

    auto operator<=>(const EventTurn&) const = default;
};
/// Number of an action of a rank; `count` from 0, below 2^40.
constexpr u64 turn_number(u32 rank, u64 count) { return u64{rank} << 40U | count; }

/// Position of an event in the first scenario's order.
struct EventKey {
    i64 time = 0;
    EventTurn turn;

    /// Branch-free: branches would be unpredictable.
    bool operator>(const EventKey& other) const {
        const bool same = (place() == other.place()) & (turn.number > other.turn.number);
        return (place() > other.place()) | same;
    }

  private:
    __extension__ using Wide = unsigned __int128;

    /// Neither time is negative.
    [[nodiscard]] Wide place() const {
        return Wide{static_cast<u64>(time)} << 64U | static_cast<u64>(turn.since);
    }
};
/// Key of no event.
inline constexpr EventKey kNever{std::numeric_limits<i64>::max(), {}};

/// The adapter of a message: of its rank, or one that ranks of a node share.
enum class Via : u8 { own, shared };
inline constexpr std::size_t kVias = 2;

/// An event on a rank that executes at its time when the processor is free.
struct WalkEvent {
    enum class Kind : u8 { timeline, send, message };

    EventKey key;
    u32 number = 0;  ///< of the timeline or message
    Kind kind{};
    Via via{};  ///< of a send or message

    bool operator>(const WalkEvent& other) const { return key > other.key; }
};

/// When a rank is free, in the first scenario.
struct RankFree {
    i64 processor = 0;
    std::array<i64, kVias> to_send{};     ///< send adapter
    std::array<i64, kVias> to_process{};  ///< receive adapter

    /// Processor and adapter.
    [[nodiscard]] i64 send(Via via) const {
        return std::max(processor, to_send[static_cast<std::size_t>(via)]);
    }
    [[nodiscard]] i64 process(Via via) const {
        return std::max(processor, to_process[static_cast<std::size_t>(via)]);
    }
};

/// Pending events of one rank. Arrived events wait until the rank is free: only messages in flight
/// need times of their own.
class RankAgenda {
  public:
    [[nodiscard]] bool empty() const { return size_ == 0; }

    /// The key's time is used only for messages: their arrival.
    void add(WalkEvent event) {
        ++size_;
        event.key.time = event.kind == WalkEvent::Kind::message ? event.key.time : 0;
        if (event.kind == WalkEvent::Kind::timeline) return timelines_.push(event);
        const auto via = static_cast<std::size_t>(event.via);
        shares_ = shares_ || event.via == Via::shared;
        Traffic& traffic = traffic_[via];
        (event.kind == WalkEvent::Kind::message ? traffic.coming : traffic.sends).push(event);
    }
    /// Key of the first event. Precondition: not empty().
    EventKey first(const RankFree& free) {
        EventKey key = kNever;
        consider(timelines_, free.processor, key);
        consider(traffic_[0], free.process(Via::own), free.send(Via::own), key);
        if (shares_) consider(traffic_[1], free.process(Via::shared), free.send(Via::shared), key);
        return key;
    }
    /// Takes the event that first() returned.
    WalkEvent take_first() {
        --size_;
        return first_->take();
    }

  private:
    using Queue = EventQueue<WalkEvent>;

    /// Messages by one adapter.
    struct Traffic {
        Queue sends;
        Queue come;    ///< arrived messages, by turn
        Queue coming;  ///< messages in flight, by time

        void take_in(i64 can_process) {
            while (!coming.empty() && coming.top().key.time <= can_process) {
                WalkEvent event = coming.take();
                event.key.time = 0;
                come.push(event);
            }
        }
    };

    void consider(Traffic& traffic, i64 can_process, i64 can_send, EventKey& first) {
        // A single message needs no ordering.
        if (traffic.coming.size() > 1 || !traffic.come.empty()) traffic.take_in(can_process);
        consider(traffic.sends, can_send, first);
        consider(traffic.come, can_process, first);
        if (traffic.coming.empty()) return;
        consider(traffic.coming, std::max(traffic.coming.top().key.time, can_process), first);
    }
    void consider(Queue& queue, i64 time, EventKey& first) {
        if (queue.empty()) return;
        const EventKey key{time, queue.top().key.turn};
        if (!(first > key)) return;
        first = key;
        first_ = &queue;
    }

    Queue timelines_;  ///< by turn
    std::array<Traffic, kVias> traffic_;
    bool shares_ = false;     ///< whether there was an event of a shared adapter
    Queue* first_ = nullptr;  ///< queue with the first event
    std::size_t size_ = 0;
};

}  // namespace tracefold
