// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/structure_diff.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// "ab -c +d": both, only in the first, only in the second.
std::string aligned(const std::string& a, const std::string& b) {
    std::string text;
    const auto same = [&](u32 i, u32 k) { return a[i] == b[k]; };
    for (const auto& [i, k] : align(static_cast<u32>(a.size()), static_cast<u32>(b.size()), same)) {
        if (k == kNone) text += '-';
        if (i == kNone) text += '+';
        text += i == kNone ? b[k] : a[i];
    }
    return text;
}

TEST(BodyAlignmentTest, KeepsTheMostPairs) {
    EXPECT_EQ(aligned("abc", "abc"), "abc");
    EXPECT_EQ(aligned("abcd", "abd"), "ab-cd");
    EXPECT_EQ(aligned("abd", "abcd"), "ab+cd");
    EXPECT_EQ(aligned("xaybzc", "abc"), "-xa-yb-zc");
    EXPECT_EQ(aligned("", "ab"), "+a+b");
    EXPECT_EQ(aligned("aaaa", "aa"), "aa-a-a");
}

TEST(BodyAlignmentTest, HugeBodiesArePairedAsFarAsTheyAreEqual) {
    const std::string a = "x" + std::string(5000, 'a') + "b";
    const std::string b = "y" + std::string(5000, 'a') + "c";
    const std::string text = aligned(a, b);
    EXPECT_EQ(text.front(), '-');
    EXPECT_EQ(text.size(), 2 * (a.size() + b.size()));
}

}  // namespace
}  // namespace tracefold
