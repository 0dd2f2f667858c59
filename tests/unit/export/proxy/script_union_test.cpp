// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/script_union.hpp"

#include "base/error.hpp"
#include "fold/structure_pool.hpp"

#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u32 kLeaves = 6;

/// The leaves that a walk through a script's places in the union comes to, each once.
std::vector<u32> walked(const ScriptUnion& whole, const Pattern& script, std::size_t number) {
    const StructurePool pool{};
    const std::vector<NodeCount> counts;
    const PlaceNumbers numbers(whole.pattern());
    PlaceWalk walk({pool.patterns(), pool.columns()}, {script, counts, whole.places(number)},
                   whole.pattern());
    const auto item = [&](u32 place) {
        BodyId body = 0;
        while (place >= numbers.first(body + 1)) ++body;
        return body_of(whole.pattern(), body)[place - numbers.first(body)];
    };
    std::vector<u32> leaves;
    for (std::size_t calls = 0; calls < 1000; ++calls) {
        try {
            PlaceWalk::Step step = walk.next();
            while (!step.is_call) step = walk.next();
            leaves.push_back(item(step.place));
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();  // the script ends
            return leaves;
        }
    }
    ADD_FAILURE() << "a walk without an end";
    return leaves;
}

void append(const Pattern& pattern, BodyId body, std::vector<u32>& leaves) {
    for (const u32 item : body_of(pattern, body)) {
        if (item < pattern.leaf_count) {
            leaves.push_back(item);
        } else {
            append(pattern, item - pattern.leaf_count + 1, leaves);
        }
    }
}

std::vector<u32> leaves_of(const Pattern& pattern) {
    std::vector<u32> leaves;
    append(pattern, 0, leaves);
    return leaves;
}

TEST(ScriptUnionTest, GivesItemsInCommonOnePlace) {
    // send left, receive, send right, in a loop; the first and last rank lack one.
    const Pattern inner{kLeaves, {{0, 1, 2}}, {3, kLeaves, 4}};
    const Pattern first{kLeaves, {{1, 2}}, {3, kLeaves, 4}};
    const Pattern last{kLeaves, {{0, 1}}, {3, kLeaves, 4}};
    ScriptUnion whole(first);
    EXPECT_GT(whole.likeness(inner), 0.8);
    whole.add(inner);
    whole.add(last);
    EXPECT_EQ(whole.pattern(), inner);
    EXPECT_EQ(walked(whole, first, 0), leaves_of(first));
    EXPECT_EQ(walked(whole, inner, 1), leaves_of(inner));
    EXPECT_EQ(walked(whole, last, 2), leaves_of(last));
}

TEST(ScriptUnionTest, DoesNotTakeUnlikeLoopsForOne) {
    const Pattern a{kLeaves, {{0, 1}}, {kLeaves}};
    const Pattern b{kLeaves, {{2, 3}}, {kLeaves}};
    ScriptUnion whole(a);
    EXPECT_EQ(whole.likeness(b), 0);
    whole.add(b);
    EXPECT_EQ(whole.pattern().root.size(), 2U);
    EXPECT_EQ(walked(whole, a, 0), leaves_of(a));
    EXPECT_EQ(walked(whole, b, 1), leaves_of(b));
}

TEST(ScriptUnionTest, LongIrregularScriptsAreNotCompared) {
    constexpr u32 kLong = 300'000;
    Pattern script{2, {}, {}};
    for (u32 i = 0; i < kLong; ++i) script.root.push_back(i * i % 7 % 2);
    // 90 thousand million pairs of items.
    EXPECT_EQ(ScriptUnion(script).likeness(script), 0);
}

TEST(ScriptUnionTest, ManyLoopsAreComparedUpToALimit) {
    constexpr u32 kLoops = 3000;
    Pattern script{kLeaves, {}, {}};
    for (u32 i = 0; i < kLoops; ++i) {
        script.loops.push_back({i % kLeaves, (i / kLeaves) % kLeaves, i % 3, i % 2});
        script.root.push_back(kLeaves + i);
    }
    const double likeness = ScriptUnion(script).likeness(script);
    EXPECT_GE(likeness, 0);
    EXPECT_LE(likeness, 1);
}

TEST(ScriptUnionTest, KeepsTheOrderOfEveryScript) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<Pattern> scripts;
        for (int i = 0; i < 4; ++i) {
            Pattern script{kLeaves, {}, {}};
            const auto body = [&] {
                std::vector<u32> items(1 + random() % 5);
                const auto known = static_cast<u32>(kLeaves + script.loops.size());
                for (u32& item : items) item = static_cast<u32>(random() % known);
                return items;
            };
            for (u32 loops = random() % 4; loops != 0; --loops) script.loops.push_back(body());
            script.root = body();
            scripts.push_back(script);
        }
        ScriptUnion whole(scripts[0]);
        for (std::size_t i = 1; i < scripts.size(); ++i) whole.add(scripts[i]);
        for (std::size_t i = 0; i < scripts.size(); ++i) {
            EXPECT_EQ(walked(whole, scripts[i], i), leaves_of(scripts[i])) << round;
        }
    }
}

}  // namespace
}  // namespace tracefold
