// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/matched_receives.hpp"

#include "base/hash.hpp"
#include "file/structure_codec.hpp"
#include "fold/column_cursor.hpp"
#include "fold/column_families.hpp"
#include "support/call_stream.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {

namespace {

constexpr u32 kRanks = 4;
constexpr u64 kRounds = 20;
constexpr u64 kMessages = 2;  ///< of a round, from each rank to each other one

/// A program whose ranks send each other messages of any size, and receive them in any order of
/// ranks: those of a rank in the order of tags, or against it.
struct Exchange {
    bool against = false;
    bool other_size = false;  ///< one receive has a size that nobody sent

    static u64 size(u64 from, u64 to, u64 round, u64 tag) {
        return mix(from + 10 * to + 100 * round + 10000 * tag) % 5000;
    }

    void send(RecordBuilder& records, u32 rank, u64 round) const {
        for (u64 to = 0; to < kRanks; ++to) {
            for (u64 tag = 0; tag < kMessages && to != rank; ++tag) {
                records.call(Region::send, EventType::MpiSend,
                             {to, kWorld, tag, size(rank, to, round, tag)});
            }
        }
    }

    void receive(RecordBuilder& records, u32 rank, u64 round, std::mt19937_64& random) const {
        std::vector<u64> ranks;
        for (u64 from = 0; from < kRanks; ++from) {
            if (from != rank) ranks.push_back(from);
        }
        std::shuffle(ranks.begin(), ranks.end(), random);
        u64 request = 100 * round;
        const bool waits = round % 2 != 0;
        for (std::size_t i = 0; waits && i < kMessages * ranks.size(); ++i) {
            records.irecv(request + i);
        }
        if (waits) records.enter(Region::waitall);
        for (const u64 from : ranks) {
            for (u64 k = 0; k < kMessages; ++k) {
                const u64 tag = against ? kMessages - 1 - k : k;
                const bool is_other = other_size && !waits && rank == 2 && round == 8;
                const u64 bytes = size(from, rank, round, tag) + (is_other ? 1 : 0);
                if (waits) {
                    records.received(from, kWorld, tag, bytes, request++);
                } else {
                    records.call(Region::recv, EventType::MpiRecv, {from, kWorld, tag, bytes});
                }
            }
        }
        if (waits) records.leave(Region::waitall);
    }

    [[nodiscard]] Structure structure() const {
        StructureStore store;
        const SmallWorld world(kRanks);
        for (u32 rank = 0; rank < kRanks; ++rank) {
            std::mt19937_64 random(rank);
            RecordBuilder records;
            for (u64 round = 0; round < kRounds; ++round) {
                send(records, rank, round);
                receive(records, rank, round, random);
            }
            fold_calls(encode_calls(world, {}, rank, records.batch()), rank, store);
        }
        return store.finish(Stream::events, kRanks);
    }
};

/// How blocking and other receives have their sizes.
std::vector<Matching> matchings(const Structure& structure) {
    std::vector<Matching> found(2);
    for (const MessagePart& part : message_parts(structure)) {
        if (part.end != MessageSide::receive) continue;
        const u8 type = structure.symbols[part.symbol].elements[1].type;
        found[type == static_cast<u8>(EventType::MpiRecv) ? 0 : 1] =
            part.assignment(structure, MessagePart::size).matching;
    }
    return found;
}

Structure through_a_file(const Structure& structure) {
    const std::string bytes = encode_structure(structure);
    Structure back = decode_structure(bytes, "test");
    unfold_families(back);
    EXPECT_EQ(encode_structure(back), bytes);
    return back;
}

TEST(MatchedReceives, HaveTheSizesAndTagsOfSendsInOrder) {
    const Structure structure = Exchange{}.structure();
    EXPECT_EQ(matchings(structure), (std::vector{Matching::in_order, Matching::in_order}));
    EXPECT_TRUE(through_a_file(structure) == structure);
}

TEST(MatchedReceives, HaveTheSizesOfSendsWithTheirTag) {
    const Structure structure = Exchange{true, false}.structure();
    EXPECT_EQ(matchings(structure), (std::vector{Matching::by_tag, Matching::by_tag}));
    EXPECT_TRUE(through_a_file(structure) == structure);
}

TEST(MatchedReceives, TellSizesThatNobodySent) {
    const Structure structure = Exchange{false, true}.structure();
    EXPECT_EQ(matchings(structure), (std::vector{Matching::none, Matching::in_order}));
    EXPECT_TRUE(through_a_file(structure) == structure);
}

TEST(MatchedReceives, TakeNoBytes) {
    const Structure matched = Exchange{}.structure();
    const Structure told = Exchange{false, true}.structure();
    const u64 blocking = kRounds / 2 * kMessages * kRanks * (kRanks - 1);
    EXPECT_LT(encode_structure(matched).size() + blocking, encode_structure(told).size());
}

TEST(MatchedReceives, FoldAgainToWhatTheFileHas) {
    const Structure structure = Exchange{}.structure();
    const Structure folded = refold_families(structure);
    EXPECT_LT(folded.columns.size(), structure.columns.size());
    Structure again = folded;
    unfold_families(again);
    EXPECT_TRUE(again == structure);
}

TEST(MatchedReceives, AreNoMoreThanTheLocationsCanHave) {
    const Structure folded = refold_families(Exchange{}.structure());
    const u64 messages = kRounds * kMessages * kRanks * (kRanks - 1);
    Structure enough = folded;
    unfold_matched_receives(enough, 2 * messages);
    Structure too_many = folded;
    EXPECT_THROW(unfold_matched_receives(too_many, 2 * messages - 1), Error);
    Structure too_long = folded;
    EXPECT_THROW(unfold_matched_receives(too_long, messages / 16), Error);
}

TEST(MatchedReceives, OfNoSendAreZero) {
    Structure folded = refold_families(Exchange{}.structure());
    // Sends to the own rank only.
    for (const MessagePart& part : message_parts(folded)) {
        if (part.end != MessageSide::send) continue;
        Assignment nothing;
        nothing.columns = {static_cast<u32>(folded.columns.size())};
        part.assignment(folded, MessagePart::peer) = nothing;
    }
    folded.columns.emplace_back();
    unfold_families(folded);
    const FoldedSource source{folded.patterns, folded.columns};
    for (const MessagePart& part : message_parts(folded)) {
        if (part.end != MessageSide::receive) continue;
        const Assignment& size = part.assignment(folded, MessagePart::size);
        ASSERT_EQ(size.columns.size(), 1U);
        EXPECT_EQ(unwind(source, size.columns[0], 3), (std::vector<u64>{0, 0, 0}));
    }
}

/// Whatever a byte is replaced by: an Error, or a structure that unfolds.
TEST(MatchedReceives, DamageIsNoticedOrHarmless) {
    const std::string bytes = encode_structure(Exchange{}.structure());
    std::size_t refused = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 600); ++i) {
        for (const int change : {1, 2, 4, 8}) {
            std::string changed = bytes;
            changed[i] = static_cast<char>(changed[i] ^ change);
            try {
                Structure structure = decode_structure(changed, "test");
                unfold_families(structure, 1U << 16U);
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::corrupt);
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, 0U);
}

}  // namespace

}  // namespace tracefold
