// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/folder.hpp"

#include "base/hash.hpp"
#include "support/folded_letters.hpp"

#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::string repeat(const std::string& text, u64 times) {
    std::string all;
    for (u64 i = 0; i < times; ++i) all += text;
    return all;
}

std::string join(std::initializer_list<std::string> parts) {
    std::string all;
    for (const std::string& part : parts) all += part;
    return all;
}

/// `body(i)` for i = 0 .. trips-1.
template <class Body>
std::string loop(u64 trips, const Body& body) {
    std::string all;
    for (u64 i = 0; i < trips; ++i) all += body(i);
    return all;
}

void expect_nest(const std::string& text, const std::string& nest) {
    const FoldedLetters folded(text);
    EXPECT_EQ(folded.nest(), nest);
    EXPECT_EQ(folded.unwound(), text);
}

TEST(FolderTest, LeavesASequenceWithoutRepetitionAlone) {
    expect_nest("a", "a");
    expect_nest("abcdef", "abcdef");
    expect_nest("aaaaaabbb", "ab");
}

TEST(FolderTest, FoldsALoopWithPrologueAndEpilogue) {
    expect_nest(repeat("abc", 10), "(abc)");
    expect_nest(join({"xyz", repeat("abc", 10), "uvw"}), "xyz(abc)uvw");
    expect_nest(join({repeat("abc", 10), "ab"}), "(abc)ab");
    expect_nest(join({repeat("ab", 5), repeat("cd", 5)}), "(ab)(cd)");
}

TEST(FolderTest, RunLengthsAndTripCountsAreElastic) {
    const std::string text = loop(60, [](u64 i) {
        return join({"x", repeat("a", 1 + i % 3), repeat("bc", 2 + i % 4), "d"});
    });
    const FoldedLetters folded(text);
    EXPECT_EQ(folded.nest(), "(xa(bc)d)");
    EXPECT_EQ(folded.unwound(), text);
    EXPECT_EQ(folded.counts(1, 6), (std::vector<u64>{1, 2, 3, 1, 2, 3}));
    const u32 inner = folded.pattern().leaf_count;
    EXPECT_EQ(folded.counts(inner, 6), (std::vector<u64>{2, 3, 4, 5, 2, 3}));
    EXPECT_EQ(folded.counts(inner + 1, 1), std::vector<u64>{60});
}

TEST(FolderTest, FoldsNestedLoopsFromTheInsideOut) {
    const auto inner = [](u64 i) { return join({repeat("ab", 2 + i % 3), "c"}); };
    const auto middle = [&inner](u64 i) { return join({loop(3 + i % 2, inner), "d"}); };
    expect_nest(loop(20, middle), "(((ab)c)d)");
    expect_nest(join({"p", loop(20, middle), "q"}), "p(((ab)c)d)q");
}

TEST(FolderTest, FoldsALoopWhoseInnerLoopGrows) {
    for (const u64 trips : {20U, 200U}) {
        const std::string text = loop(trips, [](u64 i) {
            return join({"x", repeat("ab", i + 2), "y"});
        });
        expect_nest(text, "(x(ab)y)");
    }
}

TEST(FolderTest, FoldsALoopThatReachesItsTripCountAtTheEnd) {
    const std::string text = loop(30, [](u64 i) { return join({"a", repeat("bc", 2 + i % 3)}); });
    expect_nest(text, "(a(bc))");
    expect_nest(join({"q", text, "d"}), "q(a(bc))d");
}

// A partial iteration of the inner loop follows that loop: without going back by it the outer loop
// comes out as a binary nest of a depth that grows with the trip count.
TEST(FolderTest, TellsAPartialIterationFromWhatFollowsTheLoop) {
    const auto body = [](u64 i) { return join({repeat("abc", 3 + i % 4), "ab"}); };
    const FoldedLetters few(loop(40, body));
    const FoldedLetters many(loop(4000, body));
    EXPECT_EQ(few.nest(), many.nest());
    EXPECT_EQ(few.item_count(), many.item_count());
    EXPECT_EQ(few.pattern().root.size(), 1U);
    EXPECT_LE(few.pattern().loops.size(), 4U);
    expect_nest(loop(40, body), few.nest());
    expect_nest(join({"xy", loop(40, body), "z"}), join({"xy", few.nest(), "z"}));
}

TEST(FolderTest, GoesBackByAPartialIterationAtAnyDepth) {
    for (const u64 trips : {100U, 1000U}) {
        u64 draws = 0;
        const auto inner = [&draws](u64) {
            return join({"y", repeat("abc", 2 + mix(++draws) % 4), "abz"});
        };
        const auto outer = [&draws, &inner](u64) {
            return join({"x", loop(1 + mix(++draws) % 3, inner)});
        };
        expect_nest(loop(trips, outer), "(x(y(abc)abz))");
    }
}

TEST(FolderTest, KeepsTheItemCountOfALongerRun) {
    const std::vector<std::string> bodies{
        "abc", "ababcccccccd", "aabbcabc", "abcabcab", "xabcabcabcyabcabcz", "abacadaeafag",
    };
    for (const std::string& body : bodies) {
        const FoldedLetters few(repeat(body, 100));
        const FoldedLetters many(repeat(body, 10000));
        EXPECT_EQ(few.item_count(), many.item_count()) << body;
        EXPECT_EQ(few.nest(), many.nest()) << body;
        EXPECT_EQ(many.unwound(), repeat(body, 10000)) << body;
    }
}

// Places of loops that had been folded into others were still looked at, so that an outer loop with
// several loops inside did not take up its third iteration and came out as a binary nest.
TEST(FolderTest, AnOuterLoopTakesUpAnIterationThatWasMispredicted) {
    const std::string body = "adadfdadfadfadadfadadfadz";
    const FoldedLetters thrice(repeat(body, 3));
    EXPECT_EQ(thrice.nest(), "((ad)fd(adf)((ad)f)(ad)z)");
    for (const u64 trips : {4U, 5U, 100U, 1000U}) {
        const FoldedLetters many(repeat(body, trips));
        EXPECT_EQ(many.nest(), thrice.nest());
        EXPECT_EQ(many.item_count(), thrice.item_count());
        EXPECT_EQ(many.unwound(), repeat(body, trips));
    }
}

TEST(FolderTest, NumbersLeavesByFirstExecutionAndLoopsInsideOut) {
    const FoldedLetters folded(join({repeat("abcbcbc", 5), repeat("de", 4)}));
    EXPECT_EQ(folded.pattern().leaf_count, 5U);
    EXPECT_EQ(folded.pattern().loops, (std::vector<std::vector<u32>>{{1, 2}, {0, 5}, {3, 4}}));
    EXPECT_EQ(folded.pattern().root, (std::vector<u32>{6, 7}));
}

TEST(FolderTest, SharesALoopThatComesBack) {
    const std::string text = join({repeat("ab", 5), "x", repeat("ab", 7), "y", repeat("ab", 3)});
    const FoldedLetters folded(text);
    EXPECT_EQ(folded.nest(), "(ab)x(ab)y(ab)");
    EXPECT_EQ(folded.pattern().loops.size(), 1U);
    EXPECT_EQ(folded.unwound(), text);
}

}  // namespace
}  // namespace tracefold
