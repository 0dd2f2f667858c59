// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/rank_agenda.hpp"
#include "prediction/rank_order.hpp"
#include "prediction/scenario_clocks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tracefold {

/// Events come in the order of the first scenario, by LogGOPSim's rules: what a rank does next and
/// what comes to it happen when its processor is free, the earliest first. A rank goes on past
/// what happens on others as long as none of their messages can come before.
class EventOrder {
  public:
    /// `flight`: no message is under way for less time. `wakes_others`: what happens on a rank may
    /// let another one go on at the same moment. The clocks must outlive this object.
    EventOrder(const ScenarioClocks& clocks, u32 ranks, i64 flight, bool wakes_others)
        : clocks_(clocks),
          flight_(flight),
          wakes_others_(wakes_others),
          agendas_(ranks),
          order_(ranks),
          reached_(ranks),
          caused_(ranks) {}

    /// Of what a rank does now, which may be a little ahead of others.
    EventTurn next_turn(u32 rank) {
        return {std::max(now_, clocks_.now(rank)), turn_number(rank, caused_[rank]++)};
    }

    /// The time of the key counts for messages only: when it comes.
    void add(u32 rank, const WalkEvent& event) {
        agendas_[rank].add(event);
        if (rank == active_) return;
        // Of another rank that goes on, what it does next comes after this moment.
        if (event.kind != WalkEvent::Kind::message) reached_[rank] = std::max(reached_[rank], now_);
        const EventKey key = actual(rank, event);
        if (!(order_.key(rank) > key)) return;
        order_.set(rank, key);
        if (others_ > key) others_ = key;
    }

    /// The next one; false if nothing is left.
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

    /// True if nothing happens on the rank at hand before an operation of this turn, for which its
    /// processor is free now.
    [[nodiscard]] bool is_next(EventTurn turn) {
        const EventKey key{clocks_.now(active_), turn};
        RankAgenda& agenda = agendas_[active_];
        if (!agenda.empty() && key > agenda.first(clocks_.free(active_))) return false;
        return comes_first(key);
    }
    [[nodiscard]] u32 active() const { return active_; }

  private:
    /// False if the rank at hand has nothing to do, or not yet.
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

    /// What others do comes later, or any message of theirs does.
    [[nodiscard]] bool comes_first(const EventKey& key) const {
        if (!wakes_others_ && others_.time > key.time - flight_) return true;
        return !(key > others_);
    }

    [[nodiscard]] EventKey actual(u32 rank, const WalkEvent& event) const {
        const RankFree free = clocks_.free(rank);
        switch (event.kind) {
            case WalkEvent::Kind::strand:
                return {free.processor, event.key.turn};
            case WalkEvent::Kind::send:
                return {std::max(free.processor, free.to_send), event.key.turn};
            case WalkEvent::Kind::message:
                break;
        }
        const i64 time = std::max({event.key.time, free.processor, free.to_process});
        return {time, event.key.turn};
    }

    const ScenarioClocks& clocks_;
    i64 flight_;
    bool wakes_others_;
    std::vector<RankAgenda> agendas_;  ///< by rank
    RankOrder order_;                  ///< of all but the rank at hand
    std::vector<i64> reached_;         ///< by rank: its events are up to here
    std::vector<u64> caused_;          ///< turns by rank
    u32 active_ = kNone;               ///< the rank at hand
    EventKey others_ = kNever;         ///< what happens first elsewhere
    i64 now_ = 0;                      ///< of the rank at hand
};

}  // namespace tracefold
