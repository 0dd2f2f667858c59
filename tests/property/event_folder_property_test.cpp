// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Counting iterations whose records repeat must leave the same as encoding and folding them all.
#include "archives/detail/event_folder.hpp"
#include "support/call_stream.hpp"
#include "support/random_source.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u32 kRanks = 4;
constexpr u32 kRank = 1;
constexpr u32 kErrorPpm = 10'000;

/// Writes a program whose loops are long enough to be noticed: nested, of calls of all kinds, with
/// requests from a counter, and now and then something that breaks the rhythm.
class LoopWriter {
  public:
    explicit LoopWriter(RandomSource& random) : random_(random) {}

    RecordBatch write() {
        builder_.enter(Region::main);
        for (u64 phase = random_.between(1, 3); phase > 0; --phase) {
            const std::vector<u64> body = statements(random_.between(1, 8));
            const std::vector<u64> inner = statements(random_.between(1, 4));
            const u64 inner_trips = random_.one_in(2) ? 0 : random_.between(1, 200);
            const u64 trips = 1 + 5000 / (3 * (body.size() + inner.size() * inner_trips));
            for (u64 trip = 0; trip < trips; ++trip) {
                run(body);
                for (u64 i = 0; i < inner_trips; ++i) run(inner);
                builder_.step(1 + random_.below(50));
                if (random_.one_in(40)) statement(random_.below(kStatements));
                if (random_.one_in(60)) requests_ += 3;
            }
        }
        if (random_.one_in(2)) builder_.leave(Region::main);
        return builder_.batch();
    }

  private:
    static constexpr u64 kStatements = 11;
    static constexpr u64 kPersistent = 3;

    std::vector<u64> statements(u64 count) {
        std::vector<u64> list;
        for (u64 i = 0; i < count; ++i) list.push_back(random_.below(kStatements));
        return list;
    }
    void run(const std::vector<u64>& list) {
        for (const u64 statement_number : list) statement(statement_number);
    }

    void statement(u64 number) {
        switch (number) {
            case 0:
                builder_.call(Region::send, EventType::MpiSend, {2, kWorld, 5, 800});
                return;
            case 1:
                builder_.call(Region::recv, EventType::MpiRecv,
                              {0, kWorld, 5, 80 * (++count_ % 3)});
                return;
            case 2:
                return exchange();
            case 3:
                builder_.enter(Region::user);
                return statement(0);
            case 4:
                builder_.leave(Region::user);
                return;
            case 5:
                return nonblocking_collective();
            case 6:
                builder_.event(EventType::Metric, {1, 1, 1, count_}, {{0, 4, 7}});
                return;
            case 7:
                return remote_write();
            case 8:
                return polled_receive();
            case 9:
                return persistent_receive();
            default:
                builder_.event(EventType::ParameterUnsignedInt, {0, 3}, {{0, 4, 7}});
        }
    }

    void exchange() {
        const u64 receive = requests_++;
        const u64 send = requests_++;
        builder_.irecv(receive).isend(2, kWorld, 9, 64, send).enter(Region::waitall);
        builder_.received(0, kWorld, 9, 64, receive).sent(send).leave(Region::waitall);
    }
    /// Mostly the test fails often, so that most of these programs poll.
    void polled_receive() {
        const u64 request = requests_++;
        builder_.irecv(request);
        for (u64 polls = random_.below(20); polls > 0; --polls) {
            builder_.enter(Region::testsome).leave(Region::testsome);
        }
        builder_.enter(Region::testsome).received(0, kWorld, 9, 64, request);
        builder_.leave(Region::testsome);
    }
    /// Now and then the request that ended last begins again.
    void persistent_receive() {
        builder_.irecv(kPersistent).enter(Region::wait);
        builder_.received(0, kWorld, 9, 64, kPersistent).leave(Region::wait);
    }
    void nonblocking_collective() {
        const u64 request = requests_++;
        builder_.call(Region::ibcast, EventType::NonBlockingCollectiveRequest, {request});
        builder_.enter(Region::wait);
        builder_.event(EventType::NonBlockingCollectiveComplete, {1, kWorld, 0, 0, 8, request});
        builder_.leave(Region::wait);
    }
    void remote_write() {
        const u64 matching = matchings_++;
        builder_.call(Region::put, EventType::RmaPut, {kWorldWindow, 2, 64, matching});
        builder_.enter(Region::fence);
        builder_.event(EventType::RmaOpCompleteBlocking, {kWorldWindow, matching});
        builder_.leave(Region::fence);
    }

