// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/field_codec.hpp"

#include <set>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

const u64 kIds[] = {0, 1, 2, 77, kUndefinedMessage - 1, kUndefinedMessage, u64{1} << 63U};

TEST(MessageIdTest, EveryIdHasOneCode) {
    for (const u64 last : kIds) {
        std::set<u64> codes;
        for (const u64 id : kIds) {
            const u64 code = encode_message(id, last);
            EXPECT_EQ(decode_message(code, last), id) << id << " after " << last;
            codes.insert(code);
        }
        EXPECT_EQ(codes.size(), std::size(kIds)) << last;
    }
}

TEST(RequestIdTest, EveryIdHasOneCode) {
    for (const u64 last : kIds) {
        for (const u64 ended : kIds) {
            std::set<u64> codes;
            for (const u64 id : kIds) {
                const u64 code = encode_request(id, last, ended);
                EXPECT_EQ(decode_request(code, last, ended), id) << last << ", " << ended;
                codes.insert(code);
            }
            EXPECT_EQ(codes.size(), std::size(kIds)) << last << ", " << ended;
        }
    }
}

TEST(RequestIdTest, WhatEndedLastMayBeginAgain) {
    EXPECT_EQ(encode_request(7, 990, 7), 0U);
    EXPECT_EQ(encode_request(991, 990, 7), 1U);
    EXPECT_EQ(encode_request(991, 990, 990), 1U);
}

TEST(MessageIdTest, TheUndefinedIdIsTheSameEverywhere) {
    EXPECT_EQ(encode_message(kUndefinedMessage, 5), encode_message(kUndefinedMessage, 6));
    EXPECT_EQ(encode_message(6, 5), 1U);
}

TEST(CountedIdsTest, AreAddedCounterByCounter) {
    CountedIds step;
    step[IdCounter::request] = 2;
    step[IdCounter::message] = 1;
    CountedIds ids;
    ids += 3 * step;
    EXPECT_EQ(ids[IdCounter::request], 6U);
    EXPECT_EQ(ids[IdCounter::matching], 0U);
    EXPECT_EQ(ids[IdCounter::message], 3U);
    EXPECT_EQ(ids - step, 2 * step);
}

}  // namespace
}  // namespace tracefold
