// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction/event_order.hpp"

#include "forecast/prediction/rank_agenda.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using EventKind = WalkEvent::Kind;

bool same(const EventKey& a, const EventKey& b) { return a.time == b.time && a.turn == b.turn; }

TEST(RankOrderTest, TheFirstIsTheLeastOfAll) {
    for (const u32 ranks : {1U, 2U, 3U, 8U, 13U}) {
        std::mt19937 random(ranks);
        RankOrder order(ranks);
        EXPECT_EQ(order.key(order.first()).time, kNever.time);
        std::vector<EventKey> keys(ranks, kNever);
        for (u64 step = 0; step < 2000; ++step) {
            const auto rank = static_cast<u32>(random() % ranks);
            // Few times, so that many are equal.
            keys[rank] = {static_cast<i64>(random() % 4), {static_cast<i64>(random() % 3), step}};
            if (random() % 4 == 0) keys[rank] = kNever;
            order.set(rank, keys[rank]);
            EventKey least = kNever;
            EventKey least_of_others = kNever;
            for (u32 one = 0; one < ranks; ++one) {
                if (least > keys[one]) least = keys[one];
                if (one != rank && least_of_others > keys[one]) least_of_others = keys[one];
            }
            EXPECT_TRUE(same(order.key(order.first()), least));
            EXPECT_TRUE(same(order.first_of_others(rank), least_of_others));
        }
    }
}

/// When an event happens that waits for what it needs.
EventKey key_of(const WalkEvent& event, const RankFree& free) {
    i64 time = free.processor;
    const auto via = static_cast<std::size_t>(event.via);
    if (event.kind == EventKind::send) time = std::max(time, free.to_send[via]);
    if (event.kind == EventKind::message)
        time = std::max({time, free.to_process[via], event.key.time});
    return {time, event.key.turn};
}

TEST(RankAgendaTest, TheFirstIsWhatCanHappenFirst) {
    std::mt19937 random(5);
    RankAgenda agenda;
    RankFree free;
    std::vector<WalkEvent> all;
    for (u64 step = 0; step < 20000; ++step) {
        if (all.empty() || random() % 2 == 0) {
            WalkEvent event;
            event.kind = static_cast<EventKind>(random() % 3);
            event.number = static_cast<u32>(step);
            event.via = static_cast<Via>(random() % kVias);
            event.key.time = free.processor + static_cast<i64>(random() % 20);
            event.key.turn = {static_cast<i64>(random() % 5), step};
            agenda.add(event);
            all.push_back(event);
            continue;
        }
        for (i64* const part : {&free.processor, free.to_send.data(), &free.to_send[1],
                                free.to_process.data(), &free.to_process[1]}) {
            *part += static_cast<i64>(random() % 4);
        }
        std::size_t least = 0;
        for (std::size_t i = 1; i < all.size(); ++i) {
            if (key_of(all[least], free) > key_of(all[i], free)) least = i;
        }
        ASSERT_FALSE(agenda.empty());
        EXPECT_TRUE(same(agenda.first(free), key_of(all[least], free)));
        EXPECT_EQ(agenda.take_first().number, all[least].number);
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(least));
    }
    while (!all.empty()) {
        agenda.first(free);
        agenda.take_first();
        all.pop_back();
    }
    EXPECT_TRUE(agenda.empty());
}

}  // namespace
}  // namespace tracefold
