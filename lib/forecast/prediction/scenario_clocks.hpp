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

/// A time with its derivatives: the number of times each network parameter contributes.
struct Clock {
    i64 time = 0;       ///< picoseconds
    u64 bytes = 0;      ///< G
    u32 latencies = 0;  ///< L
    u32 overheads = 0;  ///< o
};

/// The later of two clocks. For equal times takes the maximum of each derivative: the cost of one
/// more unit of a parameter (one unit less may save less).
inline Clock later(const Clock& a, const Clock& b) {
    if (a.time != b.time) return a.time > b.time ? a : b;
    return {a.time, std::max(a.bytes, b.bytes), std::max(a.latencies, b.latencies),
            std::max(a.overheads, b.overheads)};
}

/// A pool of moments on ranks, each in all scenarios: its clocks, its path in the first scenario,
/// and the sender of a message that arrives then. Numbers are reused.
class MomentPool {
  public:
    using Id = u32;

    explicit MomentPool(std::size_t scenarios) : scenarios_(scenarios) {}

    /// A moment with unset clocks.
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
    /// Of all moments; kNone: unused.
    [[nodiscard]] std::span<PathHistory::Ref> ways() { return ways_; }
    /// kNone: no arriving message.
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
    u32 node = kNone;  ///< sending call
    u32 level = 0;     ///< of the network
};

/// The clocks of all ranks and adapters in all scenarios, by the LogGPS model of
/// docs/reference/prediction.md. The caller determines the order of events. A rank is charged for a
/// message when it is processed, but waits for it only in adopt().
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
        RankFree free{first->time, {first[counts_].time}, {first[2 * counts_].time}};
        if (shares_) {
            const u32 owner = adapter_owner(rank, kNone);
            free.to_send[1] = time_of(owner, Part::send_adapter);
            free.to_process[1] = time_of(owner, Part::receive_adapter);
        }
        return free;
    }
    /// The adapter for messages of a level.
    [[nodiscard]] Via via(u32 rank, u32 level) const {
        return adapter_owner(rank, level) == rank ? Via::own : Via::shared;
    }
    [[nodiscard]] i64 time_of(Id moment) const { return moments_.time(moment); }

    /// Advances a rank by computation.
    void compute(u32 rank, std::span<const PathTime> parts, CostKind kind);

    struct Sent {
        Id arrival = kNone;
        Id done = kNone;  ///< completion known to the sender; kNone: when its overhead ends
    };
    /// Sends a message as soon as the rank, its adapter and, if given, `ready` allow. The rank is
    /// charged in its own time and need not wait for the others.
    Sent send(const NetworkMessage& transfer, Id ready);
    /// A message has arrived: advances `arrival` to the begin of its processing.
    void begin_processing(const NetworkMessage& transfer, Id arrival);
    /// Advances `arrival` to the end of its processing. `node`: receiving call.
    void process(const NetworkMessage& transfer, Id arrival, u32 node);

    /// Advances a rank to a moment, if it is later.
    void adopt(u32 rank, Id moment);
    /// Advances a moment to another one, if it is later.
    void delay(Id moment, Id until);
    /// The current moment of a rank.
    Id present(u32 rank);
    Id copy_of(Id moment);
    void give_back(Id moment) { moments_.give_back(moment); }

    /// A rank's clocks by scenario.
    [[nodiscard]] std::span<const Clock> clocks(u32 rank) const {
        return {clocks(rank, Part::processor), counts_};
    }
    /// Costs on the first scenario's path to the rank's current moment; their sum is its time.
    std::vector<PathCost> path(u32 rank);
    /// Of all waits so far, if requested.
    [[nodiscard]] const DelayCosts& delays() const { return delays_; }

  private:
    using Cost = PathHistory::Cost;

    /// Resources of a rank, each busy until a time of its own. Shared adapters follow the ranks.
    enum class Part : u8 { processor, send_adapter, receive_adapter };
    static constexpr std::size_t kParts = 3;

    static std::size_t place_of(u32 owner, Part part) {
        return std::size_t{kParts} * owner + static_cast<std::size_t>(part);
    }
    /// By scenario.
    [[nodiscard]] const Clock* clocks(u32 owner, Part part) const {
        return clocks_.data() + place_of(owner, part) * counts_;
    }
    [[nodiscard]] Clock* clocks(u32 owner, Part part) {
        return clocks_.data() + place_of(owner, part) * counts_;
    }
    [[nodiscard]] i64 time_of(u32 owner, Part part) const { return clocks(owner, part)->time; }
    [[nodiscard]] PathHistory::Ref& way(u32 owner, Part part) {
        return ways_[place_of(owner, part)];
    }
    /// Owner of the adapter that a rank uses for messages of a level.
    [[nodiscard]] u32 adapter_owner(u32 rank, u32 level) const {
        if (!shares_) return rank;
        const u32 shared = request_.levels.shared_adapter(rank, level);
        return shared == kNone ? rank : ranks_ + shared;
    }
    /// Contribution of a message to the derivatives.
    [[nodiscard]] Clock counts_of(const NetworkMessage& transfer) const;
    /// Time of a part of computation in a scenario.
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
    u32 ranks_;
    bool shares_;         ///< adapters of nodes
    std::size_t counts_;  ///< number of scenarios
    PathHistory history_;
    MomentPool moments_;
    CostTable costs_;
    std::vector<PathSpeeds> speeds_;
    // By owner and part: when it is free; for the processor, when its operations are done.
    std::vector<Clock> clocks_;  ///< and by scenario
    std::vector<PathHistory::Ref> ways_;
    DelayCosts delays_;
    std::vector<PathHistory::Ref*> kept_;  ///< all paths, during tidy_up()
    std::vector<Cost> late_;               ///< costs of the awaited path
    std::vector<Cost> waiting_;            ///< costs of the waiting path
};

}  // namespace tracefold
