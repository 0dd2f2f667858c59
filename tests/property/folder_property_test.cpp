// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/folded_letters.hpp"
#include "support/random_source.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::string random_letters(RandomSource& random, u64 size, u64 alphabet) {
    std::string text;
    for (u64 i = 0; i < size; ++i) {
        text.push_back(static_cast<char>('a' + static_cast<char>(random.below(alphabet))));
    }
    return text;
}

/// A program: statements, loops with fixed or varying trip counts, branches.
std::string random_program(RandomSource& random, int depth) {
    std::string text;
    const u64 statements = random.between(1, 4);
    for (u64 i = 0; i < statements; ++i) {
        if (depth == 0 || random.one_in(2)) {
            text += random_letters(random, random.between(1, 3), 6);
            continue;
        }
        const std::string body = random_program(random, depth - 1);
        const std::string branch = random.one_in(3) ? random_letters(random, 2, 6) : "";
        const u64 trips = random.between(1, 6);
        for (u64 trip = 0; trip < trips; ++trip) {
            text += body;
            if (random.one_in(2)) text += branch;
        }
    }
    return text;
}

/// Leaves in the order of their first execution, loops after what they hold, none unused.
void expect_canonical(const Pattern& pattern) {
    std::set<u32> used(pattern.root.begin(), pattern.root.end());
    for (u32 k = 0; k < pattern.loops.size(); ++k) {
        EXPECT_FALSE(pattern.loops[k].empty());
        for (const u32 item : pattern.loops[k]) {
            EXPECT_LT(item, pattern.leaf_count + k);
            used.insert(item);
        }
    }
    EXPECT_EQ(used.size(), pattern.node_count());
    EXPECT_EQ(*used.rbegin() + 1, pattern.node_count());
}

template <class Text>
void expect_exact_folding(u64 seed, int rounds, const Text& text_of) {
    for (int round = 0; round < rounds; ++round) {
        RandomSource random(seed + static_cast<u64>(round));
        const std::string text = text_of(random);
        const FoldedLetters folded(text);
        ASSERT_EQ(folded.unwound(), text) << "seed " << seed << " round " << round;
        expect_canonical(folded.pattern());
        if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << " round " << round << text;
    }
}

TEST(FolderPropertyTest, RandomTextsComeBack) {
    for (const u64 alphabet : {2U, 3U, 5U, 12U}) {
        expect_exact_folding(10'000 * alphabet, 3000, [alphabet](RandomSource& random) {
            return random_letters(random, random.between(1, 120), alphabet);
        });
    }
}

TEST(FolderPropertyTest, LongRandomTextsComeBack) {
    for (const u64 alphabet : {2U, 3U, 4U}) {
        expect_exact_folding(alphabet, 20, [alphabet](RandomSource& random) {
            return random_letters(random, 5000, alphabet);
        });
    }
}

TEST(FolderPropertyTest, RandomProgramsComeBack) {
    expect_exact_folding(1'000'000, 3000,
                         [](RandomSource& random) { return random_program(random, 3); });
    expect_exact_folding(2'000'000, 300,
                         [](RandomSource& random) { return random_program(random, 5); });
}

TEST(FolderPropertyTest, RepeatedProgramsComeBackAndStaySmall) {
    for (u64 seed = 0; seed < 500; ++seed) {
        RandomSource random(seed);
        const std::string body = random_program(random, 2) + "z";
        const auto repeated = [&body](int times) {
            std::string text;
            for (int i = 0; i < times; ++i) text += body;
            return text;
        };
        const FoldedLetters few(repeated(100));
        const FoldedLetters many(repeated(1000));
        ASSERT_EQ(few.item_count(), many.item_count()) << body;
        ASSERT_EQ(many.unwound(), repeated(1000)) << body;
    }
}

}  // namespace
}  // namespace tracefold
