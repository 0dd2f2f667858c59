// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/fit.hpp"

#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Sizes = std::vector<u32>;

/// A number on every rank of some grids.
class Recorded {
  public:
    using Function = std::function<u64(const RankGrid&, u32)>;

    Recorded(std::vector<Sizes> grids, const Function& number) {
        for (Sizes& sizes : grids) grids_.emplace_back(std::move(sizes));
        for (const RankGrid& grid : grids_) {
            for (u32 rank = 0; rank < grid.participants(); ++rank) {
                observations_.push_back({{&grid, rank, {}}, number(grid, rank)});
            }
        }
    }
    Recorded(const Recorded&) = delete;
    Recorded& operator=(const Recorded&) = delete;

    [[nodiscard]] const std::vector<FitSample>& observations() const { return observations_; }

  private:
    std::vector<RankGrid> grids_;
    std::vector<FitSample> observations_;
};

Fit fit_of(const Recorded& recorded, const std::vector<Point>& targets = {}) {
    return fit_number(recorded.observations(), targets);
}

void expect_everywhere(const Formula& formula, const Recorded& recorded) {
    for (const FitSample& observation : recorded.observations()) {
        ASSERT_EQ(evaluate(formula, observation.point), observation.value) << to_text(formula);
    }
}

TEST(FitTest, FindsTheSimplestFormula) {
    const std::vector<Sizes> grids = {{2, 2}, {3, 2}, {3, 3}, {4, 3}, {5, 4}};
    const auto text = [&](const Recorded::Function& number) {
        const Recorded recorded(grids, number);
        const Fit fit = fit_of(recorded);
        return fit.is_certain() ? to_text(*fit.formula) : "?";
    };
    EXPECT_EQ(text([](const auto&, u32) { return 8; }), "8");
    EXPECT_EQ(text([](const auto& grid, u32) { return 8 * grid.participants(); }), "8 P");
    EXPECT_EQ(text([](const auto& grid, u32) { return grid.participants() - 1; }), "-1 + P");
    EXPECT_EQ(text([](const auto& grid, u32) { return 3 * u64{grid.sizes()[1]} + 2; }), "2 + 3 X");
    EXPECT_EQ(text([](const auto& grid, u32 rank) { return 5 + grid.coordinate(0, rank); }),
              "5 + y");
    EXPECT_EQ(text([](const auto& grid, u32 rank) {
                  return 16 * (100 / grid.sizes()[1] +
                               (grid.coordinate(1, rank) < 100 % grid.sizes()[1] ? 1 : 0));
              }),
              "16 share(100, X)");
    EXPECT_EQ(text([](const auto& grid, u32 rank) { return rank * rank % grid.participants(); }),
              "?");
}

TEST(FitTest, RanksSplitByRules) {
    const std::vector<Sizes> grids = {{8}, {12}, {16}, {24}};
    const auto text = [&](const Recorded::Function& number) {
        const Recorded recorded(grids, number);
        const Fit fit = fit_of(recorded);
        if (fit.formula) expect_everywhere(*fit.formula, recorded);
        return fit.is_certain() ? to_text(*fit.formula) : "?";
    };
    EXPECT_EQ(text([](const auto&, u32 rank) { return 1 + rank % 2; }), "1 + (rank mod 2)");
    EXPECT_EQ(text([](const auto&, u32 rank) { return 20 - 2 * (rank / 4); }),
              "20 - 2 floor(rank/4)");
    EXPECT_EQ(text([](const auto& grid, u32 rank) { return 1 + rank * 2 / grid.participants(); }),
              "1 + floor(2 rank/P)");
    EXPECT_EQ(text([](const auto&, u32 rank) { return rank * 7919 % 13; }), "?");
}

TEST(FitTest, RulesMustAgreeOnWhatIsAskedFor) {
    // Of 8 ranks, blocks of four are halves.
    const Recorded recorded({{8}, {8}}, [](const auto&, u32 rank) { return rank / 4; });
    const RankGrid grid({16});
    EXPECT_TRUE(fit_of(recorded, {{&grid, 3, {}}}).is_certain());
    EXPECT_FALSE(fit_of(recorded, {{&grid, 3, {}}, {&grid, 7, {}}}).is_certain());
}

TEST(FitTest, WantsTwoRunsAndMoreNumbersThanUnknowns) {
    const auto ranks = [](const RankGrid& grid, u32) { return 3 * grid.participants() + 1; };
    EXPECT_FALSE(fit_of(Recorded({{4}}, [](const auto&, u32) { return 8; })).formula);
    EXPECT_FALSE(fit_of(Recorded({{4}, {8}}, ranks)).formula);
    EXPECT_TRUE(fit_of(Recorded({{4}, {8}, {9}}, ranks)).formula);
}

