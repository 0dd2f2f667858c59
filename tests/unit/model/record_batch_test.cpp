// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/record_batch.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

RecordBatch three_records() {
    RecordBatch batch;
    batch.begin(1, 100);
    batch.push(5);
    batch.push_attribute({1, 2, 3});
    batch.begin(2, 101);
    batch.push(8);
    batch.push_text("text");
    batch.begin(3);
    batch.push_text("more");
    return batch;
}

std::vector<u64> values_of(const RecordBatch& batch, std::size_t i) {
    const auto values = batch.values(batch[i]);
    return {values.begin(), values.end()};
}

TEST(RecordBatchTest, KeepsWhatBelongsToEachRecord) {
    const RecordBatch batch = three_records();
    ASSERT_EQ(batch.size(), 3U);
    EXPECT_EQ(values_of(batch, 0), std::vector<u64>{5});
    EXPECT_EQ(values_of(batch, 1), (std::vector<u64>{8, 4}));
    EXPECT_EQ(batch.attributes(batch[0]).size(), 1U);
    EXPECT_TRUE(batch.attributes(batch[1]).empty());
    EXPECT_EQ(batch.text(batch[1], 4), "text");
    EXPECT_EQ(batch.text(batch[2], 4), "more");
    EXPECT_EQ(batch[1].time, 101U);
    EXPECT_EQ(batch[2].time, 0U);
}

TEST(RecordBatchTest, AppendsCopies) {
    const RecordBatch from = three_records();
    RecordBatch to;
    for (const std::size_t i : {2U, 1U, 0U, 1U}) to.append(from, from[i]);
    ASSERT_EQ(to.size(), 4U);
    EXPECT_EQ(to.text(to[0], 4), "more");
    EXPECT_EQ(to.text(to[1], 4), "text");
    EXPECT_EQ(values_of(to, 3), (std::vector<u64>{8, 4}));
    EXPECT_EQ(to.attributes(to[2])[0], (Attribute{1, 2, 3}));
    EXPECT_EQ(to[2].time, 100U);
    EXPECT_EQ(to.text_length(to[2]), 0U);
    EXPECT_EQ(to.text_length(to[3]), 4U);
}

TEST(RecordBatchTest, AppendsCopiesOfRecordsInARow) {
    const RecordBatch from = three_records();
    for (std::size_t begin = 0; begin <= from.size(); ++begin) {
        for (std::size_t count = 0; begin + count <= from.size(); ++count) {
            RecordBatch one_by_one;
            RecordBatch at_once;
            for (RecordBatch* to : {&one_by_one, &at_once}) to->append(from, from[2]);
            for (std::size_t i = 0; i < count; ++i) one_by_one.append(from, from[begin + i]);
            at_once.append(from, from.heads().subspan(begin, count));
            ASSERT_EQ(at_once.size(), one_by_one.size());
            for (std::size_t i = 0; i < at_once.size(); ++i) {
                EXPECT_EQ(values_of(at_once, i), values_of(one_by_one, i));
                EXPECT_EQ(at_once[i].time, one_by_one[i].time);
                EXPECT_EQ(at_once[i].type, one_by_one[i].type);
                const auto attributes = at_once.attributes(at_once[i]);
                const auto expected = one_by_one.attributes(one_by_one[i]);
                EXPECT_TRUE(std::ranges::equal(attributes, expected));
                const std::size_t length = one_by_one.text_length(one_by_one[i]);
                EXPECT_EQ(at_once.text(at_once[i], length), one_by_one.text(one_by_one[i], length));
            }
        }
    }
}

TEST(RecordBatchTest, IsEmptyAfterClear) {
    RecordBatch batch = three_records();
    batch.clear();
    EXPECT_TRUE(batch.empty());
    batch.begin(7);
    batch.push_text("new");
    EXPECT_EQ(values_of(batch, 0), std::vector<u64>{3});
    EXPECT_EQ(batch.text(batch[0], 3), "new");
}

}  // namespace
}  // namespace tracefold
