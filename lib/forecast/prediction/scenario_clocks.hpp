// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/prediction/message_costs.hpp"
#include "forecast/prediction/rank_agenda.hpp"
#include "forecast/prediction/rank_operations.hpp"
#include "forecast/prediction/walk_request.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace tracefold {

/// A time, and how often the parameters of the network are part of it: its derivatives.
struct Clock {
    i64 time = 0;       ///< picoseconds
    u64 bytes = 0;      ///< G
    u32 latencies = 0;  ///< L
    u32 overheads = 0;  ///< o
};

/// The later of two. Of those at the same time each derivative is the greater one: what one more of
/// a parameter costs, where one fewer saves less.
inline Clock later(const Clock& a, const Clock& b) {
    if (a.time != b.time) return a.time > b.time ? a : b;
    return {a.time, std::max(a.bytes, b.bytes), std::max(a.latencies, b.latencies),
            std::max(a.overheads, b.overheads)};
}

/// Moments on some rank, each in all scenarios, which are used again: by number the clocks of a
/// moment, its way in the first scenario, and who sent the message that comes then.
class MomentPool {
  public:
    using Id = u32;

    explicit MomentPool(std::size_t scenarios) : scenarios_(scenarios) {}

    /// One whose clocks are to be set.
    Id take() {
        if (free_.empty()) {
            free_.push_back(static_cast<Id>(ways_.size()));
            ways_.push_back(kNone);
            senders_.emplace_back();
            clocks_.resize(clocks_.size() + scenarios_);
        }
        const Id id = free_.back();
        free_.pop_back();
        senders_[id] = kNone;
        return id;
    }
    void give_back(Id id) {
        ways_[id] = kNone;
        free_.push_back(id);
    }
    /// By scenario; valid until take().
    [[nodiscard]] Clock* clocks(Id id) { return clocks_.data() + id * scenarios_; }
    [[nodiscard]] i64 time(Id id) const { return clocks_[id * scenarios_].time; }
    /// Valid until take().
    [[nodiscard]] PathHistory::Ref& way(Id id) { return ways_[id]; }
    /// Of all moments, and kNone where there is none.
    [[nodiscard]] std::span<PathHistory::Ref> ways() { return ways_; }
    /// kNone: no message comes.
    [[nodiscard]] u32& sender(Id id) { return senders_[id]; }

  private:
    std::size_t scenarios_;
    std::vector<Clock> clocks_;
    std::vector<PathHistory::Ref> ways_;
    std::vector<u32> senders_;
    std::vector<Id> free_;
};

/// A message from one rank to another.
struct NetworkMessage {
    u32 from = 0;
    u32 to = 0;
    u64 bytes = 0;
    u32 node = kNone;  ///< of the call that sends it
};

/// The clocks of all ranks and their adapters in all scenarios: LogGPS as
/// docs/reference/prediction.md has it. Whoever uses them says what happens in which order. A rank
/// pays for a message when that is processed, but waits for it only where it adopts the moment at
/// which it was.
class ScenarioClocks {
  public:
    using Id = MomentPool::Id;

    /// `definitions`, `tree` and the request must outlive this object.
    ScenarioClocks(const WalkRequest& request, const DefinitionIndex& definitions,
                   const CallTree& tree, u32 ranks);

    // In the first scenario.
    [[nodiscard]] i64 now(u32 rank) const { return clocks(rank, Part::processor)->time; }
    [[nodiscard]] RankFree free(u32 rank) const {
        const Clock* const first = clocks(rank, Part::processor);
        return {first->time, first[counts_].time, first[2 * counts_].time};
    }
    [[nodiscard]] i64 time_of(Id moment) const { return moments_.time(moment); }

    /// The rank computes.
    void compute(u32 rank, std::span<const PathTime> parts, CostKind kind);

