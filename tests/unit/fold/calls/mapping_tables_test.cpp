// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/mapping_tables.hpp"

#include "fold/field_codec.hpp"
#include "fold/symbol_table.hpp"
#include "model/structure.hpp"
#include "support/record_builder.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(MappingTablesTest, IdsWithoutAnEntryStay) {
    const MappingTables empty;
    EXPECT_EQ(empty.global(FieldKind::region, 5), 5U);
    EXPECT_EQ(empty.decode(FieldKind::region, empty.encode(FieldKind::region, 5)), 5U);
    const MappingTables sparse = make_tables({{FieldKind::region, {{10, 3}}}});
    EXPECT_EQ(sparse.global(FieldKind::region, 10), 3U);
    EXPECT_EQ(sparse.global(FieldKind::region, 11), 11U);
    EXPECT_EQ(sparse.global(FieldKind::string, 10), 10U);
}

TEST(MappingTablesTest, CodesLeadBackWhateverTheTable) {
    const MappingTables tables = make_tables(
        {{FieldKind::metric, {{0, 0}, {1, 1}, {2, 0}, {3, 1}, {4, 7}, {6, 4}, {9, 2}}}});
    for (const u64 raw : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 100U, 0xFFFFFFFFU}) {
        const ReferenceCode code = tables.encode(FieldKind::metric, raw);
        EXPECT_EQ(tables.decode(FieldKind::metric, code), raw);
        EXPECT_EQ(tables.global_of_code(FieldKind::metric, code),
                  tables.global(FieldKind::metric, raw));
    }
}

TEST(MappingTablesTest, CodesSpeakGlobalIdsWhereThatIsExact) {
    const MappingTables tables =
        make_tables({{FieldKind::comm, {{0, 0}, {1, 1}, {2, 1}, {4, 30}}}});
    EXPECT_EQ(tables.encode(FieldKind::comm, 1), 1U << 1U);
    EXPECT_EQ(tables.encode(FieldKind::comm, 4), 30U << 1U);
    EXPECT_EQ(tables.encode(FieldKind::comm, 2), (2U << 1U) | 1U) << "the smallest id is meant";
    EXPECT_EQ(tables.encode(FieldKind::comm, 30), (30U << 1U) | 1U) << "30 means local id 4";
}

TEST(MappingTablesTest, IdsOfNothingLeadBack) {
    const MappingTables tables =
        make_tables({{FieldKind::region, {{1, ~u64{0}}, {2, u64{1} << 63U}}}});
    for (const u64 raw : {1U, 2U, 3U}) {
        const ReferenceCode code = tables.encode(FieldKind::region, raw);
        EXPECT_EQ(tables.decode(FieldKind::region, code), raw);
        EXPECT_EQ(tables.global_of_code(FieldKind::region, code),
                  tables.global(FieldKind::region, raw));
    }
}

TEST(MappingTablesTest, ALaterTableOverridesAnEarlierOne) {
    const MappingTables tables =
        make_tables({{FieldKind::group, {{0, 5}, {1, 6}}}, {FieldKind::group, {{0, 6}, {5, 0}}}});
    EXPECT_EQ(tables.global(FieldKind::group, 0), 6U);
    for (const u64 raw : {0U, 1U, 2U, 5U, 6U}) {
        EXPECT_EQ(tables.decode(FieldKind::group, tables.encode(FieldKind::group, raw)), raw);
    }
}

TEST(MappingTablesTest, UnknownKindsOfTablesAreIgnored) {
    RecordBatch batch;
    batch.begin(static_cast<u8>(DefinitionType::MappingTable));
    for (const u64 value : {u64{kMappingKinds}, u64{0}, u64{1}, u64{3}, u64{4}}) batch.push(value);
    batch.begin(static_cast<u8>(DefinitionType::ClockOffset));
    for (const u64 value : {u64{1}, u64{0}, u64{0}}) batch.push(value);
    MappingTables tables;
    tables.add(batch);
    EXPECT_EQ(tables.global(FieldKind::location_group, 3), 3U);
}

TEST(MappingTablesTest, LocationsShareTheTablesThatAreEqual) {
    MappingTables one = make_tables({{FieldKind::region, {{1, 2}}}, {FieldKind::comm, {{0, 7}}}});
    const MappingTables other =
        make_tables({{FieldKind::region, {{1, 2}}}, {FieldKind::comm, {{0, 8}}}});
    one.share(other);
    EXPECT_EQ(one.global(FieldKind::region, 1), 2U);
    EXPECT_EQ(one.global(FieldKind::comm, 0), 7U);
}

TEST(PeerTest, AnyPeerComesBack) {
    for (const u32 me : {0U, 1U, 77U, 0x80000000U, 0xFFFFFFEFU, 0xFFFFFFFFU}) {
        for (const u32 peer : {0U, 1U, 78U, 0x7FFFFFFFU, 0xFFFFFFEFU, 0xFFFFFFF0U, 0xFFFFFFFFU}) {
            EXPECT_EQ(decode_peer(encode_peer(peer, me), me), peer);
        }
    }
}

TEST(PeerTest, SpecialRanksAreEqualEverywhere) {
    for (const u32 peer : {0xFFFFFFF0U, 0xFFFFFFFDU, 0xFFFFFFFEU, 0xFFFFFFFFU}) {
        EXPECT_EQ(encode_peer(peer, 0), encode_peer(peer, 4711));
    }
}

TEST(PeerTest, EveryEncodingLeadsBack) {
    for (int i = 0; i < kPeerEncodings; ++i) {
        const auto encoding = static_cast<PeerEncoding>(i);
        for (const u32 size : {1U, 2U, 5U, 16U}) {
            for (u32 me = 0; me < size; ++me) {
                for (u32 peer = 0; peer < size; ++peer) {
                    const u64 relative = u64{peer} - me;
                    const u64 value = encode_relative_peer(relative, encoding, me, size);
                    EXPECT_EQ(relative_peer(value, encoding, me, size), relative);
                }
            }
        }
    }
}

TEST(SymbolTableTest, NumbersElementsAndSymbolsByContent) {
    SymbolTable table(Stream::events);
    const Element enter{static_cast<u8>(EventType::Enter), false, 0, 4, {}};
    const Element send{static_cast<u8>(EventType::MpiSend), false, 0, 0, {}};
    Element with_attribute = send;
    with_attribute.attributes.push_back({2, 4});
    const u32 a = table.element(enter);
    const u32 b = table.element(send);
    const u32 c = table.element(with_attribute);
    EXPECT_EQ(table.element(send), b);
    EXPECT_NE(b, c);
    const u32 node = table.step(table.step(SymbolTable::kRoot, a), b);
    const u32 other = table.step(table.step(SymbolTable::kRoot, a), c);
    EXPECT_EQ(table.symbol_at(node), 0U);
    EXPECT_EQ(table.symbol_at(other), 1U);
    EXPECT_EQ(table.symbol_at(table.step(table.step(SymbolTable::kRoot, a), b)), 0U);
    EXPECT_EQ(table.symbols()[1].elements, (std::vector<Element>{enter, with_attribute}));
    // Columns follow the slots of the symbols before; timing groups their elements.
    EXPECT_EQ(table.entry(0).elements[1].first, 0U);
    EXPECT_EQ(table.entry(1).elements[1].first, 4U);
    EXPECT_EQ(table.entry(1).first_group, 2U);
}

}  // namespace
}  // namespace tracefold
