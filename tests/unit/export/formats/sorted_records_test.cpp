// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/formats/sorted_records.hpp"

#include "base/types.hpp"
#include "support/test_directory.hpp"

#include <functional>
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
    const std::vector<Numbered> cuts = records.cuts(part);
    const auto parts = records.divide(cuts, std::less<>(), 3);
    EXPECT_EQ(parts.count(), cuts.size() + 1);
    EXPECT_NEAR(static_cast<double>(parts.count()), static_cast<double>(count / part), 1);
    std::vector<u64> together;
    for (std::size_t i = 0; i < parts.count(); ++i) {
        const std::size_t before = together.size();
        records.for_each(parts, i, [&](const Numbered& one) {
            EXPECT_TRUE(i == 0 || !(one < cuts[i - 1]));
            EXPECT_TRUE(i == cuts.size() || one < cuts[i]);
            together.push_back(one.number);
        });
        EXPECT_LT(together.size() - before, 2 * part);
    }
    EXPECT_EQ(together, whole);
}

TEST(SortedRecordsTest, IsCutIntoParts) {
    expect_parts(5000, 6000, 500);         // in memory
    expect_parts(200'000, 70'000, 9'000);  // on disk
    expect_parts(200'000, 30'000, 9'000);
}

/// Parts are empty where a cut repeats, and where it is before or after everything.
TEST(SortedRecordsTest, IsCutAnywhere) {
    const TestDirectory directory;
    for (const std::size_t run : {7U, 1000U}) {
        SortedRecords<Numbered> records(directory / ".", run);
        for (u64 i = 0; i < 100; ++i) records.add({i * 37 % 100, i});
        records.finish();
        const std::vector<u64> cuts{0, 40, 40, 41, 100, 200};
        const auto parts = records.divide(
            cuts, [](const Numbered& one, u64 key) { return one.key < key; }, 1);
        std::vector<u64> sizes(parts.count());
        for (std::size_t i = 0; i < parts.count(); ++i) {
            records.for_each(parts, i, [&](const Numbered& /*one*/) { ++sizes[i]; });
        }
        EXPECT_EQ(sizes, (std::vector<u64>{0, 40, 0, 1, 59, 0, 0}));
    }
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