    struct Sent {
        Id arrival = kNone;
        Id done = kNone;  ///< when the sender knows that it is sent; kNone: when it has paid
    };
    /// A message leaves as soon as the rank, its adapter and, if there is one, `ready` allow. The
    /// rank, which need not wait for the others, pays for it in its own time.
    Sent send(const NetworkMessage& transfer, Id ready);
    /// The message has come: moves `arrival` to the moment at which the receiver begins with it.
    void begin_processing(const NetworkMessage& transfer, Id arrival);
    /// Moves it on to the moment at which it is processed. `node`: the receiver's call.
    void process(const NetworkMessage& transfer, Id arrival, u32 node);

    /// The rank is no earlier than at a moment.
    void adopt(u32 rank, Id moment);
    /// A moment is no earlier than another one.
    void delay(Id moment, Id until);
    /// The present moment of a rank.
    Id present(u32 rank);
    Id copy_of(Id moment);
    void give_back(Id moment) { moments_.give_back(moment); }

    /// A rank's clocks by scenario.
    [[nodiscard]] std::span<const Clock> clocks(u32 rank) const {
        return {clocks(rank, Part::processor), counts_};
    }
    /// What the first scenario's way to the rank's present moment went to; adds up to its time.
    std::vector<PathCost> path(u32 rank);
    /// Of all waits so far, if the request asks for them.
    [[nodiscard]] const DelayCosts& delays() const { return delays_; }

  private:
    using Cost = PathHistory::Cost;

    /// Of a rank: what is busy until a moment of its own.
    enum class Part : u8 { processor, send_adapter, receive_adapter };
    static constexpr std::size_t kParts = 3;

    [[nodiscard]] std::size_t place_of(u32 rank, Part part) const {
        return kParts * rank + static_cast<std::size_t>(part);
    }
    /// By scenario.
    [[nodiscard]] const Clock* clocks(u32 rank, Part part) const {
        return clocks_.data() + place_of(rank, part) * counts_;
    }
    [[nodiscard]] Clock* clocks(u32 rank, Part part) {
        return clocks_.data() + place_of(rank, part) * counts_;
    }
    [[nodiscard]] i64 time_of(u32 rank, Part part) const { return clocks(rank, part)->time; }
    [[nodiscard]] PathHistory::Ref& way(u32 rank, Part part) { return ways_[place_of(rank, part)]; }
    [[nodiscard]] LinkClass link_of(const NetworkMessage& transfer) const;
    /// What a message adds to the derivatives.
    [[nodiscard]] Clock counts_of(LinkClass link, u64 bytes) const;
    /// What a part of computation takes in a scenario.
    [[nodiscard]] i64 time_of(const PathTime& part, std::size_t scenario);
    void charge(u32 rank, const Cost& cost);
    void note_wait(u32 rank, Id moment);
    void tidy_up();
    [[nodiscard]] PathHistory::Ref way_of_start(const NetworkMessage& transfer, Id ready);
    Id finished(const NetworkMessage& transfer, Id arrival, const Clock& counted,
                std::span<const MessageCosts> costs);
    void leave_send_ways(const NetworkMessage& transfer, Id arrival, const MessageCosts& costs);
    void leave_receive_ways(const NetworkMessage& transfer, Id begun, u32 node,
                            const MessageCosts& costs);

    const WalkRequest& request_;
    std::size_t counts_;  ///< scenarios
    PathHistory history_;
    MomentPool moments_;
    CostTable costs_;
    std::vector<PathSpeeds> speeds_;
    // By rank and part: from when on it is free, on the processor when its operations are done.
    std::vector<Clock> clocks_;  ///< and by scenario
    std::vector<PathHistory::Ref> ways_;
    DelayCosts delays_;
    std::vector<PathHistory::Ref*> kept_;  ///< all ways, while these are tidied up
    std::vector<Cost> late_;     ///< of a wait: what the way that was waited for is made of
    std::vector<Cost> waiting_;  ///< and that of who waits
};

}  // namespace tracefold
