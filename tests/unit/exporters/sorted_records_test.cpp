// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/sorted_records.hpp"

#include "core/types.hpp"
#include "unit/io/test_directory.hpp"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

struct Numbered {
    u64 key = 0;
    u64 number = 0;

    bool operator<(const Numbered& other) const {
        return key != other.key ? key < other.key : number < other.number;
    }
};

/// `count` records with keys in disorder, many of them alike, in runs of `run`.
void expect_sorted(u64 count, std::size_t run) {
    const TestDirectory directory;
    SortedRecords<Numbered> records(directory / ".", run);
    for (u64 i = 0; i < count; ++i) records.add({i * 7919 % 1009, i});
    EXPECT_EQ(records.count(), count);
    std::vector<bool> seen(count);
    Numbered last;
    records.for_each([&](const Numbered& record) {
        ASSERT_LT(record.number, count);
        EXPECT_FALSE(record < last);
        EXPECT_FALSE(seen[record.number]);
        EXPECT_EQ(record.key, record.number * 7919 % 1009);
        seen[record.number] = true;
        last = record;
    });
    EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), u64{0}), count);
}

TEST(SortedRecordsTest, SortsInMemory) {
    expect_sorted(0, 10);
    expect_sorted(1, 10);
    expect_sorted(5000, 6000);
}

TEST(SortedRecordsTest, MergesRuns) {
    expect_sorted(10, 10);     // one run, and nothing after it
    expect_sorted(5000, 1);    // as many runs as records
    expect_sorted(5000, 999);  // the last run is shorter
    expect_sorted(5000, 5000);
}

TEST(SortedRecordsTest, MergesRunsThatAreOnDisk) {
    // 3.2 MB, more than what is buffered; runs take several pieces.
    expect_sorted(200'000, 30'000);
}

}  // namespace
}  // namespace tracefold
