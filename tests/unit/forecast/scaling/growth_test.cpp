// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/growth.hpp"

#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Function = std::function<double(double)>;

/// Seven sizes, five repetitions.
std::vector<Measurement> measure(const Function& function, double noise, std::mt19937_64& random) {
    std::normal_distribution<> bell;
    std::vector<Measurement> measured;
    for (double size = 4; size <= 256; size *= 2) {
        for (int i = 0; i < 5; ++i) {
            measured.push_back({size, function(size) * (1 + noise * bell(random))});
        }
    }
    return measured;
}

/// In how many of 200 draws the number at four times the largest size is within a tenth.
int good_predictions(const Function& function, double noise) {
    std::mt19937_64 random(11);
    int good = 0;
    for (int draw = 0; draw < 200; ++draw) {
        const Growth growth = fit_growth(measure(function, noise, random));
        const double truth = function(1024);
        if (std::abs(evaluate(growth, 1024) - truth) <= 0.1 * truth) ++good;
    }
    return good;
}

TEST(GrowthTest, PredictsKnownFunctionsUnderNoise) {
    const std::pair<const char*, Function> functions[] = {
        {"n", [](double n) { return n; }},
        {"log n", [](double n) { return std::log2(n); }},
        {"n log n", [](double n) { return n * std::log2(n); }},
        {"sqrt n", [](double n) { return std::sqrt(n); }},
        {"1/n", [](double n) { return 1 / n; }},
        {"constant", [](double) { return 3e-6; }},
        {"5 + n", [](double n) { return 5 + n; }},
    };
    for (const auto& [name, function] : functions) {
        EXPECT_GE(good_predictions(function, 0.01), 190) << name;
        EXPECT_GE(good_predictions(function, 0.05), 180) << name;
        EXPECT_GE(good_predictions(function, 0.1), 180) << name;
    }
}

TEST(GrowthTest, ExactNumbersGiveTheirFunction) {
    std::mt19937_64 random(1);
    const auto text = [&](const Function& function) {
        return to_text(fit_growth(measure(function, 0, random)));
    };
    EXPECT_EQ(text([](double n) { return 2 * n; }), "2 p");
    EXPECT_EQ(text([](double n) { return 3 + std::log2(n); }), "3 + 1 log2(p)");
    EXPECT_EQ(text([](double) { return 7; }), "7");
    EXPECT_EQ(text([](double) { return 0; }), "0");
}

TEST(GrowthTest, TwoSizesGiveAConstant) {
    const std::vector<Measurement> two = {{4, 1}, {8, 2}};
    EXPECT_TRUE(fit_growth(two).is_constant());
}

}  // namespace
}  // namespace tracefold
