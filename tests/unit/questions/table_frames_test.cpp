// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/csv_table.hpp"
#include "base/error.hpp"
#include "questions/frames/detail/frame.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Type = TableColumn::Type;

void put(TableSink& table) {
    table.begin({{"name"}, {"count", Type::whole}, {"value", Type::real}});
    table.text("a,b");
    table.whole(3);
    table.real(0.1);
    table.text("=c");
    table.none();
    table.whole(1'000'000);
}

TEST(CsvTable, WritesLines) {
    std::ostringstream out;
    CsvTable table(out);
    put(table);
    EXPECT_EQ(out.str(), "name,count,value\n\"a,b\",3,0.1\n'=c,,1000000\n");
}

TEST(TableFrames, KeepsRows) {
    TableFrames table;
    put(table);
    ASSERT_EQ(table.columns().size(), 3U);
    EXPECT_EQ(table.columns()[1].type, ValueColumn::integer);
    const TableFrames::Frames frames = table.take();
    ASSERT_EQ(frames.size(), 1U);
    const Frame& frame = *frames.front();
    ASSERT_EQ(frame.rows, 2U);
    EXPECT_EQ(frame.columns[0].characters, "a,b=c");
    EXPECT_EQ(frame.columns[1].nulls(), 1U);
    EXPECT_EQ(frame.columns[2].reals[1], 1e6);
}

TEST(TableFrames, RefusesWhatDoesNotFit) {
    TableFrames table;
    table.begin({{"count", Type::whole}});
    EXPECT_THROW(table.whole(~u64{0}), Error);
}

}  // namespace
}  // namespace tracefold
