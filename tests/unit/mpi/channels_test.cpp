// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/matching/channels.hpp"

#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// The n-th message is for the n-th receive, whichever comes first and however many wait.
TEST(ChannelsTest, EndsMeetInOrder) {
    std::mt19937 random(3);
    Channels channels;
    const u32 channel = channels.find({0, 0, 1, 7}, true);
    u64 sent = 0;
    u64 posted = 0;
    for (int round = 0; round < 20000; ++round) {
        // Long stretches of one side, so that queues grow and become empty.
        const bool sends = random() % 8 < (round / 500 % 2 == 0 ? 5 : 3);
        const bool partner = sends ? posted > sent : sent > posted;
        Channels::Match match;
        const bool met =
            sends ? channels.send(channel, sent, {0, sent * sent, 0}, 0, round % 2 == 0, match)
                  : channels.post(channel, 0, {1, posted * posted, 0}, match);
        ASSERT_EQ(met, partner);
        const u64 number = sends ? sent++ : posted++;
        if (!met) continue;
        ASSERT_EQ(match.sent, number);
        ASSERT_EQ(match.sender, (CallPlace{0, number * number, 0}));
        ASSERT_EQ(match.receiver, (CallPlace{1, number * number, 0}));
    }
    EXPECT_EQ(channels.outstanding(), sent > posted ? sent - posted : 0);
}

TEST(ChannelsTest, TheLastMessageThatWaitsCanBeCancelled) {
    Channels channels;
    const u32 channel = channels.find({0, 0, 1, 7}, true);
    Channels::Match match;
    channels.send(channel, 8, {0, 1, 0}, 0, true, match);
    channels.send(channel, 16, {0, 5, 0}, 0, true, match);
    channels.retract(channel);
    EXPECT_TRUE(channels.post(channel, 8, {1, 2, 0}, match));
    EXPECT_EQ(match.sent, 8U);
    EXPECT_FALSE(channels[channel].has_messages());
    channels.retract(channel);
    EXPECT_EQ(channels.outstanding(), 0U);
}

}  // namespace
}  // namespace tracefold
