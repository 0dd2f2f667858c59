// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/participants.hpp"
#include "support/random_source.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Set = std::set<u32>;

/// Members one by one, in runs and in strided runs.
Set random_set(RandomSource& random) {
    Set members;
    const u64 pieces = random.below(6);
    for (u64 piece = 0; piece < pieces; ++piece) {
        const u64 start = random.below(60);
        const u64 stride = random.between(1, 5);
        const u64 count = random.between(1, 8);
        for (u64 i = 0; i < count; ++i) members.insert(static_cast<u32>(start + i * stride));
    }
    return members;
}

std::vector<u32> listed(const Set& members) { return {members.begin(), members.end()}; }

/// Built in a random order, some members twice.
ParticipantList shuffled(const Set& members, RandomSource& random) {
    std::vector<u32> order = listed(members);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    ParticipantList list;
    for (const u32 member : order) {
        list.add(member);
        if (random.one_in(4)) list.add(random.pick(order));
    }
    for (const u32 member : order) list.add(member);
    return list;
}

template <class Operation>
ParticipantList combined(const Set& a, const Set& b, const Operation& operation) {
    std::vector<u32> members;
    operation(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(members));
    return ParticipantList(std::move(members));
}

TEST(ParticipantsPropertyTest, AreSets) {
    for (u64 seed = 0; seed < 3000; ++seed) {
        RandomSource random(seed);
        const Set a = random_set(random);
        const Set b = random_set(random);
        const ParticipantList left(listed(a));
        const ParticipantList right(listed(b));
        ASSERT_EQ(left.members(), listed(a)) << "seed " << seed;
        ASSERT_EQ(left.size(), a.size());
        ASSERT_EQ(left == right, a == b);
        ASSERT_EQ(shuffled(a, random), left) << "seed " << seed;
        for (u32 member = 0; member < 110; ++member) {
            ASSERT_EQ(left.contains(member), a.count(member) != 0) << "seed " << seed;
        }
        ParticipantList both = left;
        both.unite(right);
        const auto set_union = [](auto... args) { std::set_union(args...); };
        const auto difference = [](auto... args) { std::set_difference(args...); };
        ASSERT_EQ(both, combined(a, b, set_union)) << "seed " << seed;
        ASSERT_EQ(left.difference(right), combined(a, b, difference)) << "seed " << seed;
    }
}

TEST(ParticipantsPropertyTest, RunsAreDisjointAndRising) {
    for (u64 seed = 0; seed < 3000; ++seed) {
        RandomSource random(seed);
        const ParticipantList list(listed(random_set(random)));
        const auto& runs = list.runs();
        for (std::size_t i = 0; i < runs.size(); ++i) {
            ASSERT_GE(runs[i].count, 1U);
            ASSERT_GE(runs[i].stride, 1U);
            ASSERT_TRUE(i == 0 || runs[i].start > runs[i - 1].last());
        }
    }
}

}  // namespace
}  // namespace tracefold
