// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/call_stream.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

class OtherCallsTest : public ::testing::Test {
  protected:
    [[nodiscard]] EncodedCalls encode(const RecordBuilder& builder) const {
        return encode_calls(world_, {}, kRank, builder.batch());
    }
    void expect_survives(const RecordBuilder& builder, const MappingTables& tables = {}) const {
        EXPECT_TRUE(survives(world_, tables, kRank, builder.batch()));
    }

    static constexpr u32 kRank = 2;
    const SmallWorld world_{8};
};

TEST_F(OtherCallsTest, NothingAtAll) {
    expect_survives(RecordBuilder());
    EXPECT_TRUE(encode(RecordBuilder()).symbols.empty());
}

TEST_F(OtherCallsTest, OneSidedCommunication) {
    RecordBuilder builder;
    u64 id = 0;
    for (u64 round = 0; round < 10; ++round) {
        builder.enter(Region::fence).event(EventType::RmaCollectiveBegin, {});
        for (u64 i = 0; i < round % 4; ++i) {
            builder.event(EventType::RmaOpCompleteNonBlocking, {kWorldWindow, id + i});
            builder.event(EventType::RmaOpCompleteRemote, {kEvenWindow, id + i});
        }
        builder.event(EventType::RmaCollectiveEnd, {0, 3, kWorldWindow, kNone, 0, 0});
        builder.leave(Region::fence);
        id += 10;
        builder.call(Region::put, EventType::RmaPut, {kWorldWindow, (round + 1) % 8, 64, id});
        builder.call(Region::put, EventType::RmaGet, {kEvenWindow, round % 4, 64, id + 1});
        builder.call(Region::put, EventType::RmaAtomic, {77, kNone, 1, 8, 8, id + 2});
        builder.call(Region::put, EventType::RmaRequestLock, {kWorldWindow, kNone, 0, 1});
        builder.call(Region::put, EventType::RmaGroupSync, {1, kWorldWindow, round});
    }
    EXPECT_EQ(encode(builder).raw.total(), 0U);
    expect_survives(builder);
}

TEST_F(OtherCallsTest, FilesWithOffsetsAsAttributes) {
    RecordBuilder builder;
    for (u64 i = 0; i < 10; ++i) {
        builder.enter(Region::file_write);
        builder.event(EventType::IoOperationBegin, {0, 1, 0, 4096, i}, {{0, 4, 4096 * i}});
        builder.event(EventType::IoOperationComplete, {0, 4096 - i % 2, i});
        builder.leave(Region::file_write);
        builder.call(Region::file_write, EventType::IoSeek, {0, ~u64{0} - 7, 1, 12});
    }
    const EncodedCalls encoded = encode(builder);
    EXPECT_EQ(encoded.raw.total(), 0U);
    EXPECT_LE(encoded.symbols.size(), 5U);
    expect_survives(builder);
}

TEST_F(OtherCallsTest, MetricsAndProgramArgumentsOfAnyLength) {
    RecordBuilder builder;
    builder.event(EventType::ProgramBegin, {5, 3, 6, 7, 8}, {{0, 4, 4711}});
    builder.event(EventType::ProgramBegin, {5, 0});
    for (u64 i = 0; i < 20; ++i) {
        builder.event(EventType::Metric, {i % 2, 2, 4, 4, i * i, ~i});
        builder.enter(Region::user).event(EventType::Metric, {1, 0}).leave(Region::user);
        builder.event(EventType::Metric, {1, 3, 4, 4, 9, i, 2 * i, 3 * i});
    }
    builder.event(EventType::ProgramEnd, {~u64{0}});
    expect_survives(builder);
}

TEST_F(OtherCallsTest, NestedRegionsAreSymbolsOfTheirOwn) {
    RecordBuilder builder;
    builder.enter(Region::main);
    for (u64 i = 0; i < 5; ++i) {
        builder.enter(Region::user);
        builder.call(Region::send, EventType::MpiSend, {1, kWorld, 0, 8}).leave(Region::user);
        builder.enter(Region::user).leave(Region::user);
    }
    builder.leave(Region::main);
    const EncodedCalls encoded = encode(builder);
    std::vector<std::size_t> sizes;
    for (const Symbol& symbol : encoded.symbols) sizes.push_back(symbol.elements.size());
    EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 1, 3, 1, 2, 1}))
        << "main enters, solve enters, MPI_Send, solve leaves, solve alone, main leaves";
    expect_survives(builder);
}

TEST_F(OtherCallsTest, UnbalancedRegions) {
    RecordBuilder builder;
    builder.leave(Region::main).leave(Region::user);
    builder.enter(Region::send).event(EventType::MpiSend, {1, kWorld, 0, 8}).leave(Region::recv);
    builder.enter(Region::wait).enter(Region::wait).leave(Region::wait);
    builder.leave(Region::send).enter(Region::waitall).sent(3).enter(Region::user);
    expect_survives(builder);
}