TEST(FitTest, RivalsMustAgreeOnWhatIsAskedFor) {
    // On squares X and Y are the same.
    const Recorded squares({{2, 2}, {3, 3}, {4, 4}},
                           [](const RankGrid& grid, u32) { return u64{grid.sizes()[1]}; });
    const RankGrid square(Sizes{8, 8});
    const RankGrid oblong(Sizes{8, 4});
    EXPECT_TRUE(fit_of(squares, {{&square, 0, {}}}).is_certain());
    const Fit torn = fit_of(squares, {{&oblong, 0, {}}});
    EXPECT_TRUE(torn.formula && torn.rival);
    EXPECT_FALSE(torn.is_certain());
}

/// The stages of a sweep through X cells. 9 - share(21, X) says the same of these.
TEST(FitTest, WhatGrowsWithADimensionIsNoShareOfIt) {
    const RankGrid target(Sizes{8, 8});
    const Recorded squares({{3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}},
                           [](const RankGrid& grid, u32) { return u64{grid.sizes()[1]} - 1; });
    const Fit fit = fit_of(squares, {{&target, 0, {}}});
    ASSERT_TRUE(fit.is_certain());
    EXPECT_EQ(to_text(*fit.formula), "-1 + X");
}

TEST(FitTest, SharesEndWhereThereAreMorePlacesThanThings) {
    const auto cells = [](const RankGrid& grid, u32 rank) {
        return u64{20} / grid.sizes()[0] + (rank < 20 % grid.sizes()[0] ? 1 : 0);
    };
    const Fit fit = fit_of(Recorded({{3}, {4}, {6}, {7}}, cells));
    ASSERT_TRUE(fit.is_certain());
    const RankGrid last(Sizes{20});
    const RankGrid none(Sizes{21});
    EXPECT_EQ(evaluate(*fit.formula, {&last, 19, {}}), 1U);
    EXPECT_FALSE(evaluate(*fit.formula, {&none, 0, {}}));
}

TEST(FitTest, PeersArePlacesOfTheGrid) {
    const std::vector<Sizes> grids = {{2, 3}, {3, 3}, {3, 4}, {4, 5}};
    const auto neighbour = [](const RankGrid& grid, u32 rank) {
        const u64 x = (grid.coordinate(1, rank) + 1) % grid.sizes()[1];
        return grid.coordinate(0, rank) * grid.stride(0) + x - rank;
    };
    const Recorded recorded(grids, neighbour);
    const Fit fit = fit_peer(recorded.observations(), {});
    ASSERT_TRUE(fit.is_certain());
    EXPECT_EQ(to_text(*fit.formula), "to (x+1 mod X, y)");
    expect_everywhere(*fit.formula, Recorded({{7, 6}}, neighbour));
}

TEST(FitTest, PeersMayBeButterflies) {
    const auto partner = [](const RankGrid&, u32 rank) { return u64{rank ^ 4U} - rank; };
    const Recorded recorded({{8}, {16}, {32}}, partner);
    const Fit fit = fit_peer(recorded.observations(), {});
    ASSERT_TRUE(fit.is_certain());
    EXPECT_EQ(to_text(*fit.formula), "to rank xor 4");
    expect_everywhere(*fit.formula, Recorded({{64}}, partner));
}

/// What is found from some runs gives all their numbers, and those of a run that was left out.
TEST(FitTest, WhatIsFoundHoldsForRunsThatWereLeftOut) {
    std::mt19937_64 random(7);
    const std::vector<Sizes> grids = {{2, 2}, {3, 2}, {4, 3}, {5, 3}, {5, 7}, {6, 5}};
    for (int round = 0; round < 40; ++round) {
        const u64 a = random() % 100;
        const u64 b = random() % 100;
        const bool by_place = random() % 2 == 0;
        const auto number = [&](const RankGrid& grid, u32 rank) {
            return a + b * (by_place ? grid.coordinate(1, rank) : u64{grid.sizes()[0]});
        };
        const Recorded recorded(grids, number);
        const Fit fit = fit_of(recorded);
        ASSERT_TRUE(fit.is_certain());
        expect_everywhere(*fit.formula, recorded);
        expect_everywhere(*fit.formula, Recorded({{9, 11}}, number));
    }
}

}  // namespace
}  // namespace tracefold
