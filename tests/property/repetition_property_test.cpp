// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Taking the same input many times at once must leave the same as taking it again and again.
#include "fold/folder.hpp"
#include "support/random_source.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Sequence = std::vector<u64>;

Sequence random_values(RandomSource& random, u64 most) {
    Sequence values;
    const u64 alphabet = random.between(1, 4);
    const u64 size = random.between(1, most);
    while (values.size() < size) {
        const u64 value = random.one_in(8) ? random.value() : random.below(alphabet);
        const u64 count = random.one_in(3) ? random.between(1, 6) : 1;
        for (u64 i = 0; i < count; ++i) values.push_back(value + (random.one_in(6) ? i : 0));
    }
    return values;
}

/// What a column of several stretches, each some times over, comes out as.
class Stretches {
  public:
    explicit Stretches(RandomSource& random) {
        const u64 count = random.between(1, 4);
        for (u64 i = 0; i < count; ++i) {
            values_.push_back(random_values(random, 12));
            times_.push_back(random.one_in(3) ? random.between(1, 3) : random.between(4, 200));
        }
        const u64 rounds = random.one_in(2) ? 1 : random.between(2, 30);
        for (u64 round = 0; round < rounds; ++round) {
            for (std::size_t i = 0; i < count; ++i) order_.push_back(i);
        }
    }

    [[nodiscard]] std::vector<Column> one_by_one() const {
        ColumnBuilder builder;
        for (const std::size_t i : order_) {
            for (u64 time = 0; time < times_[i]; ++time) push(builder, values_[i]);
        }
        return finished(builder);
    }
    [[nodiscard]] std::vector<Column> at_once() const {
        ColumnBuilder builder;
        for (const std::size_t i : order_) {
            push(builder, values_[i]);
            builder.repeat(values_[i], times_[i] - 1);
        }
        return finished(builder);
    }

  private:
    static void push(ColumnBuilder& builder, const Sequence& values) {
        for (const u64 value : values) builder.push(value);
    }
    static std::vector<Column> finished(ColumnBuilder& builder) {
        StructurePool pool;
        builder.finish(pool);
        return pool.columns();
    }

    std::vector<Sequence> values_;
    std::vector<u64> times_;
    std::vector<std::size_t> order_;
};

TEST(RepetitionPropertyTest, ColumnsAreTheSame) {
    for (u64 seed = 0; seed < 3000; ++seed) {
        RandomSource random(seed);
        const Stretches stretches(random);
        ASSERT_EQ(stretches.at_once(), stretches.one_by_one()) << "seed " << seed;
    }
}

/// Runs of symbols numbered in the order of their first run; neighbours differ.
std::vector<SymbolRun> random_runs(RandomSource& random, u32& symbols) {
    std::vector<SymbolRun> runs;
    const u64 size = random.between(2, 14);
    while (runs.size() < size) {
        u32 symbol = static_cast<u32>(random.below(symbols + (random.one_in(3) ? 1 : 0)));
        if (!runs.empty() && symbol == runs.back().symbol) symbol = symbols;
        symbols = std::max(symbols, symbol + 1);
        runs.push_back({symbol, random.one_in(4) ? random.between(1, 3) : 1});
    }
    if (runs.back().symbol == runs.front().symbol) runs.push_back({symbols++, 1});
    return runs;
}

struct Folded {
    std::vector<Pattern> patterns;
    std::vector<Column> columns;
    std::vector<NodeCount> counts;

    bool operator==(const Folded&) const = default;
};

Folded finished(Folder& folder) {
    StructurePool pool;
    Folded folded;
    folder.finish();
    folder.store(pool, folded.counts);
    folded.patterns = pool.patterns();
    folded.columns = pool.columns();
    return folded;
}

TEST(RepetitionPropertyTest, PatternsAreTheSame) {
    for (u64 seed = 0; seed < 3000; ++seed) {
        RandomSource random(seed);
        Folder one_by_one;
        Folder at_once;
        u32 symbols = 1;
        u32 last = kNone;
        for (u64 stretch = random.between(1, 5); stretch > 0; --stretch) {
            std::vector<SymbolRun> runs = random_runs(random, symbols);
            if (runs.front().symbol == last) runs.insert(runs.begin(), {symbols++, 1});
            last = runs.back().symbol;
            const u64 times = random.between(1, 60);
            for (u64 i = 0; i < times; ++i) {
                for (const SymbolRun& run : runs) one_by_one.push(run.symbol, run.count);
            }
            at_once.repeat(runs, times);
        }
        ASSERT_EQ(finished(at_once), finished(one_by_one)) << "seed " << seed;
    }
}

}  // namespace
}  // namespace tracefold
