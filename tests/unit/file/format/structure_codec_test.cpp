// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/structure_codec.hpp"

#include "base/hash.hpp"
#include "fold/column_families.hpp"
#include "support/call_stream.hpp"
#include "support/expect_error.hpp"

#include <random>

#include <sys/resource.h>

namespace tracefold {

namespace {

constexpr u32 kWorldSize = 4;

/// Iterations of a random body, with peers, sizes and requests that differ between ranks.
RecordBatch random_records(u32 rank, std::mt19937_64& random) {
    RecordBuilder records;
    records.enter(Region::main);
    u64 request = 0;
    const u64 body = random();
    for (u64 i = 0, count = 3 + rank % 2 + random() % 3; i < count; ++i) {
        for (unsigned shift = 0; shift < 12; shift += 3) {
            const u64 peer = (rank + 1) % kWorldSize;
            switch ((body >> shift) & 7U) {
                case 0:
                    records.call(Region::user, EventType::OmpTaskCreate, {random() % 9});
                    break;
                case 1:
                    records.call(Region::send, EventType::MpiSend, {peer, kWorld, 3, 8 * i});
                    break;
                case 2:
                    records.isend(rank ^ 1U, kWorld, 3, random() % 3, ++request);
                    records.enter(Region::wait).sent(request).leave(Region::wait);
                    break;
                case 3:
                    records.irecv(++request);
                    records.enter(Region::wait);
                    records.received(peer, kWorld, 4, 64, request).leave(Region::wait);
                    break;
                case 4:
                    records.call(Region::allreduce, EventType::MpiCollectiveEnd,
                                 {11, kWorld, kNone, 32, 32});
                    break;
                case 5:
                    records.event(EventType::Metric, {1, 2, 3, 4, i, random()});
                    break;
                case 6:
                    records.event(EventType::ParameterInt, {0, ~u64{0}}, {{2, 5, random()}});
                    break;
                default:
                    records.irecv(++request);
                    break;
            }
        }
    }
    records.leave(Region::main);
    return records.batch();
}

void fold_random(std::mt19937_64& random, StructureStore& store) {
    const SmallWorld world(kWorldSize);
    const u64 seed = random();
    for (u32 rank = 0; rank < kWorldSize; ++rank) {
        std::mt19937_64 local(seed + (random() % 2) * rank);
        fold_calls(encode_calls(world, {}, rank, random_records(rank, local)), rank, store);
    }
}

std::string example() {
    const int bytes[] = {0x02, 0x01, 0x08, 0x02, 0x14, 0x04, 0x01, 0x00, 0x01, 0x00, 0x00, 0x01,
                         0x00, 0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x06, 0x00,
                         0x00, 0x28, 0x02, 0x01, 0x02, 0x02, 0x02, 0x01, 0x00, 0x00, 0x00, 0x14,
                         0x01, 0x00, 0x00, 0x02, 0x05, 0x00, 0x00, 0x0E, 0x00, 0x00, 0x10};
    std::string out;
    for (const int byte : bytes) out.push_back(static_cast<char>(byte));
    return out;
}

/// Memory that a damaged section must not claim; sanitizers reserve too much to be limited.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlimit limit{u64{1} << 30U, RLIM_INFINITY};
    ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
#endif
}

TEST(StructureCodec, ExampleOfTheDocument) {
    const Structure structure = decode_structure(example(), "test");
    EXPECT_EQ(structure.location_count, 2U);
    ASSERT_EQ(structure.symbols.size(), 1U);
    ASSERT_EQ(structure.symbols[0].elements.size(), 2U);
    EXPECT_EQ(structure.symbols[0].elements[0].context, 10U);
    ASSERT_EQ(structure.slots[0].size(), 4U);
    EXPECT_EQ(structure.slots[0][0].peers, PeerEncoding::modulo);
    EXPECT_EQ(structure.columns[structure.slots[0][2].columns[0]].start, 7U);
    EXPECT_EQ(structure.columns[structure.script_counts[0][0].columns[0]].start, 10U);
    EXPECT_EQ(encode_structure(structure), example());
}

TEST(StructureCodec, RandomStructuresComeBack) {
    std::mt19937_64 random(11);
    for (int round = 0; round < 200; ++round) {
        StructureStore store;
        fold_random(random, store);
        const Structure structure = store.finish(Stream::events, kWorldSize);
        const std::string bytes = encode_structure(structure);
        Structure back = decode_structure(bytes, "test");
        unfold_families(back);
        EXPECT_TRUE(back == structure) << "round " << round;
        EXPECT_EQ(encode_structure(back), bytes);
    }
}

/// Ranks that receive some number of bytes in every round, every other one more in the last
/// rounds.
Structure received_bytes(u32 ranks, u64 base, u64 factor) {
    const SmallWorld world(ranks);
    StructureStore store;
    for (u32 rank = 0; rank < ranks; ++rank) {
        const u64 bytes = base + factor * (mix(rank) % 4000);
        RecordBuilder records;
        for (u64 round = 0; round < 6; ++round) {
            const u64 more = rank % 2 == 0 && round > 3 ? factor : 0;
            records.call(Region::allreduce, EventType::MpiCollectiveEnd,
                         {9, kWorld, kNone, 65536, bytes + more});
        }
        fold_calls(encode_calls(world, {}, rank, records.batch()), rank, store);
    }
    return store.finish(Stream::events, ranks);
}

TEST(StructureCodec, ConstantsOfClassesHaveABaseAndAFactor) {
    constexpr u32 kMany = 40;
    const Structure structure = received_bytes(kMany, 60000, 4);
    const std::string bytes = encode_structure(structure);
    Structure back = decode_structure(bytes, "test");
    unfold_families(back);
    EXPECT_TRUE(back == structure);
    EXPECT_EQ(encode_structure(back), bytes);
    // Numbers near 0 take as many bytes, and a mention and a form before each.
    const u64 one_by_one = encode_structure(received_bytes(kMany, 0, 1)).size();
    EXPECT_LT(bytes.size() + kMany, one_by_one);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW(decode_structure(std::string_view(bytes).substr(0, size), "test"), Error);
    }
}

