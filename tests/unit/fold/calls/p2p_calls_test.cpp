// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/call_stream.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

class PointToPointCallsTest : public ::testing::Test {
  protected:
    [[nodiscard]] EncodedCalls encode(const RecordBuilder& builder) const {
        return encode_calls(world_, {}, kRank, builder.batch());
    }
    void expect_survives(const RecordBuilder& builder) const {
        EXPECT_TRUE(survives(world_, {}, kRank, builder.batch()));
    }

    static constexpr u32 kRank = 3;
    const SmallWorld world_{8};
};

TEST_F(PointToPointCallsTest, BlockingMessagesAreOneSymbolACall) {
    RecordBuilder builder;
    for (u64 i = 0; i < 10; ++i) {
        builder.call(Region::send, EventType::MpiSend, {i % 8, kWorld, i, 100 * i});
        builder.call(Region::recv, EventType::MpiRecv, {7 - i % 8, kWorld, i, 100 * i});
    }
    const EncodedCalls encoded = encode(builder);
    EXPECT_EQ(encoded.symbols.size(), 2U);
    EXPECT_EQ(encoded.calls.symbols.size(), 20U);
    EXPECT_EQ(encoded.symbols[0].elements.size(), 3U);
    expect_survives(builder);
}

TEST_F(PointToPointCallsTest, FifoWaitsHaveDistanceZero) {
    RecordBuilder builder;
    u64 request = 0;
    for (u64 round = 0; round < 20; ++round) {
        for (u64 i = 1; i <= 4; ++i) builder.irecv(request + i);
        for (u64 i = 5; i <= 8; ++i) builder.isend(i % 8, kWorld, 1, 64, request + i);
        builder.enter(Region::waitall);
        for (u64 i = 1; i <= 4; ++i) builder.received(i, kWorld, 1, 64, request + i);
        for (u64 i = 5; i <= 8; ++i) builder.sent(request + i);
        builder.leave(Region::waitall);
        request += 8;
    }
    const EncodedCalls encoded = encode(builder);
    EXPECT_EQ(values_of_kind(encoded, FieldKind::request_done), std::vector<u64>(160, 0));
    EXPECT_EQ(values_of_kind(encoded, FieldKind::request_new), std::vector<u64>(160, 1));
    EXPECT_EQ(encoded.raw.total(), 0U);
    EXPECT_EQ(encoded.symbols.size(), 3U);
    expect_survives(builder);
}

TEST_F(PointToPointCallsTest, CompletionsInAnyOrder) {
    std::vector<u64> order{1, 2, 3, 4, 5};
    RecordBuilder builder;
    u64 base = 0;
    do {
        for (u64 i = 1; i <= 5; ++i) {
            if (i % 2 == 0) builder.irecv(base + i);
            if (i % 2 != 0) builder.isend(i, kWorld, 1, 64, base + i);
        }
        builder.enter(Region::waitall);
        for (const u64 i : order) {
            if (i % 2 == 0) builder.received(i, kWorld, base, 64, base + i);
            if (i % 2 != 0) builder.sent(base + i);
        }
        builder.leave(Region::waitall);
        base += 5;
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_EQ(encode(builder).raw.total(), 0U);
    EXPECT_EQ(encode(builder).symbols.size(), 3U);
    expect_survives(builder);
}

TEST_F(PointToPointCallsTest, WaitanyAndTestsomeCallsHaveOneSymbolEach) {
    RecordBuilder builder;
    for (u64 i = 1; i <= 12; ++i) builder.irecv(i);
    const auto test = [&builder](const std::vector<u64>& completed) {
        builder.enter(Region::testsome);
        for (const u64 request : completed) builder.received(request % 8, kWorld, 1, 8, request);
        builder.leave(Region::testsome);
    };
    for (const auto& completed :
         std::vector<std::vector<u64>>{{}, {3}, {}, {}, {1, 5, 2}, {}, {4}}) {
        test(completed);
    }
    for (const u64 request : {12U, 7U, 6U, 9U, 11U}) {
        builder.enter(Region::waitany).received(1, kWorld, 1, 8, request).leave(Region::waitany);
    }
    test({10, 8});
    const EncodedCalls encoded = encode(builder);
    EXPECT_EQ(encoded.symbols.size(), 3U) << "Irecv, Testsome, Waitany";
    EXPECT_EQ(encoded.raw.total(), 0U);
    expect_survives(builder);
}

/// As Graph500 does: a receive that ended is started again, while others are posted.
TEST_F(PointToPointCallsTest, PersistentRequestsBeginAgain) {
    RecordBuilder builder;
    for (u64 i = 0; i < 4; ++i) builder.irecv(i);
    for (u64 i = 0; i < 40; ++i) {
        const u64 other = 4 + i;
        builder.isend(1, kWorld, 5, 16, other);
        builder.enter(Region::waitany).sent(other).leave(Region::waitany);
        const u64 ended = i * i % 4;
        builder.enter(Region::waitany).received(1, kWorld, 5, 16, ended).leave(Region::waitany);
        builder.irecv(ended);
    }
    EXPECT_FALSE(encode(builder).has_restarts);
    expect_survives(builder);
    const EncodedCalls encoded =
        encode_calls(world_, {}, kRank, builder.batch(), 7, nullptr, 2 * 3);
    EXPECT_TRUE(encoded.has_restarts);
    const std::vector<u64> ids = values_of_kind(encoded, FieldKind::request_new);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), 0), 1 + 40);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), 1), 3 + 40);
    StructureStore store;
    fold_calls(encoded, kRank, store);
    const Structure structure = store.finish(Stream::events, kRank + 1);
    EXPECT_TRUE(
        same_records(Stream::events, builder.batch(), unfold_calls(world_, {}, kRank, structure)));
}

