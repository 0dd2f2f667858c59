// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/call_reader.hpp"
#include "support/sample_file.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

class CallSkipperTest : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Samples, CallSkipperTest,
                         ::testing::Values("npb-lu.S-4", "micro-stencil2d9p-isend-4",
                                           "micro-anysrc-4", "micro-user-4", "micro-omphyb-4"),
                         sample_test_name<const char*>);

/// The symbol of a call and all fields of its records, requests among them.
std::vector<u64> content(const CallReader& calls) {
    std::vector<u64> all = {calls.symbol_id()};
    for (const auto& head : calls.records().heads()) {
        const auto values = calls.records().values(head);
        all.insert(all.end(), values.begin(), values.end());
    }
    return all;
}

std::size_t count_calls(TraceFile& file, u32 location) {
    CallReader calls(file, location, Times::skip);
    std::size_t count = 0;
    while (calls.next()) ++count;
    return count;
}

TEST_P(CallSkipperTest, WhatFollowsIsAsIfEveryCallWereRead) {
    SampleFile file(GetParam());
    for (u32 location = 0; location < file->location_count(); ++location) {
        CallReader all(*file, location, Times::skip);
        CallReader calls(*file, location, Times::skip);
        CallSkipper skipper(calls);
        const std::size_t count = count_calls(*file, location);
        for (std::size_t call = 0; calls.next(); ++call) {
            ASSERT_TRUE(all.next());
            ASSERT_EQ(content(calls), content(all)) << "call " << call;
            const u64 left_out = skipper.after_call((count - call) / 3).all_calls();
            for (u64 i = 0; i < left_out; ++i, ++call) ASSERT_TRUE(all.next());
        }
        EXPECT_FALSE(all.next());
    }
}

TEST_P(CallSkipperTest, IterationsAreLikeTheCallsBefore) {
    SampleFile file(GetParam());
    for (u32 location = 0; location < file->location_count(); ++location) {
        std::vector<u32> wanted;
        CallReader all(*file, location, Times::skip);
        while (all.next()) wanted.push_back(all.symbol_id());
        CallReader calls(*file, location, Times::skip);
        CallSkipper skipper(calls);
        for (std::size_t call = 0; calls.next();) {
            ASSERT_EQ(calls.symbol_id(), wanted[call++]);
            const CallSkipper::LeftOut left_out = skipper.after_call(wanted.size() - call);
            ASSERT_LE(left_out.calls, call);
            for (u64 i = 0; i < left_out.all_calls(); ++i, ++call) {
                ASSERT_EQ(wanted[call], wanted[call - left_out.calls]);
            }
        }
    }
}

TEST(CallSkipperTest, FewCallsOfARegularProgramAreRead) {
    SampleFile file("npb-lu.S-4");
    const std::size_t all = count_calls(*file, 0);
    CallReader calls(*file, 0, Times::skip);
    CallSkipper skipper(calls);
    std::size_t read = 0;
    u64 left_out = 0;
    for (; calls.next(); ++read) left_out += skipper.after_call(all).all_calls();
    EXPECT_EQ(read + left_out, all);
    EXPECT_LT(read, all / 4);
}

}  // namespace
}  // namespace tracefold
