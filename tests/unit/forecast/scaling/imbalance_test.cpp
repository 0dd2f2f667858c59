// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/imbalance.hpp"

#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Law = std::function<double(const RankGrid&, u32)>;

RankFactors factors_of(const RankGrid& grid, const Law& law) {
    RankFactors factors{&grid, {}};
    double sum = 0;
    for (u32 rank = 0; rank < grid.participants(); ++rank) {
        factors.of.push_back({rank, law(grid, rank)});
        sum += factors.of.back().value;
    }
    for (auto& factor : factors.of) {
        factor.value *= static_cast<double>(grid.participants()) / sum;
    }
    return factors;
}

Imbalance fit(const Law& law) {
    const RankGrid smaller({12});
    const RankGrid larger({16});
    return fit_imbalance(factors_of(smaller, law), factors_of(larger, law));
}

void expect_of(const Law& law, u32 ranks, double tolerance) {
    const RankGrid grid({ranks});
    const Imbalance imbalance = fit(law);
    for (const RankFactors::Factor& factor : factors_of(grid, law).of) {
        EXPECT_NEAR(evaluate(imbalance, grid, factor.rank), factor.value, tolerance) << factor.rank;
    }
}

TEST(ImbalanceTest, OddRanksAreSlow) {
    const Law law = [](const RankGrid&, u32 rank) { return rank % 2 == 0 ? 1.0 : 9.0; };
    EXPECT_EQ(fit(law).rule, Imbalance::Rule::modulo);
    expect_of(law, 40, 1e-9);
}

TEST(ImbalanceTest, TimesRiseWithThePosition) {
    const Law law = [](const RankGrid& grid, u32 rank) {
        return 1 + 9.0 * rank / static_cast<double>(grid.participants());
    };
    EXPECT_EQ(fit(law).rule, Imbalance::Rule::position);
    expect_of(law, 64, 0.08);
}

TEST(ImbalanceTest, TheFirstRankIsSlow) {
    const Law law = [](const RankGrid&, u32 rank) { return rank == 0 ? 9.0 : 2.0; };
    const Imbalance imbalance = fit(law);
    const RankGrid grid({64});
    EXPECT_NEAR(evaluate(imbalance, grid, 0) / evaluate(imbalance, grid, 33), 4.5, 1e-9);
}

TEST(ImbalanceTest, WithoutARuleTheQuantilesRemain) {
    std::mt19937 random(5);
    const Law law = [&random](const RankGrid&, u32) {
        return std::uniform_real_distribution<>(1, 5)(random);
    };
    const Imbalance imbalance = fit(law);
    EXPECT_EQ(imbalance.rule, Imbalance::Rule::none);
    ASSERT_EQ(imbalance.rest.size(), 1U);
    EXPECT_EQ(imbalance.rest[0].size(), 16U);
    const RankGrid grid({512});
    double sum = 0;
    double most = 0;
    for (u32 rank = 0; rank < 512; ++rank) {
        sum += evaluate(imbalance, grid, rank);
        most = std::max(most, evaluate(imbalance, grid, rank));
    }
    EXPECT_NEAR(sum / 512, 1, 0.02);
    EXPECT_EQ(most, imbalance.rest[0].back());
}

TEST(ImbalanceTest, EqualRanksHaveNone) {
    const Imbalance imbalance = fit([](const RankGrid&, u32) { return 3.0; });
    EXPECT_EQ(imbalance.factors, std::vector<double>{1});
    EXPECT_EQ(imbalance.rest, std::vector<std::vector<double>>{{1}});
    const RankGrid grid({4});
    EXPECT_EQ(fit_imbalance({}, {}).rest, std::vector<std::vector<double>>{{1}});
    const Imbalance alone =
        fit_imbalance({}, factors_of(grid, [](auto&, u32 rank) { return rank + 1.0; }));
    EXPECT_EQ(alone.rest[0].size(), 4U);
}

TEST(ImbalanceTest, QuantilesAreThoseOfTheSameRanks) {
    // Even ranks differ among each other, odd ones do not.
    const Law law = [](const RankGrid&, u32 rank) {
        return rank % 2 == 1 ? 9.0 : 1 + 0.1 * (rank % 8);
    };
    const Imbalance imbalance = fit(law);
    ASSERT_EQ(imbalance.rule, Imbalance::Rule::modulo);
    const RankGrid grid({64});
    for (u32 rank = 1; rank < 64; rank += 2) {
        EXPECT_NEAR(evaluate(imbalance, grid, rank), imbalance.factors.back(), 1e-9);
    }
}

}  // namespace
}  // namespace tracefold