TEST(StructureCodec, PartialStructuresComeBack) {
    std::mt19937_64 random(12);
    for (int round = 0; round < 50; ++round) {
        StructureStore store;
        fold_random(random, store);
        StructureStore other;
        other.merge(decode_partial(encode_partial(store.partial())));
        EXPECT_TRUE(other.finish(Stream::events, kWorldSize) ==
                    store.finish(Stream::events, kWorldSize));
    }
}

TEST(StructureCodec, EveryTruncationIsNoticed) {
    std::mt19937_64 random(13);
    StructureStore store;
    fold_random(random, store);
    const std::string bytes = encode_structure(store.finish(Stream::events, kWorldSize));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW(decode_structure(std::string_view(bytes).substr(0, size), "test"), Error);
    }
    EXPECT_THROW(decode_structure(bytes + "x", "test"), Error);
}

/// Whatever a number is replaced by: an Error, or another structure of sane size.
TEST(StructureCodec, HugeNumbersClaimNoMemory) {
    limit_memory();
    std::mt19937_64 random(14);
    StructureStore store;
    fold_random(random, store);
    const std::string bytes = encode_structure(store.finish(Stream::events, kWorldSize));
    const std::string numbers[] = {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01",
                                   "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01",
                                   "\xFF\xFF\xFF\xFF\x0F", "\xFF\xFF\xFF\xFF\xFF\x7F"};
    std::size_t refused = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        for (const std::string& number : numbers) {
            std::string changed = bytes;
            changed.replace(i, 1, number);
            try {
                decode_structure(changed, "test");
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::corrupt);
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, 2 * bytes.size());
}

}  // namespace

}  // namespace tracefold
