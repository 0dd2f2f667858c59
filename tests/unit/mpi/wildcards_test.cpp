// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/wildcards.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Kind = Action::Kind;

/// Receives of one rank.
class WildcardsTest : public ::testing::Test {
  protected:
    static constexpr u64 kComm = 2;
    static constexpr u32 kTag = 7;

    static Action action(Kind kind, u32 source, u64 request, u32 tag = kTag, u64 bytes = 8) {
        Action action;
        action.kind = kind;
        action.envelope = {kComm, source, tag, bytes};
        action.request = request;
        return action;
    }
    void add(const std::vector<Action>& actions) {
        MpiCall call;
        call.actions = actions;
        wildcards_.add(call);
    }
    void receive(u32 source, u32 tag = kTag, u64 bytes = 8) {
        add({action(Kind::receive, source, kNoRequest, tag, bytes)});
    }
    /// Sources that no loop gives.
    static std::vector<u32> sources(std::size_t count) {
        std::vector<u32> list;
        u32 state = 12345;
        for (std::size_t i = 0; i < count; ++i) {
            state = state * 1664525U + 1013904223U;
            list.push_back((state >> 16U) % 5);
        }
        return list;
    }
    [[nodiscard]] bool detected(u32 tag = kTag) {
        wildcards_.decide(WildcardChoice::detected, false);
        return wildcards_.has(kComm, tag);
    }

    Wildcards wildcards_;
};

TEST_F(WildcardsTest, IrregularSourcesAreDetected) {
    for (const u32 source : sources(200)) receive(source, kTag, 10 * source);
    ASSERT_TRUE(detected());
    EXPECT_EQ(wildcards_.bytes(kComm, kTag), 40U);
    EXPECT_EQ(wildcards_.receives(), 200U);
    EXPECT_FALSE(wildcards_.has(kComm, kTag + 1));
    EXPECT_FALSE(wildcards_.has(kComm + 1, kTag));
}

TEST_F(WildcardsTest, SourcesThatFoldAreNot) {
    for (u32 i = 0; i < 200; ++i) receive(i % 5);
    EXPECT_FALSE(detected());
}

TEST_F(WildcardsTest, OneSourceIsNot) {
    for (u32 i = 0; i < 200; ++i) receive(3, kTag, i * i % 17);
    EXPECT_FALSE(detected());
}

TEST_F(WildcardsTest, ReceivesThatCompleteTogetherAreInOrder) {
    const auto list = sources(200);
    for (std::size_t i = 0; i < list.size(); i += 2) {
        add({action(Kind::post_receive, list[i], i)});
        add({action(Kind::post_receive, list[i + 1], i + 1)});
        add({action(Kind::complete_receive, list[i + 1], i + 1),
             action(Kind::complete_receive, list[i], i)});
    }
    EXPECT_TRUE(detected());
}

TEST_F(WildcardsTest, ReceivesThatCompleteOutOfOrderAreNot) {
    const auto list = sources(200);
    for (std::size_t i = 0; i < list.size(); i += 2) {
        add({action(Kind::post_receive, list[i], i)});
        add({action(Kind::post_receive, list[i + 1], i + 1)});
        add({action(Kind::complete_receive, list[i + 1], i + 1)});
        add({action(Kind::complete_receive, list[i], i)});
    }
    EXPECT_FALSE(detected());
}

TEST_F(WildcardsTest, AllTakesAllButThoseThatProbesFound) {
    receive(1);
    receive(1, kTag + 1);
    MpiCall matched;
    matched.family = CallFamily::matched_receive;
    matched.inferred = {kComm, 1, kTag + 1, 8};
    wildcards_.add(matched);
    wildcards_.decide(WildcardChoice::all, true);
    EXPECT_TRUE(wildcards_.has(kComm, kTag));
    EXPECT_FALSE(wildcards_.has(kComm, kTag + 1));
}

TEST_F(WildcardsTest, NoneTakesNone) {
    for (const u32 source : sources(200)) receive(source);
    wildcards_.decide(WildcardChoice::none, false);
    EXPECT_FALSE(wildcards_.has(kComm, kTag));
    EXPECT_EQ(wildcards_.receives(), 0U);
}

}  // namespace
}  // namespace tracefold