TEST_F(PointToPointCallsTest, WhatBeganAgainBeforeIsAStep) {
    RecordBuilder builder;
    builder.irecv(0).irecv(1);
    for (u64 i = 0; i < 20; ++i) {
        builder.enter(Region::wait).received(1, kWorld, 5, 16, i % 2).leave(Region::wait);
        builder.irecv(i % 2);
    }
    const EncodedCalls plain = encode(builder);
    const RecordBatch& records = builder.batch();
    const EncodedCalls late =
        encode_calls(world_, {}, kRank, records, 7, nullptr, records.size() / 2);
    EXPECT_EQ(values_of_kind(late, FieldKind::request_new),
              values_of_kind(plain, FieldKind::request_new));
}

TEST_F(PointToPointCallsTest, RequestsFromACounterNeverBeginAgain) {
    RecordBuilder builder;
    for (u64 i = 1; i <= 20; ++i) {
        builder.irecv(i).enter(Region::wait).received(1, kWorld, 5, 16, i).leave(Region::wait);
    }
    EXPECT_FALSE(encode_calls(world_, {}, kRank, builder.batch(), 7, nullptr, 0).has_restarts);
    expect_survives(builder);
}

TEST_F(PointToPointCallsTest, NeverCompletedRequests) {
    RecordBuilder builder;
    for (u64 i = 1; i <= 20; ++i) {
        builder.irecv(2 * i).isend(1, kWorld, 5, 16, 2 * i + 1);
        if (i % 3 == 0)
            builder.enter(Region::wait).received(1, kWorld, 5, 16, 2 * i).leave(Region::wait);
    }
    EXPECT_EQ(encode(builder).raw.total(), 0U);
    expect_survives(builder);
}

TEST_F(PointToPointCallsTest, FreedRequestsDoNotShiftLaterDistances) {
    RecordBuilder builder;
    builder.isend(1, kWorld, 0, 8, 1);  // freed, never completes
    for (u64 i = 2; i <= 50; ++i) {
        builder.irecv(i).enter(Region::wait).received(1, kWorld, 0, 8, i).leave(Region::wait);
    }
    const std::vector<u64> distances = values_of_kind(encode(builder), FieldKind::request_done);
    EXPECT_EQ(distances[0], 1U);
    EXPECT_EQ(std::vector<u64>(distances.begin() + 1, distances.end()), std::vector<u64>(48, 0));
    expect_survives(builder);
}

TEST_F(PointToPointCallsTest, CancelledAndTestedRequests) {
    RecordBuilder builder;
    for (u64 i = 1; i <= 9; ++i) {
        builder.irecv(i);
        builder.call(Region::cancel, EventType::MpiRequestTest, {i});
        builder.enter(Region::wait);
        if (i % 3 == 0) builder.event(EventType::MpiRequestCancelled, {i});
        if (i % 3 == 1) builder.received(2, kWorld, 4, 8, i);
        builder.leave(Region::wait);
    }
    builder.call(Region::wait, EventType::MpiRequestCancelled, {5});
    builder.call(Region::wait, EventType::MpiRequestCancelled, {777});
    builder.call(Region::wait, EventType::MpiRequestTest, {778});
    const EncodedCalls encoded = encode(builder);
    EXPECT_EQ(encoded.raw.unknown_request, 2U);
    EXPECT_EQ(encoded.raw.inexpressible, 0U);
    expect_survives(builder);
}

TEST_F(PointToPointCallsTest, PersistentRequestsRestartWithTheSameIds) {
    RecordBuilder builder;
    for (u64 round = 0; round < 30; ++round) {
        builder.enter(Region::startall);
        for (u64 i = 1; i <= 3; ++i) builder.event(EventType::MpiIrecvRequest, {i});
        for (u64 i = 4; i <= 6; ++i) builder.event(EventType::MpiIsend, {i, kWorld, 1, 64, i});
        builder.leave(Region::startall).enter(Region::waitall);
        for (u64 i = 1; i <= 3; ++i) builder.received(i, kWorld, 1, round, i);
        for (u64 i = 4; i <= 6; ++i) builder.sent(i);
        builder.leave(Region::waitall);
    }
    const EncodedCalls encoded = encode(builder);
    EXPECT_EQ(encoded.raw.total(), 0U);
    EXPECT_EQ(values_of_kind(encoded, FieldKind::request_done), std::vector<u64>(180, 0));
    EXPECT_LE(encoded.symbols.size(), 5U);
    expect_survives(builder);
}

