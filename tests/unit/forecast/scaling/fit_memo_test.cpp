// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/fit.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(FitMemoTest, LooksOnceForEachSetOfObservations) {
    FitMemo memo;
    int made = 0;
    const auto failing = [&] {
        ++made;
        return Fit{};
    };
    const auto constant = [&] {
        ++made;
        return Fit{Formula{Formula::Kind::number, {{Rational(5), {}}}, {}, {}}, std::nullopt, {}};
    };
    const ContentHash one = content_hash("one");
    const ContentHash other = content_hash("other");
    EXPECT_FALSE(memo.fit(one, failing).formula);
    EXPECT_TRUE(memo.fit(other, constant).formula);
    EXPECT_FALSE(memo.fit(one, constant).formula) << "that there is none is remembered, too";
    EXPECT_EQ(memo.fit(other, failing).formula->terms.at(0).coefficient, Rational(5));
    EXPECT_EQ(made, 2);
}

}  // namespace
}  // namespace tracefold