TEST_F(OtherCallsTest, LongRegionsAreWrittenRecordByRecord) {
    for (const u64 records : {14U, 15U, 16U, 17U, 40U}) {
        RecordBuilder builder;
        builder.enter(Region::user);
        for (u64 i = 0; i < records; ++i) builder.event(EventType::OmpTaskSwitch, {i});
        builder.irecv(1).leave(Region::user);
        builder.enter(Region::user);
        for (u64 i = 0; i < records; ++i) builder.event(EventType::OmpTaskSwitch, {i});
        expect_survives(builder.leave(Region::user));
        for (const Symbol& symbol : encode(builder).symbols) {
            EXPECT_LE(symbol.elements.size(), 17U) << records;
        }
    }
}

TEST_F(OtherCallsTest, CallingContexts) {
    RecordBuilder builder;
    const u64 wait = static_cast<u64>(Region::wait);
    for (u64 i = 0; i < 10; ++i) {
        builder.event(EventType::CallingContextEnter, {i % 3, i});
        builder.event(EventType::CallingContextSample, {i % 4, 2, 0});
        builder.event(EventType::CallingContextEnter, {wait, 1}).sent(i);
        builder.event(EventType::CallingContextLeave, {wait});
        // Sampled contexts may be left by another one of the same region.
        builder.event(EventType::CallingContextLeave, {i % 5 + 50});
    }
    builder.event(EventType::CallingContextEnter, {70'000, 1}).leave(Region::user);
    builder.enter(Region::user).event(EventType::CallingContextLeave, {70'000});
    expect_survives(builder);
}

TEST_F(OtherCallsTest, AttributesOnAnyRecord) {
    const std::vector<Attribute> attributes{{0, 4, ~u64{0}}, {7, 1, 3}, {0, 4, 1}};
    RecordBuilder builder;
    for (u64 i = 0; i < 3; ++i) {
        builder.event(EventType::Enter, {6}, attributes);
        builder.event(EventType::MpiIrecvRequest, {i}, attributes);
        builder.event(EventType::MpiRequestTest, {i}, attributes);
        builder.event(EventType::MpiSend, {1, kWorld, 2, 3}, attributes);
        builder.event(EventType::MpiRequestCancelled, {i}, attributes);
        builder.event(EventType::Leave, {6}, attributes);
        builder.enter(Region::wait).leave(Region::wait);
    }
    expect_survives(builder);
}

TEST_F(OtherCallsTest, PeersThatNoCommunicatorHas) {
    RecordBuilder builder;
    for (const u64 comm : {kWorld, kSelf, kEven, kOdd, kReversed, kInter, kLocations, kNoGroup,
                           kUnknown, u64{70'000}, u64{kNone}}) {
        for (const u64 peer : {0x0U, 0x7U, 0x8U, 0x12345U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFEFU,
                               0xFFFFFFF0U, 0xFFFFFFFCU, 0xFFFFFFFDU, 0xFFFFFFFEU, 0xFFFFFFFFU}) {
            builder.call(Region::send, EventType::MpiSend, {peer, comm, peer, peer});
            builder.irecv(peer).enter(Region::wait).received(peer, comm, 1, 2, peer);
            builder.leave(Region::wait);
            builder.event(EventType::RmaPut, {comm, peer, 1, 2});
        }
    }
    for (const u32 rank : {0U, 5U, 7U, 8U}) {
        EXPECT_TRUE(survives(world_, {}, rank, builder.batch())) << "rank " << rank;
    }
}

TEST_F(OtherCallsTest, TablesThatAreNotInjective) {
    const MappingTables tables = make_tables({
        {FieldKind::region, {{0, 4}, {1, 4}, {2, 0}, {3, 70'000}, {9, 1}}},
        {FieldKind::comm, {{0, 1}, {1, 2}, {2, 3}, {3, 3}, {4, 0}}},
        {FieldKind::string, {{5, 5}, {6, 5}, {7, 9}}},
        {FieldKind::attribute, {{0, 3}, {3, 0}, {7, 3}}},
        {FieldKind::rma_win, {{0, 1}, {1, 1}}},
    });
    RecordBuilder builder;
    for (u64 i = 0; i < 12; ++i) {
        builder.event(EventType::Enter, {i}, {{static_cast<u32>(i), 4, i}});
        builder.event(EventType::MpiSend, {i % 8, i % 5, 1, 8});
        builder.event(EventType::RmaPut, {i % 3, i % 8, 1, i});
        builder.event(EventType::ParameterString, {0, i});
        builder.event(EventType::Leave, {i});
    }
    expect_survives(builder, tables);
}

TEST_F(OtherCallsTest, EqualAndFallingTimes) {
    RecordBuilder builder(5, 0);
    builder.isend(1, kWorld, 0, 8, 1).enter(Region::wait).sent(1).leave(Region::wait);
    builder.step(~u64{0} - 3).isend(1, kWorld, 0, 8, 2).enter(Region::wait).sent(2);
    expect_survives(builder);
}

TEST_F(OtherCallsTest, WithoutTimingThereAreNoDeltas) {
    RecordBuilder builder;
    builder.isend(1, kWorld, 0, 8, 1).enter(Region::wait).sent(1).leave(Region::wait);
    const MappingTables tables;
    CallEncoder encoder(world_.definitions(), tables, world_.location(kRank), false);
    CallBatch calls;
    encoder.encode(builder.batch(), calls);
    encoder.finish(calls);
    EXPECT_TRUE(calls.deltas.empty());
    EXPECT_EQ(calls.symbols, encode(builder).calls.symbols);
}

}  // namespace
}  // namespace tracefold
