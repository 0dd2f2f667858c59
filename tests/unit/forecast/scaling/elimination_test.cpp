// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/elimination.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::vector<Residue> column(const std::vector<Rational>& numbers) {
    std::vector<Residue> made;
    for (const Rational& number : numbers) made.emplace_back(number);
    return made;
}

const std::vector<Residue> kOnes = column({1, 1, 1, 1, 1});
const std::vector<Residue> kLine = column({1, 2, 3, 4, 5});
const std::vector<Residue> kThirds = column({{1, 3}, {4, 3}, {9, 3}, {16, 3}, {25, 3}});
const std::vector<Residue> kOdd = column({1, 0, 0, 7, 2});

TEST(EliminationTest, TellsWhatCompletesASum) {
    // 2 - 3 i + 5 i^2
    Elimination elimination(column({4, 16, 38, 70, 112}));
    EXPECT_FALSE(elimination.may_be_completed_by(kThirds));
    elimination.add(kOnes);
    EXPECT_FALSE(elimination.may_be_completed_by(kThirds));
    elimination.add(kLine);
    EXPECT_TRUE(elimination.may_be_completed_by(kThirds));
    EXPECT_FALSE(elimination.may_be_completed_by(kOdd));
    EXPECT_FALSE(elimination.may_be_completed_by(column({5, 7, 9, 11, 13})));  // nothing new
}

TEST(EliminationTest, OneColumnAloneMayDo) {
    const Elimination elimination(column({3, 6, 9, 12, 15}));
    EXPECT_TRUE(elimination.may_be_completed_by(kLine));
    EXPECT_FALSE(elimination.may_be_completed_by(kOnes));
}

TEST(EliminationTest, TooFewRowsTellNothing) {
    Elimination elimination(column({3, 6, 9, 12, 15}));
    elimination.add(kLine);
    EXPECT_TRUE(elimination.may_be_completed_by(kOdd));
    Elimination torn(column({1, 4, 9, 16, 25}));
    torn.add(kLine);
    torn.add(column({2, 4, 6, 8, 10}));
    EXPECT_TRUE(torn.may_be_completed_by(kOnes));
}

}  // namespace
}  // namespace tracefold
