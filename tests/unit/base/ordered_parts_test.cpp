// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/ordered_parts.hpp"

#include "support/test_directory.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::string text_of(u32 part) { return "part " + std::to_string(part) + "\n"; }

TEST(OrderedPartsTest, TheFirstPartComesOutAtOnce) {
    const TestDirectory directory;
    std::string out;
    OrderedParts parts([&out](std::string_view bytes) { out += bytes; }, directory.path(), 4);
    OrderedParts::Part first = parts.begin(0);
    OrderedParts::Part second = parts.begin(1);
    OrderedParts::Part third = parts.begin(2);
    third.append("c");
    second.append("b");
    EXPECT_EQ(out, "");
    first.append("a");
    EXPECT_EQ(out, "a");
    third.finish();
    first.finish();
    EXPECT_EQ(out, "a");  // the second one goes on by itself
    second.append("B");
    EXPECT_EQ(out, "abB");
    second.finish();
    EXPECT_EQ(out, "abBc");
}

TEST(OrderedPartsTest, PartsLargerThanMemoryKeepTheirOrder) {
    const TestDirectory directory;
    std::string out;
    OrderedParts parts([&out](std::string_view bytes) { out += bytes; }, directory.path(), 16);
    OrderedParts::Part first = parts.begin(0);
    OrderedParts::Part second = parts.begin(1);
    const std::string piece(std::size_t{1} << 20U, 'x');
    std::string expected = "head";
    for (int i = 0; i < 20; ++i) {
        second.append(piece + std::to_string(i));
        expected += piece + std::to_string(i);
    }
    first.append("head");
    first.finish();
    second.append("tail");
    second.finish();
    EXPECT_EQ(out, expected + "tail");
}

TEST(OrderedPartsTest, ThreadsMakeOneText) {
    constexpr u32 kParts = 200;
    const TestDirectory directory;
    std::string expected;
    for (u32 part = 0; part < kParts; ++part) expected += text_of(part) + text_of(part);
    for (const u32 threads : {1U, 2U, 3U, 5U}) {
        std::string out;
        OrderedParts parts([&out](std::string_view bytes) { out += bytes; }, directory.path(), 3);
        std::atomic<u32> next = 0;
        std::vector<std::thread> team;
        for (u32 i = 0; i < threads; ++i) {
            team.emplace_back([&] {
                for (u32 number = next++; number < kParts; number = next++) {
                    OrderedParts::Part part = parts.begin(number);
                    part.append(text_of(number));
                    part.append(text_of(number));
                    part.finish();
                }
            });
        }
        for (std::thread& thread : team) thread.join();
        EXPECT_EQ(out, expected) << threads;
    }
}

/// Nobody waits for a part that will never be complete.
TEST(OrderedPartsTest, NothingComesOutBehindAPartThatFailed) {
    const TestDirectory directory;
    std::string out;
    OrderedParts parts([&out](std::string_view bytes) { out += bytes; }, directory.path(), 1);
    OrderedParts::Part first = parts.begin(0);
    first.append("a");
    std::thread waiting([&parts] {
        parts.guard([&parts] {
            OrderedParts::Part third = parts.begin(2);
            third.append("c");
            third.finish();
        });
    });
    EXPECT_THROW(parts.guard([] { throw std::runtime_error("no"); }), std::runtime_error);
    waiting.join();
    first.append("b");
    first.finish();
    EXPECT_EQ(out, "a");
}

}  // namespace
}  // namespace tracefold
