// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/memory.hpp"
#include "base/types.hpp"

#include <array>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

AppendBuffer<u64> numbers(u64 count) {
    AppendBuffer<u64> buffer;
    for (u64 i = 0; i < count; ++i) buffer.push_back(i);
    return buffer;
}

std::vector<u64> content(const AppendBuffer<u64>& buffer) { return {buffer.begin(), buffer.end()}; }

TEST(AppendBufferTest, KeepsElementsWhileItGrows) {
    const AppendBuffer<u64> buffer = numbers(1000);
    ASSERT_EQ(buffer.size(), 1000U);
    for (u64 i = 0; i < 1000; ++i) ASSERT_EQ(buffer[i], i);
}

TEST(AppendBufferTest, HandsOutThePlaceOfNewElements) {
    AppendBuffer<u64> buffer = numbers(2);
    u64* const place = buffer.extend(3);
    for (u64 i = 0; i < 3; ++i) place[i] = 10 + i;
    buffer.append(std::array<u64, 2>{7, 8});
    EXPECT_EQ(content(buffer), (std::vector<u64>{0, 1, 10, 11, 12, 7, 8}));
    buffer.shrink(3);
    EXPECT_EQ(content(buffer), (std::vector<u64>{0, 1, 10}));
    buffer.extend(0);
    EXPECT_EQ(buffer.size(), 3U);
}

TEST(AppendBufferTest, TakesAnElementOfItsOwn) {
    AppendBuffer<u64> buffer = numbers(1);
    for (int i = 0; i < 100; ++i) {
        buffer.push_back(buffer.back());
        ++buffer.back();
    }
    EXPECT_EQ(buffer.back(), 100U);
}

TEST(AppendBufferTest, IsFilledAgainAfterClearingAndMoving) {
    AppendBuffer<u64> buffer = numbers(20);
    buffer.clear();
    EXPECT_TRUE(buffer.empty());
    buffer.push_back(5);
    AppendBuffer<u64> other = std::move(buffer);
    EXPECT_EQ(content(other), std::vector<u64>{5});
    buffer = numbers(3);
    EXPECT_EQ(content(buffer), (std::vector<u64>{0, 1, 2}));
}

TEST(AppendBufferTest, CopiesAndComparesByContent) {
    const AppendBuffer<u64> buffer = numbers(20);
    AppendBuffer<u64> copy = buffer;
    EXPECT_EQ(copy, buffer);
    copy.back() = 0;
    EXPECT_FALSE(copy == buffer);
    EXPECT_EQ(buffer.size(), 20U);
    EXPECT_EQ(buffer[19], 19U);
    EXPECT_EQ(AppendBuffer<u64>(), AppendBuffer<u64>());
}

}  // namespace
}  // namespace tracefold
