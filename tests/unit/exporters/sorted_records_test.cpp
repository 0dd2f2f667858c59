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
    records.finish();
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

/// The same records, part by part.
void expect_parts(u64 count, std::size_t run, u64 part) {
    const TestDirectory directory;
    SortedRecords<Numbered> records(directory / ".", run);
    for (u64 i = 0; i < count; ++i) records.add({i * 7919 % 100'003, i});
    records.finish();
    std::vector<u64> whole;
    records.for_each([&](const Numbered& record) { whole.push_back(record.number); });
    std::vector<Numbered> cuts = records.cuts(part);
    EXPECT_NEAR(static_cast<double>(cuts.size() + 1), static_cast<double>(count / part), 1);
    cuts.push_back({~u64{0}, 0});
    std::vector<u64> parts;
    Numbered begin;
    for (const Numbered& end : cuts) {
        const std::size_t before = parts.size();
        records.for_each([&](const Numbered& one) { return one < begin; },
                         [&](const Numbered& one) { return one < end; },
                         [&](const Numbered& one) { parts.push_back(one.number); });
        EXPECT_LT(parts.size() - before, 2 * part);
        begin = end;
    }
    EXPECT_EQ(parts, whole);
}

TEST(SortedRecordsTest, IsCutIntoParts) {
    expect_parts(5000, 6000, 500);         // in memory
    expect_parts(200'000, 70'000, 9'000);  // on disk
    expect_parts(200'000, 30'000, 9'000);
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
