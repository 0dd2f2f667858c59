// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/letter_flow.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

EdgeSequence one_tuple(u64 first, u64 last, u64 stride, u64 count) {
    return {{{first, last, stride, count}, 1, 0, {}}};
}

SequencePart visit(u64 number, u64 count = 1) { return {{number, number, 0, count}, 1, 0, {}}; }

TEST(EdgeSequenceTest, VisitsInARowAreOneBlock) {
    EdgeSequence sequence;
    for (const u64 number : {3U, 4U, 5U}) append(sequence, visit(number));
    EXPECT_EQ(sequence, one_tuple(3, 3, 0, 3));
}

TEST(EdgeSequenceTest, BlocksAtEqualDistancesAreOneTuple) {
    EdgeSequence sequence;
    for (const u64 number : {1U, 11U, 21U, 31U}) append(sequence, visit(number, 9));
    EXPECT_EQ(sequence, one_tuple(1, 31, 10, 9));
    append(sequence, visit(41, 3));
    EXPECT_EQ(sequence.size(), 2U);
    EXPECT_EQ(tuple_count(sequence), 2U);
}

TEST(EdgeSequenceTest, RepeatedTuplesStayTuplesWherePossible) {
    EXPECT_EQ(repeat(one_tuple(1, 1, 0, 4), 5, 4), one_tuple(1, 1, 0, 20)) << "all visits";
    EXPECT_EQ(repeat(one_tuple(2, 2, 0, 3), 5, 10), one_tuple(2, 42, 10, 3))
        << "one block each time";
    EXPECT_EQ(repeat(one_tuple(1, 3, 2, 1), 3, 4), one_tuple(1, 11, 2, 1)) << "goes on evenly";
    const EdgeSequence nested = repeat(one_tuple(1, 3, 2, 1), 3, 10);
    EXPECT_EQ(nested.front().times, 3U);
    EXPECT_EQ(visits_of(nested), (std::vector<u64>{1, 3, 11, 13, 21, 23}));
}

TEST(EdgeSequenceTest, CursorsWalkNestsThatWereShifted) {
    EdgeSequence inner = repeat(one_tuple(1, 3, 2, 1), 2, 10);
    append(inner, visit(15));
    const EdgeSequence outer = shifted(repeat(inner, 2, 100), 5);
    EXPECT_EQ(visits_of(outer), (std::vector<u64>{6, 8, 16, 18, 20, 106, 108, 116, 118, 120}));
}

TEST(EdgeSequenceTest, NothingHasNoVisits) { EXPECT_TRUE(visits_of({}).empty()); }

}  // namespace
}  // namespace tracefold
