// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/fit.hpp"

#include "model/definition_index.hpp"

#include <deque>
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

/// Communicators of halves: ranks 0 to n - 1 in number 1, the rest in number 2.
CallSequence halves(u32 ranks, CallTypes& kinds) {
    const u32 group = kinds.number("Group", [] {
        return CallType{"", {}, {}, {}, DefinitionType::Group};
    });
    const u32 comm = kinds.number("Comm", [] {
        return CallType{"", {}, {}, {}, DefinitionType::Comm};
    });
    CallSequence definitions;
    const auto define = [&](u32 kind, std::vector<u64> values) {
        definitions.calls.push_back(kind);
        definitions.first.push_back(definitions.values.size());
        definitions.values.insert(definitions.values.end(), values.begin(), values.end());
    };
    for (const u64 half : {0, 1}) {
        std::vector<u64> values = {half, 0, kGroupCommGroup, 0, 0, ranks / 2};
        for (u64 rank = 0; rank < ranks / 2; ++rank) values.push_back(half * (ranks / 2) + rank);
        define(group, values);
        define(comm, {1 + half, 0, half, 0, 0});
    }
    return definitions;
}

TEST(FitTest, FunctionsOfACommunicator) {
    CallTypes kinds;
    std::deque<RankGrid> grids;
    std::deque<RankCommunicators> communicators;
    const auto recorded = [&](const Recorded::Function& number) {
        std::vector<FitSample> observations;
        for (const u32 ranks : {4U, 8U, 12U, 16U}) {
            const RankGrid& grid = grids.emplace_back(Sizes{ranks});
            const RankCommunicators& all =
                communicators.emplace_back(halves(ranks, kinds), kinds, ranks);
            for (u32 rank = 0; rank < ranks; ++rank) {
                observations.push_back({{&grid, rank, {}, &all}, number(grid, rank)});
            }
        }
        return observations;
    };
    const RankGrid target({40});
    const RankCommunicators of_target(halves(40, kinds), kinds, 40);
    const std::vector<Point> points = {{&target, 3, {}, &of_target}, {&target, 39, {}, &of_target}};
    const auto half = [](const RankGrid& grid, u32 rank) {
        const auto size = static_cast<u32>(grid.participants() / 2);
        return std::pair(rank % size, size);
    };
    const Fit reference = fit_communicator(
        recorded([](const RankGrid& grid, u32 rank) { return 1 + rank * 2 / grid.participants(); }),
        points);
    ASSERT_TRUE(reference.formula);
    EXPECT_EQ(evaluate(*reference.formula, points[0]), 1U);
    EXPECT_EQ(evaluate(*reference.formula, points[1]), 2U);
    const Fit number = fit_number(recorded([&](const RankGrid& grid, u32 rank) {
                                      const auto [place, size] = half(grid, rank);
                                      return 8 * place + 3 * size;
                                  }),
                                  points);
    ASSERT_TRUE(number.is_certain());
    EXPECT_EQ(evaluate(*number.formula, points[1]), 8U * 19 + 3 * 20);
    const Fit peer = fit_within(recorded([&](const RankGrid& grid, u32 rank) {
                                    const auto [place, size] = half(grid, rank);
                                    return u64{(place + 1) % size} - place;
                                }),
                                points, 0, fit_peer);
    ASSERT_TRUE(peer.is_certain());
    EXPECT_EQ(evaluate(*peer.formula, points[0]), 1U);
    EXPECT_EQ(evaluate(*peer.formula, points[1]), ~u64{0} - 18);
}

TEST(FitTest, RulesMustAgreeOnWhatIsAskedFor) {
    // Of 8 ranks, blocks of four are halves.
    const Recorded recorded({{8}, {8}}, [](const auto&, u32 rank) { return rank / 4; });
    const RankGrid grid({16});
    EXPECT_TRUE(fit_of(recorded, {{&grid, 3, {}}}).is_certain());
    EXPECT_FALSE(fit_of(recorded, {{&grid, 3, {}}, {&grid, 7, {}}}).is_certain());
}

u64 share_of_last(u64 things, u64 places, u64 place) {
    return things / places + (place >= places - things % places ? 1 : 0);
}

