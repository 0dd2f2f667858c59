// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "questions/stats/distribution.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

const BinTable::Layout kLayout = {SampleScope::iterations, Quantity::time, LinearBins(0, 9, 2), 3,
                                  10};

Sample sample(u64 value, u64 iteration) {
    return {1, SampleScope::iterations, Quantity::time, value, 1, 0, iteration};
}

TEST(BinTableTest, CountsByColumnAndBin) {
    RowTree rows;
    BinTable table(rows, kLayout);
    table.add(sample(4, 0));
    table.add(sample(5, 9));
    table.add(sample(9, 29));
    EXPECT_EQ(table.counts().at(1), (std::vector<u64>{1, 1, 0, 0, 0, 1}));
}

TEST(BinTableTest, LeavesOutSamplesOfAnotherKind) {
    RowTree rows;
    BinTable table(rows, kLayout);
    Sample other = sample(4, 0);
    other.quantity = Quantity::sent;
    table.add(other);
    other = sample(4, 0);
    other.over = SampleScope::calls;
    table.add(other);
    EXPECT_TRUE(table.counts().empty());
}

TEST(BinTableTest, RefusesWhatIsOutsideOfItsLayout) {
    RowTree rows;
    BinTable table(rows, kLayout);
    EXPECT_THROW(table.add(sample(10, 0)), Error);
    EXPECT_THROW(table.add(sample(4, 30)), Error);
}

}  // namespace
}  // namespace tracefold
