// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "fold/column_values.hpp"
#include "questions/structure/structure_listing.hpp"
#include "support/folded_column.hpp"
#include "support/random_loops.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Sequence = std::vector<u64>;

/// The counts of a folded column's nodes, each with a cursor of its own.
class Counts {
  public:
    explicit Counts(const FoldedColumn& column) : column_(column) {}

    [[nodiscard]] ColumnCursor of(u32 node) const {
        for (const NodeCount& count : column_.column().counts) {
            if (count.node == node) return {column_.source(), count.column};
        }
        return ColumnCursor::constant(1);
    }

  private:
    const FoldedColumn& column_;
};

/// Comes by all nodes one by one, and notes at which place.
class PlainWalk {
  public:
    PlainWalk(const FoldedColumn& column, u32 node)
        : pattern_(column.pattern()), node_(node), all_(places_of_nodes(pattern_)) {
        const Counts counts(column);
        for (u32 n = 0; n < pattern_.node_count(); ++n) counts_.push_back(counts.of(n));
        body(kNone, pattern_.root);
    }

    Sequence visits;      ///< place of each
    Sequence executions;  ///< place of each

  private:
    void body(u32 number, const std::vector<u32>& items) {
        for (u32 i = 0; i < items.size(); ++i) {
            const u64 count = counts_[items[i]].next();
            if (items[i] == node_) note({number, i}, count);
            if (items[i] < pattern_.leaf_count) continue;
            const u32 loop = items[i] - pattern_.leaf_count;
            for (u64 trip = 0; trip < count; ++trip) body(loop, pattern_.loops[loop]);
        }
    }

    void note(const PatternPlace& place, u64 count) {
        const std::vector<PatternPlace>& own = all_[node_];
        const auto found = std::lower_bound(own.begin(), own.end(), place);
        visits.push_back(static_cast<u64>(found - own.begin()));
        executions.insert(executions.end(), count, visits.back());
    }

    const Pattern& pattern_;
    u32 node_;
    std::vector<std::vector<PatternPlace>> all_;
    std::vector<ColumnCursor> counts_;
};

Sequence walked(ColumnCursor cursor, std::size_t size) {
    Sequence all;
    while (all.size() < size) {
        const ValueRun run = cursor.take_run(cursor.run_size());
        EXPECT_EQ(run.stride, 0U);
        all.insert(all.end(), run.count, run.start);
    }
    EXPECT_THROW(static_cast<void>(cursor.run_size()), Error);
    return all;
}

std::map<std::pair<u64, u64>, u64> counted_rows(ColumnCursor places, const Sequence& values) {
    const FoldedColumn column(values);
    std::vector<ColumnCursor> columns;
    columns.push_back(std::move(places));
    columns.emplace_back(column.source(), column.id());
    std::map<std::pair<u64, u64>, u64> rows;
    visit_rows(std::move(columns), values.size(), [&](std::span<const ValueRun> runs, u64 times) {
        for (u64 i = 0; i < runs[0].count; ++i) {
            rows[{runs[0].start, runs[1].start + i * runs[1].stride}] += times;
        }
        return true;
    });
    return rows;
}

/// Compares all nodes of a sequence's pattern that stand at several places.
u64 check(const Sequence& sequence, RandomSource& random) {
    const FoldedColumn column(sequence);
    if (!column.column().is_folded()) return 0;
    const Pattern& pattern = column.pattern();
    const auto all = places_of_nodes(pattern);
    const Counts counts(column);
    u64 checked = 0;
    for (u32 node = 0; node < pattern.node_count(); ++node) {
        if (all[node].size() < 2) continue;
        ++checked;
        const NodePlaces places(pattern, all, node);
        const auto loop_counts = [&] {
            std::vector<ColumnCursor> cursors;
            for (const u32 loop : places.loops()) {
                cursors.push_back(counts.of(pattern.leaf_count + loop));
            }
            return cursors;
        };
        const PlainWalk plain(column, node);
        EXPECT_EQ(walked(places.visits(loop_counts()), plain.visits.size()), plain.visits);
        EXPECT_EQ(
            walked(places.executions(loop_counts(), counts.of(node)), plain.executions.size()),
            plain.executions);
        Sequence values;
        std::map<std::pair<u64, u64>, u64> expected;
        const u64 period = random.between(1, 6);
        for (std::size_t i = 0; i < plain.executions.size(); ++i) {
            values.push_back(random.one_in(100) ? 99 : i % period);
            ++expected[{plain.executions[i], values.back()}];
        }
        EXPECT_EQ(counted_rows(places.executions(loop_counts(), counts.of(node)), values),
                  expected);
    }
    return checked;
}

TEST(NodePlacesTest, AreThoseOfAPlainWalk) {
    u64 checked = 0;
    for (u64 seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        RandomSource random(seed);
        Sequence sequence;
        const u64 parts = random.between(1, 3);
        for (u64 part = 0; part < parts; ++part) {
            const Sequence loops = random_loops(random, 2);
            const u64 times = random.between(1, 5);
            for (u64 i = 0; i < times; ++i) {
                sequence.insert(sequence.end(), loops.begin(), loops.end());
            }
        }
        checked += check(sequence, random);
        if (HasFailure()) return;
    }
    EXPECT_GT(checked, 200U);
}

TEST(NodePlacesTest, IterationsOfOneRunAreOneRun) {
    // 0, then 10,000 times 1 0 2.
    Sequence sequence = {0};
    for (int i = 0; i < 10'000; ++i) sequence.insert(sequence.end(), {1, 0, 2});
    const FoldedColumn column(sequence);
    const Pattern& pattern = column.pattern();
    const auto all = places_of_nodes(pattern);
    ASSERT_EQ(all[0].size(), 2U);
    const NodePlaces places(pattern, all, 0);
    std::vector<ColumnCursor> counts;
    counts.push_back(Counts(column).of(pattern.leaf_count + places.loops()[0]));
    ColumnCursor cursor = places.visits(std::move(counts));
    EXPECT_EQ(cursor.next(), 1U);
    EXPECT_EQ(cursor.run_size(), 10'000U);
}

}  // namespace
}  // namespace tracefold
