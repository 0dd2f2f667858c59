// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/call_names.hpp"
#include "model/definition_names.hpp"
#include "model/definition_table.hpp"

#include <bit>
#include <initializer_list>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

void put(RecordBatch& batch, DefinitionType type, std::initializer_list<u64> values) {
    batch.begin(static_cast<u8>(type));
    for (const u64 value : values) batch.push(value);
}

RecordBatch mapping(u64 type, std::initializer_list<u64> locals,
                    std::initializer_list<u64> globals) {
    RecordBatch batch;
    put(batch, DefinitionType::MappingTable, {type, 0, locals.size()});
    for (const u64 id : locals) batch.push(id);
    for (const u64 id : globals) batch.push(id);
    return batch;
}

TEST(EnumeratorNamesTest, ValuesAndFlags) {
    EXPECT_EQ(enumerator_name(Enumeration::collective_op, 11), "allreduce");
    EXPECT_EQ(enumerator_name(Enumeration::collective_op, 99), "99");
    EXPECT_EQ(enumerator_name(Enumeration::measurement_mode, 0), "0");
    EXPECT_EQ(enumerator_name(Enumeration::creation_flags, 0), "none");
    EXPECT_EQ(enumerator_name(Enumeration::creation_flags, 3), "create+truncate");
    EXPECT_EQ(enumerator_name(Enumeration::sync_level, 5), "process+4");
    EXPECT_EQ(enumerator_name(Enumeration::unknown, 5), "5");
}

TEST(EnumeratorNamesTest, ModeMeansTwoThings) {
    EXPECT_EQ(enumerator_name(enumeration_of("IoCreateHandle", "mode"), 2), "read_write");
    EXPECT_EQ(enumerator_name(enumeration_of("IoOperationBegin", "mode"), 2), "flush");
    EXPECT_EQ(enumeration_of("Enter", "region"), Enumeration::unknown);
}

TEST(EnumeratorNamesTest, TypedValues) {
    EXPECT_EQ(typed_value_text(7, static_cast<u64>(i64{-3})), "-3");
    EXPECT_EQ(typed_value_text(4, ~u64{0}), "18446744073709551615");
    EXPECT_EQ(typed_value_text(10, std::bit_cast<u64>(0.25)), "0.25");
    EXPECT_EQ(typed_value_text(9, std::bit_cast<u32>(0.5F)), "0.5");
}

TEST(DefinitionNamesTest, OwnNamesAndThoseOfOthers) {
    DefinitionIndex strings;
    RecordBatch batch;
    const auto text = [&batch](u64 id, std::string_view content) {
        batch.begin(static_cast<u8>(DefinitionType::String));
        batch.push(id);
        batch.push_text(content);
    };
    text(0, "");
    text(1, "world");
    text(2, "data.bin");
    text(3, "cycles");
    text(4, "misses");
    put(batch, DefinitionType::Comm, {7, 1, 0, 0, 0});
    put(batch, DefinitionType::Comm, {8, 0, 0, 0, 0});
    put(batch, DefinitionType::IoRegularFile, {3, 2, 0});
    put(batch, DefinitionType::IoHandle, {5, 0, 3, 0, 0, 7, 0});
    put(batch, DefinitionType::MetricMember, {0, 3, 0, 0, 0, 0, 0, 0, 0});
    put(batch, DefinitionType::MetricMember, {1, 4, 0, 0, 0, 0, 0, 0, 0});
    put(batch, DefinitionType::MetricClass, {2, 2, 0, 1, 0, 0});
    put(batch, DefinitionType::MetricInstance, {9, 2, 0, 0, 0});
    strings.add(batch);
    strings.finish();
    DefinitionNames names(strings);
    names.add(batch);
    EXPECT_EQ(names.name(FieldKind::comm, 7), "world");
    EXPECT_EQ(names.name(FieldKind::comm, 8), "");
    EXPECT_EQ(names.label(FieldKind::comm, 8), "#8");
    EXPECT_EQ(names.label(FieldKind::rma_win, 0), "#0");
    EXPECT_EQ(names.name(FieldKind::io_handle, 5), "data.bin");
    EXPECT_EQ(names.name(FieldKind::metric, 2), "cycles,misses");
    EXPECT_EQ(names.name(FieldKind::metric, 9), "cycles,misses");
    EXPECT_EQ(names.name(FieldKind::string, 1), "world");
}

TEST(DefinitionNamesTest, ADefinitionThatNamesItselfEnds) {
    DefinitionIndex strings;
    DefinitionNames names(strings);
    RecordBatch batch;
    put(batch, DefinitionType::MetricInstance, {9, 9, 0, 0, 0});
    names.add(batch);
    EXPECT_EQ(names.label(FieldKind::metric, 9), "#9");
}

TEST(LocalIdsTest, IdsByLocation) {
    const u64 comm = static_cast<u64>(mapping_type(FieldKind::comm));
    LocalIds ids;
    ids.add(0, mapping(comm, {0, 1}, {10, 20}));
    ids.add(1, mapping(comm, {0, 1}, {10, 21}));
    ids.add(2, mapping(comm, {0}, {10}));
    ids.add(5, mapping(comm, {1}, {20}));
    for (u32 location = 0; location < 3; ++location) {
        EXPECT_EQ(ids.global(FieldKind::comm, 0, location), 10U);
    }
    EXPECT_EQ(ids.global(FieldKind::comm, 1, 0), 20U);
    EXPECT_EQ(ids.global(FieldKind::comm, 1, 1), 21U);
    EXPECT_EQ(ids.global(FieldKind::comm, 1, 2), 1U);
    EXPECT_EQ(ids.global(FieldKind::comm, 1, 5), 20U);
    EXPECT_EQ(ids.global(FieldKind::rma_win, 1, 0), 1U);
    EXPECT_EQ(ids.global(FieldKind::value, 1, 0), 1U);
}

}  // namespace
}  // namespace tracefold
