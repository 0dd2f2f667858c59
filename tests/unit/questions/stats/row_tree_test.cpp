// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/row_tree.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Path = std::vector<std::string>;

TEST(RowTreeTest, NumbersNamesWithinNames) {
    RowTree rows;
    const u32 main = rows.child(RowTree::kRoot, "main", false);
    const u32 send = rows.child(main, "MPI_Send", true);
    EXPECT_EQ(rows.child(main, "MPI_Send", true), send);
    EXPECT_NE(rows.child(RowTree::kRoot, "MPI_Send", true), send);
    EXPECT_EQ(rows.path(send), (Path{"main", "MPI_Send"}));
    EXPECT_TRUE(rows[send].mpi);
}

TEST(RowTreeTest, FindsTheRowsOfAnotherTree) {
    RowTree one;
    const u32 solve = one.child(one.child(RowTree::kRoot, "main", false), "solve", false);
    RowTree other;
    const u32 main = other.child(RowTree::kRoot, "main", false);
    const u32 io = other.child(main, "io", false);
    ByteWriter out;
    other.write(out);
    ByteReader in(out.bytes(), "rows");
    const std::vector<u32> here = one.merge(in);
    in.expect_end();
    ASSERT_EQ(here.size(), other.size());
    EXPECT_EQ(one.path(here[main]), Path{"main"});
    EXPECT_EQ(one.path(here[io]), (Path{"main", "io"}));
    EXPECT_EQ(one.path(solve), (Path{"main", "solve"}));
    EXPECT_EQ(one.size(), 4U);
}

TEST(RowTreeTest, RefusesARowBelowALaterOne) {
    ByteWriter out;
    out.put_varint(1);
    out.put_varint(5);
    out.put_varint(0);
    out.put_u8(0);
    ByteReader in(out.bytes(), "rows");
    RowTree rows;
    EXPECT_THROW(rows.merge(in), Error);
}

TEST(RowTreeTest, RefusesToGoTooDeep) {
    RowTree rows;
    u32 row = RowTree::kRoot;
    for (u32 depth = 0; depth < RowTree::kDeepest; ++depth) row = rows.child(row, "rec", false);
    EXPECT_THROW(rows.child(row, "rec", false), Error);
    EXPECT_EQ(rows.path(row).size(), RowTree::kDeepest);
}

}  // namespace
}  // namespace tracefold
