// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Which items of a long body a listing shows.
#include "inspect/calls/body_selection.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// A body written down: a letter is a call, 'O' a loop, '(' enters a region and ')' leaves it.
struct Body {
    ListedScript script;
    std::vector<u32> items;
    std::vector<double> weights;

    explicit Body(const std::string& text, const std::vector<double>& heavy = {}) {
        for (const char letter : text) {
            ListedNode node;
            node.kind = letter == '('   ? std::optional(CallKind::enter)
                        : letter == ')' ? std::optional(CallKind::leave)
                        : letter == 'O' ? std::nullopt
                                        : std::optional(CallKind::call);
            items.push_back(static_cast<u32>(script.nodes.size()));
            script.nodes.push_back(node);
        }
        weights = heavy.empty() ? std::vector<double>(text.size(), 1) : heavy;
    }

    /// The letters that are shown, dots for the others.
    [[nodiscard]] std::string shown(const std::string& text, u64 wide, u64 most) const {
        const std::vector<bool> shown = choose_items(script, items, weights, wide, most);
        std::string seen;
        for (std::size_t i = 0; i < text.size(); ++i) seen += shown[i] ? text[i] : '.';
        return seen;
    }
};

std::string shown(const std::string& text, const std::vector<double>& weights, u64 wide, u64 most) {
    return Body(text, weights).shown(text, wide, most);
}

TEST(BodySelectionTest, NarrowBodiesAreWhole) {
    EXPECT_EQ(shown("abcd", {}, 4, 2), "abcd");
    EXPECT_EQ(shown("", {}, 4, 2), "");
}

TEST(BodySelectionTest, NoughtLeavesOutNothing) {
    EXPECT_EQ(shown("abcdefgh", {}, 2, 0), "abcdefgh");
}

TEST(BodySelectionTest, TheHeaviestAreShown) {
    EXPECT_EQ(shown("abcdef", {1, 9, 1, 1, 1, 8}, 4, 2), "ab...f");
}

/// Of equals the first.
TEST(BodySelectionTest, EqualsAreShownFromTheBeginning) {
    EXPECT_EQ(shown("abcdefgh", {}, 4, 3), "abc.....");
}

/// To say that one call was left out takes as long as to show it; a loop takes longer.
TEST(BodySelectionTest, ASingleCallBetweenShownItemsIsShown) {
    EXPECT_EQ(shown("abcdefg", {9, 1, 8, 1, 1, 1, 1}, 4, 2), "abc....");
    EXPECT_EQ(shown("aOcdefg", {9, 1, 8, 1, 1, 1, 1}, 4, 2), "a.c....");
    EXPECT_EQ(shown("abcdefg", {1, 9, 1, 1, 8, 7, 1}, 4, 3), "ab..efg");
}

TEST(BodySelectionTest, ARegionWeighsWhatIsInItAndIsShownAsAWhole) {
    EXPECT_EQ(shown("a(bc)def", {3, 0, 2, 2, 0, 1, 1, 1}, 3, 1), "a(bc)...");
    EXPECT_EQ(shown("O(bc)dOf", {5, 0, 2, 2, 0, 1, 1, 1}, 3, 1), "O.......");
    EXPECT_EQ(shown("a((bc)d)ef", {5, 0, 0, 1, 1, 0, 1, 0, 1, 1}, 3, 1), "a.........");
}

/// The body has three items, the region in it five.
TEST(BodySelectionTest, WideRegionsAreCutByThemselves) {
    EXPECT_EQ(shown("O(bcdef)O", {1, 0, 1, 1, 9, 1, 1, 0, 1}, 3, 1), "O(..d..)O");
}

TEST(BodySelectionTest, RegionsThatEndElsewhereAreShown) {
    EXPECT_EQ(shown("abcdef(", {9, 1, 1, 1, 1, 1, 0}, 3, 1), "a.....(");
    EXPECT_EQ(shown(")abcdef", {0, 9, 1, 1, 1, 1, 1}, 3, 1), ")a.....");
    EXPECT_EQ(shown("a(bcdef", {1, 0, 1, 9, 1, 1, 1}, 3, 1), "a(bc...");
}

TEST(BodySelectionTest, CallsPerVisitCountThroughLoops) {
    Body body("ab");
    body.script.nodes[0].visits = 10;
    body.script.nodes[0].executions = 30;
    body.script.nodes[1].visits = 10;
    body.script.nodes[1].executions = 10;
    ListedNode loop;
    loop.body = {0, 1};
    loop.visits = 2;
    loop.executions = 10;
    body.script.nodes.push_back(loop);
    body.script.nodes.emplace_back();  // never come by
    EXPECT_EQ(calls_per_visit(body.script), (std::vector<double>{3, 1, 20, 0}));
}

}  // namespace
}  // namespace tracefold