    RandomSource& random_;
    RecordBuilder builder_;
    u64 requests_ = 7;
    u64 matchings_ = 1;
    u64 count_ = 0;
};

struct Outcome {
    Structure structure;
    std::string ticks;
    u64 unknown_requests = 0;
};

void expect_same(const Outcome& actual, const Outcome& expected) {
    EXPECT_EQ(actual.structure, expected.structure);
    EXPECT_EQ(actual.ticks, expected.ticks);
    EXPECT_EQ(actual.unknown_requests, expected.unknown_requests);
}

Outcome all_encoded(const SmallWorld& world, const RecordBatch& records, TimingLevel timing) {
    const MappingTables tables;
    PollDetector scout(world.definitions(), tables);
    const PollDetector::Heads heads = records.heads();
    const std::size_t before = scout.records_before_test(records, heads);
    scout.watch(records, heads.subspan(before));
    const std::size_t restarts_from = scout.judge() ? before : records.size();
    const EncodedCalls encoded =
        encode_calls(world, tables, kRank, records, records.size(), &scout, restarts_from);
    StructureStore store;
    fold_calls(encoded, kRank, store);
    TimeFolder times(timing, kErrorPpm);
    times.add(encoded.calls.deltas, encoded.symbols);
    times.finish();
    return {store.finish(Stream::events, kRanks), times.ticks(), encoded.raw.unknown_request};
}

Outcome counted(const SmallWorld& world, const RecordBatch& records, TimeFolder& times,
                std::size_t piece, EventFolder::Kept& kept) {
    const MappingTables tables;
    EventFolder folder(world.definitions(), tables, world.location(kRank), times, kept);
    RecordBatch part;
    for (const RecordBatch::Head& head : records.heads()) {
        part.append(records, head);
        if (part.size() < piece) continue;
        folder.add(part);
        part.clear();
    }
    if (!part.empty()) folder.add(part);
    folder.finish();
    StructureStore store;
    const CallEncoder& encoder = folder.encoder();
    folder.folder().finish(store, Stream::events, kRank, encoder.symbols(), encoder.peer_views());
    LocationFacts facts;
    facts.has_restarts = encoder.has_restarts() ? 1 : 0;
    store.set_facts(kRank, facts);
    return {store.finish(Stream::events, kRanks), times.ticks(),
            encoder.raw_records().unknown_request};
}

class EventFolderPropertyTest : public ::testing::TestWithParam<TimingLevel> {};

TEST_P(EventFolderPropertyTest, GivesWhatEncodingEverythingGives) {
    const SmallWorld world(kRanks);
    EventFolder::Kept kept;  // those of one program mislead the next
    TimeFolder times(GetParam(), kErrorPpm);
    for (u64 seed = 0; seed < 60; ++seed) {
        RandomSource random(seed);
        const RecordBatch records = LoopWriter(random).write();
        const Outcome expected = all_encoded(world, records, GetParam());
        for (const std::size_t piece : {std::size_t{1}, std::size_t{97}, std::size_t{4096}}) {
            expect_same(counted(world, records, times, piece, kept), expected);
            ASSERT_FALSE(HasFailure()) << "seed " << seed << ", pieces of " << piece;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, EventFolderPropertyTest,
                         ::testing::Values(TimingLevel::none, TimingLevel::quantized,
                                           TimingLevel::exact));

}  // namespace
}  // namespace tracefold
