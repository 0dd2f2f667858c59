// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/folded_column.hpp"
#include "support/random_source.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Sequence = std::vector<u64>;

/// Runs a family of random sequences through folding and back.
template <class Family>
void expect_exact_columns(u64 seed, int rounds, const Family& family) {
    for (int round = 0; round < rounds; ++round) {
        RandomSource random(seed + static_cast<u64>(round));
        const Sequence values = family(random);
        ASSERT_EQ(FoldedColumn(values).unwound(), values)
            << "seed " << seed << " round " << round << ", " << values.size() << " values";
    }
}

void append(Sequence& to, const Sequence& values) {
    to.insert(to.end(), values.begin(), values.end());
}

Sequence constant(RandomSource& random) { return Sequence(random.below(40), random.value()); }

Sequence progression(RandomSource& random) {
    Sequence values;
    const u64 start = random.value();
    const u64 stride = random.value();
    const u64 size = random.below(40);
    for (u64 i = 0; i < size; ++i) values.push_back(start + i * stride);
    return values;
}

Sequence noise(RandomSource& random) {
    Sequence values;
    const u64 size = random.below(60);
    for (u64 i = 0; i < size; ++i) values.push_back(random.value());
    return values;
}

Sequence letters(RandomSource& random) {
    Sequence values;
    const u64 alphabet = random.between(1, 5);
    const u64 size = random.below(300);
    for (u64 i = 0; i < size; ++i) values.push_back(random.below(alphabet));
    return values;
}

Sequence periodic(RandomSource& random) {
    const Sequence period = random.one_in(2) ? noise(random) : letters(random);
    Sequence values;
    const u64 trips = random.below(8);
    for (u64 i = 0; i < trips; ++i) append(values, period);
    append(values, Sequence(period.begin(), period.begin() + static_cast<i64>(period.size() / 3)));
    return values;
}

Sequence piecewise(RandomSource& random) {
    Sequence values;
    const u64 pieces = random.below(20);
    for (u64 i = 0; i < pieces; ++i) {
        const u64 value = random.below(4);
        values.insert(values.end(), random.between(1, 12), value);
    }
    return values;
}

Sequence growing(RandomSource& random) {
    Sequence values;
    const u64 trips = random.below(25);
    const u64 step = random.between(1, 3);
    const bool separated = random.one_in(2);
    for (u64 i = 1; i <= trips; ++i) {
        for (u64 k = 0; k < i * step; ++k) values.push_back(k);
        if (separated) values.push_back(1000);
    }
    return values;
}

Sequence nested(RandomSource& random, int depth) {
    if (depth == 0) return {random.below(4)};
    Sequence values;
    const u64 trips = random.between(1, 5);
    const Sequence before = random.one_in(2) ? Sequence{} : noise(random);
    const Sequence fixed = nested(random, depth - 1);
    const bool varying = random.one_in(3);
    for (u64 i = 0; i < trips; ++i) {
        append(values, varying ? nested(random, depth - 1) : fixed);
        if (depth > 2) append(values, {7, i % 2});
    }
    append(values, before);
    return values;
}

Sequence sums(RandomSource& random) {
    Sequence values = periodic(random);
    u64 sum = random.value();
    for (u64& value : values) value = sum += value;
    return values;
}

Sequence mixture(RandomSource& random) {
    Sequence values;
    const u64 parts = random.below(6);
    for (u64 i = 0; i < parts; ++i) {
        switch (random.below(8)) {
            case 0:
                append(values, constant(random));
                break;
            case 1:
                append(values, progression(random));
                break;
            case 2:
                append(values, noise(random));
                break;
            case 3:
                append(values, letters(random));
                break;
            case 4:
                append(values, periodic(random));
                break;
            case 5:
                append(values, sums(random));
                break;
            case 6:
                append(values, growing(random));
                break;
            default:
                append(values, nested(random, 3));
                break;
        }
    }
    return values;
}

TEST(ColumnPropertyTest, Constants) { expect_exact_columns(100'000, 3000, constant); }
TEST(ColumnPropertyTest, Progressions) { expect_exact_columns(200'000, 3000, progression); }
TEST(ColumnPropertyTest, Noise) { expect_exact_columns(300'000, 3000, noise); }
TEST(ColumnPropertyTest, SmallAlphabets) { expect_exact_columns(400'000, 3000, letters); }
TEST(ColumnPropertyTest, Periods) { expect_exact_columns(500'000, 3000, periodic); }
TEST(ColumnPropertyTest, PiecewiseConstants) { expect_exact_columns(600'000, 3000, piecewise); }
TEST(ColumnPropertyTest, GrowingLoops) { expect_exact_columns(700'000, 1000, growing); }
TEST(ColumnPropertyTest, RunningSums) { expect_exact_columns(800'000, 3000, sums); }
TEST(ColumnPropertyTest, Mixtures) { expect_exact_columns(900'000, 3000, mixture); }
TEST(ColumnPropertyTest, NestedLoops) {
    expect_exact_columns(1'000'000, 3000, [](RandomSource& random) {
        return nested(random, static_cast<int>(random.between(1, 4)));
    });
}

// Around the sizes at which a builder changes its mind about how to fold.
TEST(ColumnPropertyTest, ManyDistinctValues) {
    expect_exact_columns(1'100'000, 40, [](RandomSource& random) {
        Sequence values;
        const u64 size = random.between(4090, 12'000);
        const u64 kind = random.below(4);
        u64 sum = 0;
        while (values.size() < size) {
            const u64 i = values.size();
            sum += random.below(100);
            switch (kind) {
                case 0:
                    values.push_back(random.any());
                    break;
                case 1:
                    values.push_back(sum);
                    break;
                case 2:
                    values.push_back(i * i);
                    break;
                default:
                    append(values, mixture(random));
                    values.push_back(random.any());
            }
        }
        return values;
    });
}

TEST(ColumnPropertyTest, EqualSequencesGiveEqualColumns) {
    for (u64 seed = 0; seed < 300; ++seed) {
        RandomSource random(seed);
        const Sequence values = mixture(random);
        StructurePool pool;
        u32 ids[2] = {};
        for (u32& id : ids) {
            ColumnBuilder builder;
            for (const u64 value : values) builder.push(value);
            id = builder.finish(pool);
            ColumnBuilder other;
            for (const u64 value : noise(random)) other.push(value);
            other.finish(pool);
        }
        ASSERT_EQ(ids[0], ids[1]) << "seed " << seed;
    }
}

/// What the file keeps of a column does not grow with the trip count of the loop it comes from.
TEST(ColumnPropertyTest, LongerLoopsHaveTheSameItems) {
    for (u64 seed = 0; seed < 200; ++seed) {
        RandomSource random(seed);
        Sequence body = letters(random);
        body.resize(body.size() % 12);
        body.push_back(77);
        const auto items = [&body](u64 trips) {
            Sequence values;
            for (u64 i = 0; i < trips; ++i) append(values, body);
            return FoldedColumn(values).item_count();
        };
        // Short columns are tried in every form, long ones in one; both are long here.
        ASSERT_EQ(items(5000), items(10'000)) << "seed " << seed;
    }
}

}  // namespace
}  // namespace tracefold