// The number of requests that a Startall starts differs from rank to rank: it must not be part of
// the symbols.
TEST_F(PointToPointCallsTest, StartallOfAnyLengthHasTheSameSymbols) {
    const auto symbols_of = [this](u64 requests) {
        RecordBuilder builder;
        builder.enter(Region::startall);
        for (u64 i = 1; i <= requests; ++i) builder.event(EventType::MpiIrecvRequest, {i});
        return encode(builder.leave(Region::startall)).symbols;
    };
    EXPECT_EQ(symbols_of(2), symbols_of(9));
    EXPECT_EQ(symbols_of(2), symbols_of(40));
}

TEST_F(PointToPointCallsTest, OneIdMayBeOutstandingTwice) {
    RecordBuilder builder;
    builder.irecv(7).isend(1, kWorld, 1, 1, 7).irecv(7).isend(2, kWorld, 2, 2, 7);
    builder.enter(Region::waitall).sent(7).received(3, kWorld, 3, 3, 7);
    builder.received(4, kWorld, 4, 4, 7).sent(7).sent(7).leave(Region::waitall);
    EXPECT_EQ(encode(builder).raw.unknown_request, 1U);
    expect_survives(builder);
}

TEST_F(PointToPointCallsTest, CompletionsWithoutARequestStayVerbatim) {
    RecordBuilder builder;
    builder.enter(Region::waitall).received(2, kWorld, 1, 8, 5).sent(6).leave(Region::waitall);
    builder.irecv(5).isend(1, kWorld, 1, 8, 6);
    // Each is of the other's kind.
    builder.enter(Region::waitall).sent(5).received(2, kWorld, 1, 8, 6).leave(Region::waitall);
    builder.received(2, kWorld, 1, 8, 5).sent(6);
    const EncodedCalls encoded = encode(builder);
    EXPECT_EQ(encoded.raw.unknown_request, 4U);
    EXPECT_EQ(values_of_kind(encoded, FieldKind::request_done).size(), 6U);
    expect_survives(builder);
}

TEST_F(PointToPointCallsTest, CompletionsBeyondReachStayVerbatim) {
    constexpr u64 kMany = RequestList::kReach + 100;
    RecordBuilder builder;
    for (u64 i = 1; i <= kMany; ++i) builder.event(EventType::MpiIrecvRequest, {i});
    // Distance 0 is the oldest, kReach - 1 the last within reach.
    builder.received(1, kWorld, 1, 8, RequestList::kReach + 1);
    builder.received(1, kWorld, 1, 8, RequestList::kReach);
    // The place is now there: the oldest is kReach - 1 away, counted backwards; the next is nearer.
    builder.received(1, kWorld, 1, 8, 1).received(1, kWorld, 1, 8, kMany);
    const EncodedCalls encoded = encode(builder);
    EXPECT_EQ(encoded.raw.unknown_request, 2U);
    expect_survives(builder);
}

TEST_F(PointToPointCallsTest, CompletionsWithAttributesStayVerbatim) {
    const Attribute attribute{0, 4, 17};
    RecordBuilder builder;
    builder.irecv(1).isend(2, kWorld, 3, 4, 2);
    builder.enter(Region::waitall);
    builder.event(EventType::MpiIrecv, {1, kWorld, 1, 8, 1}, {attribute});
    builder.event(EventType::MpiIsendComplete, {2}, {attribute, attribute});
    builder.leave(Region::waitall);
    builder.enter(Region::waitall).received(1, kWorld, 1, 8, 1).sent(2).leave(Region::waitall);
    EXPECT_EQ(encode(builder).raw.inexpressible, 2U);
    expect_survives(builder);
}

TEST_F(PointToPointCallsTest, RequestsCompleteInsideTheCallThatPostedThem) {
    RecordBuilder builder;
    for (u64 i = 1; i <= 10; ++i) {
        builder.enter(Region::irecv).event(EventType::MpiIrecvRequest, {i});
        builder.received(i % 8, kWorld, i, i, i).leave(Region::irecv);
    }
    EXPECT_EQ(encode(builder).raw.total(), 0U);
    EXPECT_EQ(encode(builder).symbols.size(), 1U);
    expect_survives(builder);
}

TEST_F(PointToPointCallsTest, RequestIdsMayBeAnyNumber) {
    RecordBuilder builder;
    for (const u64 id : {~u64{0}, u64{0}, u64{1} << 63U, u64{5}, ~u64{0} - 1}) {
        builder.irecv(id).isend(1, kWorld, ~u64{0}, ~u64{0}, id);
        builder.enter(Region::waitall).sent(id).received(1, kWorld, 1, ~u64{0}, id);
        builder.leave(Region::waitall);
    }
    EXPECT_EQ(encode(builder).raw.total(), 0U);
    expect_survives(builder);
}

}  // namespace
}  // namespace tracefold
