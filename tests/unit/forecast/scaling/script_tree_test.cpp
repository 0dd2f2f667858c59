// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/script_tree.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Calls of two kinds with one size each.
CallTypes two_kinds() {
    CallTypes kinds;
    for (const char* name : {"send", "receive"}) {
        kinds.number(name, [&] {
            return CallType{name, {}, {}, {{"bytes", FieldKind::bytes, SlotShape::one, false}}};
        });
    }
    return kinds;
}

FoldedSequence fold(const std::vector<std::pair<u32, u64>>& calls, FoldingView view) {
    auto sequence = std::make_shared<CallSequence>();
    for (const auto& [call, size] : calls) {
        sequence->calls.push_back(call);
        sequence->first.push_back(sequence->values.size());
        sequence->values.push_back(size);
    }
    return fold_sequence(sequence, two_kinds(), view);
}

using Counts = std::vector<std::vector<u64>>;

TEST(ScriptTreeTest, LoopsAndRepeatedCallsHaveCounts) {
    const FoldedSequence folded = fold({{0, 1}, {0, 1}, {1, 1}, {0, 1}, {0, 1}, {1, 1}}, {});
    ASSERT_EQ(folded.tree.root.size(), 1U);
    EXPECT_EQ(folded.tree.places[0].body, (std::vector<u32>{1, 2}));
    EXPECT_EQ(folded.counts, (Counts{{2}, {2, 2}, {1, 1}}));
    EXPECT_EQ(folded.first_call[1], (std::vector<std::size_t>{0, 3}));
}

TEST(ScriptTreeTest, SizesTellCallsApart) {
    const std::vector<std::pair<u32, u64>> calls = {{0, 8}, {0, 8}, {0, 500}, {0, 8}};
    EXPECT_EQ(fold(calls, {}).tree.root.size(), 1U);
    EXPECT_EQ(fold(calls, {.sizes = true, .periods = false}).tree.root.size(), 3U);
}

TEST(ScriptTreeTest, PeersTellCallsApart) {
    CallTypes kinds;
    kinds.number("send", [] {
        return CallType{"send", {}, {}, {{"receiver", FieldKind::peer, SlotShape::one, false}}};
    });
    auto sequence = std::make_shared<CallSequence>();
    sequence->calls.assign(6, 0);
    sequence->first = {0, 1, 2, 3, 4, 5};
    sequence->values = {1, 1, 1, 5, 5, 5};
    EXPECT_EQ(fold_sequence(sequence, kinds, {}).tree.root.size(), 1U);
    EXPECT_EQ(fold_sequence(sequence, kinds, {.peers = true}).counts, (Counts{{3}, {3}}));
}

TEST(ScriptTreeTest, LoopsThatRepeatTheirValuesAreTwo) {
    std::vector<std::pair<u32, u64>> calls;
    for (int i = 0; i < 6; ++i) {
        calls.emplace_back(0, i % 3);
        calls.emplace_back(1, 7);
    }
    const FoldedSequence folded = fold(calls, {.sizes = false, .periods = true});
    EXPECT_EQ(folded.counts, (Counts{{2}, {1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}, {3, 3}}));
    EXPECT_EQ(folded.tree.places[0].body, (std::vector<u32>{3}));
}

}  // namespace
}  // namespace tracefold