TEST(FitTest, ThingsAreDistributedInBlocks) {
    const auto text = [&](const std::vector<Sizes>& grids, const Recorded::Function& number) {
        const Recorded recorded(grids, number);
        const RankGrid grid({37});
        const Fit fit = fit_of(recorded, {{&grid, 0, {}}, {&grid, 18, {}}, {&grid, 36, {}}});
        if (fit.formula) expect_everywhere(*fit.formula, recorded);
        return fit.is_certain() ? to_text(*fit.formula) : "?";
    };
    const std::vector<Sizes> chains = {{4}, {6}, {9}, {12}};
    constexpr u64 kThings = 100003;
    const auto ranks = [](const RankGrid& grid) { return grid.participants(); };
    EXPECT_EQ(text(chains,
                   [&](const auto& grid, u32 rank) {
                       return 8 * (kThings / ranks(grid) + (rank < kThings % ranks(grid) ? 1 : 0));
                   }),
              "8 share(100003, X)");
    EXPECT_EQ(
        text(chains, [&](const auto& grid,
                         u32 rank) { return 8 * (2 + share_of_last(kThings, ranks(grid), rank)); }),
        "8 share(100003, X, last) + 16");
    EXPECT_EQ(text(chains,
                   [&](const auto& grid, u32 rank) {
                       return (rank + 1) * kThings / ranks(grid) - rank * kThings / ranks(grid);
                   }),
              "share(100003, X, spread)");
    EXPECT_EQ(text(chains,
                   [&](const auto& grid, u32 rank) {
                       const u64 block = (kThings + ranks(grid) - 1) / ranks(grid);
                       return 4 * std::min(block, kThings - rank * block);
                   }),
              "4 share(100003, X, ceiling)");
    EXPECT_EQ(text(chains,
                   [&](const auto& grid, u32 rank) {
                       const bool last = rank == ranks(grid) - 1;
                       return kThings / ranks(grid) + (last ? kThings % ranks(grid) : 0);
                   }),
              "share(100003, X, rest last)");
    EXPECT_EQ(text(chains,
                   [&](const auto& grid, u32 rank) {
                       return ranks(grid) * share_of_last(kThings, ranks(grid), rank);
                   }),
              "P share(100003, X, last)");
}

/// Ranks but the first and the last one do not tell 1000 things in blocks rounded up from others.
TEST(FitTest, OneDistributionExplainsWhatSeveralMight) {
    const Recorded recorded({{4}, {6}, {8}}, [](const RankGrid& grid, u32 rank) {
        const u64 block = (1000 + grid.participants() - 1) / grid.participants();
        return 8 * std::min(block, 1000 - rank * block);
    });
    std::vector<FitSample> inner = recorded.observations();
    std::erase_if(inner, [](const FitSample& sample) {
        const Point& point = sample.point;
        return point.rank == 0 || point.rank + 1 == point.grid->participants();
    });
    const RankGrid grid({9});
    const std::vector<Point> targets = {{&grid, 1, {}}, {&grid, 7, {}}};
    const Fit several = fit_number(inner, targets);
    EXPECT_FALSE(several.is_certain());
    EXPECT_TRUE(several.problem_sizes.contains(1000));
    const Fit one = fit_number(inner, targets, 1000, 8, Distribution::ceiling);
    ASSERT_TRUE(one.is_certain());
    EXPECT_EQ(evaluate(*one.formula, targets[1]), 8U * 112);
}

TEST(FitTest, ElementsStayWhole) {
    // 7000 doubles are 3500, 1750 and 875 a rank, and then 437 or 438: on which ranks?
    const auto halves = [](const RankGrid& grid, u32) { return 56000 / grid.participants(); };
    const RankGrid grid({16});
    const std::vector<Point> targets = {{&grid, 0, {}}, {&grid, 15, {}}};
    const Recorded even({{2}, {4}, {8}}, halves);
    EXPECT_EQ(evaluate(*fit_number(even.observations(), targets).formula, targets[0]), 3500U);
    const Fit unknown = fit_number(even.observations(), targets, {}, 8);
    ASSERT_TRUE(unknown.formula);
    EXPECT_EQ(evaluate(*unknown.formula, targets[0]), std::nullopt);
    EXPECT_EQ(
        impossible_text(*unknown.formula, targets[0]),
        "56000 1 / P gives 437.5 elements of 8 bytes, and the runs do not show which ranks get "
        "what is left over");
    // A run with a rest shows it.
    const Recorded uneven({{2}, {4}, {8}, {48}}, [](const RankGrid& of_run, u32 rank) {
        return 8 * share_of_last(7000, of_run.participants(), rank);
    });
    const Fit known = fit_number(uneven.observations(), targets, {}, 8);
    ASSERT_TRUE(known.is_certain());
    EXPECT_EQ(evaluate(*known.formula, targets[0]), 8U * 437);
    EXPECT_EQ(evaluate(*known.formula, targets[1]), 8U * 438);
    Formula rounded = *unknown.formula;
    rounded.rounded = true;
    EXPECT_EQ(evaluate(rounded, targets[0]), 8U * 438);
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
