// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/file.hpp"
#include "base/publication.hpp"
#include "support/expect_error.hpp"
#include "support/test_directory.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

namespace fs = std::filesystem;

using Exchange = void (*)(const fs::path&, const fs::path&);

class ExchangeTest : public ::testing::TestWithParam<Exchange> {};

TEST_P(ExchangeTest, FilesChangePlaces) {
    const TestDirectory scratch;
    put_file(scratch / "made", "new");
    put_file(scratch / "place", "old");
    GetParam()(scratch / "made", scratch / "place");
    EXPECT_EQ(read_whole_file(scratch / "place"), "new");
    EXPECT_EQ(read_whole_file(scratch / "made"), "old");
    EXPECT_EQ(scratch.entries(), 2);
}

TEST_P(ExchangeTest, FoldersChangePlaces) {
    const TestDirectory scratch;
    put_file(scratch / "made/a", "new");
    put_file(scratch / "place/b", "old");
    GetParam()(scratch / "made", scratch / "place");
    EXPECT_EQ(read_whole_file(scratch / "place/a"), "new");
    EXPECT_EQ(read_whole_file(scratch / "made/b"), "old");
    EXPECT_EQ(scratch.entries(), 2);
}

TEST_P(ExchangeTest, AFailureChangesNothing) {
    const TestDirectory scratch;
    put_file(scratch / "place/b", "old");
    expect_error(ErrorKind::io, "cannot create",
                 [&] { GetParam()(scratch / "made", scratch / "place"); });
    EXPECT_EQ(read_whole_file(scratch / "place/b"), "old");
    EXPECT_EQ(scratch.entries(), 1);
}

INSTANTIATE_TEST_SUITE_P(Ways, ExchangeTest, ::testing::Values(exchange, exchange_by_renames));

TEST(PlaceNewTest, TakesAFreePlaceOnly) {
    const TestDirectory scratch;
    put_file(scratch / "made", "new");
    put_file(scratch / "taken", "old");
    EXPECT_FALSE(place_new(scratch / "made", scratch / "taken"));
    EXPECT_EQ(read_whole_file(scratch / "taken"), "old");
    EXPECT_TRUE(place_new(scratch / "made", scratch / "free"));
    EXPECT_EQ(read_whole_file(scratch / "free"), "new");
    EXPECT_EQ(scratch.entries(), 2);
}

TEST(PlaceNewTest, AFolderTakesThePlaceOfAnEmptyOne) {
    const TestDirectory scratch;
    put_file(scratch / "made/a", "new");
    put_file(scratch / "taken/b", "old");
    fs::create_directory(scratch / "empty");
    EXPECT_FALSE(place_new(scratch / "made", scratch / "taken"));
    EXPECT_TRUE(place_new(scratch / "made", scratch / "empty"));
    EXPECT_EQ(read_whole_file(scratch / "empty/a"), "new");
}

}  // namespace
}  // namespace tracefold
