// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/cut/operation_tracker.hpp"
#include "transform/cut/partner_search.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(NumberSetTest, HoldsWhatWasAdded) {
    NumberSet set;
    for (const u64 number : {5U, 7U, 6U, 1U, 2U, 9U, 5U, 0U}) set.add(number);
    for (u64 number = 0; number < 12; ++number) {
        const bool added = number <= 2 || (number >= 5 && number <= 7) || number == 9;
        EXPECT_EQ(set.contains(number), added) << number;
    }
}

std::vector<u8> states_of(const StateRuns& runs) {
    std::vector<u8> states;
    for (StateCursor at(runs); !at.at_end(); at.skip(1)) states.push_back(at.state());
    return states;
}

TEST(StateRunsTest, OneStateCanBeChanged) {
    for (u64 changed = 0; changed < 6; ++changed) {
        StateRuns runs;
        std::vector<u8> expected = {1, 1, 1, 0, 0, 1};
        for (const u8 state : expected) runs.append(state);
        runs.set(changed, 2);
        expected[changed] = 2;
        EXPECT_EQ(states_of(runs), expected);
        runs.set(changed, 1);
        expected[changed] = 1;
        EXPECT_EQ(states_of(runs), expected);
        EXPECT_EQ(runs.size(), expected.size());
    }
}

const std::vector<bool> kBoth = {true, true};

/// The verdicts on both ends of a channel from rank 0 to rank 1.
struct Ends {
    std::vector<Verdict> sent;
    std::vector<Verdict> received;
};

Ends verdicts(PartnerBook& book, const std::vector<Side>& sent, const std::vector<Side>& received,
              const std::vector<bool>& selected) {
    const u32 channel = book.find({0, 0, 1, 7});
    for (const Side side : sent) book.message(channel, true, side);
    for (const Side side : received) book.message(channel, false, side);
    book.settle(selected);
    Ends ends;
    for (const Side side : sent) ends.sent.push_back(book.message(channel, true, side));
    for (const Side side : received) ends.received.push_back(book.message(channel, false, side));
    return ends;
}

TEST(PartnerBookTest, MessagesAcrossAnEdgeGoOnBothSides) {
    using enum Side;
    PartnerBook book;
    const Ends ends =
        verdicts(book, {outside, inside, inside, inside}, {inside, inside, inside, outside}, kBoth);
    const std::vector<Verdict> keep_first = {Verdict::keep, Verdict::keep, Verdict::keep,
                                             Verdict::drop};
    EXPECT_EQ(ends.sent, keep_first);
    const std::vector<Verdict> keep_last = {Verdict::drop, Verdict::keep, Verdict::keep,
                                            Verdict::keep};
    EXPECT_EQ(ends.received, keep_last);
    EXPECT_EQ(book.counts().cut_messages, 2U);
    EXPECT_EQ(book.counts().lone_messages, 0U);
}

TEST(PartnerBookTest, WhatNeverHadAPartnerStays) {
    using enum Side;
    PartnerBook book;
    const Ends ends = verdicts(book, {inside, inside}, {inside}, kBoth);
    EXPECT_EQ(ends.sent, std::vector<Verdict>(2, Verdict::keep));
    EXPECT_EQ(book.counts().lone_messages, 0U);
}

TEST(PartnerBookTest, OtherRanksAndNamesLeaveMessagesAlone) {
    using enum Side;
    PartnerBook book;
    const Ends ends = verdicts(book, {inside, inside}, {}, {true, false});
    EXPECT_EQ(ends.sent, std::vector<Verdict>(2, Verdict::alone));
    PartnerBook named;
    const Ends filtered_ends = verdicts(named, {inside, filtered}, {filtered, inside}, kBoth);
    EXPECT_EQ(filtered_ends.sent.front(), Verdict::alone);
    EXPECT_EQ(filtered_ends.received.back(), Verdict::alone);
    EXPECT_EQ(named.counts().lone_messages, 2U);
}

TEST(PartnerBookTest, CancelledMessagesHaveNoOtherEnd) {
    PartnerBook book;
    const u32 channel = book.find({0, 0, 1, 7});
    book.message(channel, true, Side::inside);
    book.cancel(channel, book.last_sent(channel));
    book.message(channel, true, Side::inside);
    book.message(channel, false, Side::outside);
    book.settle(kBoth);
    EXPECT_EQ(book.message(channel, true, Side::inside), Verdict::keep);
    EXPECT_EQ(book.message(channel, true, Side::inside), Verdict::drop);
}

TEST(PartnerBookTest, CollectivesAreThereOnAllMembersOrNone) {
    using enum Side;
    PartnerBook book;
    const PartnerBook::Context context = {0, 1, 0};
    const auto members = [] { return std::vector<u32>{0, 1}; };
    const std::vector<std::vector<Side>> came = {{inside, inside, inside},
                                                 {outside, inside, filtered}};
    const auto walk = [&] {
        std::vector<Verdict> verdicts;
        for (u32 rank = 0; rank < 2; ++rank) {
            for (const Side side : came[rank]) {
                verdicts.push_back(book.collective(context, rank, side, members));
            }
        }
        return verdicts;
    };
    walk();
    book.settle(kBoth);
    const std::vector<Verdict> expected = {Verdict::drop, Verdict::keep, Verdict::alone,
                                           Verdict::drop, Verdict::keep, Verdict::alone};
    EXPECT_EQ(walk(), expected);
    EXPECT_EQ(book.counts().cut_collectives, 1U);
    EXPECT_EQ(book.counts().partial_collectives, 1U);
}

}  // namespace
}  // namespace tracefold
