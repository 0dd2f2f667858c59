// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/call_names.hpp"
#include "model/definition_names.hpp"
#include "model/definition_table.hpp"
#include "support/sample_file.hpp"

#include <bit>
#include <initializer_list>
#include <set>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

void put(RecordBatch& batch, DefinitionType type, std::initializer_list<u64> values) {
    batch.begin(static_cast<u8>(type));
    for (const u64 value : values) batch.push(value);
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

/// Compares with the location's own tables; returns how many ids differ between the locations.
u64 check_meanings(TraceFile& file) {
    LocalIds ids(file);
    u64 differ = 0;
    for (std::size_t number = 0; number < kMappingKinds; ++number) {
        const auto kind = static_cast<FieldKind>(static_cast<u64>(FieldKind::string) + number);
        for (u64 raw = 0; raw < 8; ++raw) {
            std::set<u64> found;
            for (u32 location = 0; location < file.location_count(); ++location) {
                found.insert(ids.global(kind, raw, location));
                EXPECT_EQ(ids.global(kind, raw, location),
                          file.mapping_tables(location).global(kind, raw));
            }
            differ += found.size() > 1 ? 1 : 0;
        }
    }
    EXPECT_EQ(ids.global(FieldKind::value, 1, 0), 1U);
    return differ;
}

TEST(LocalIdsTest, EachLocationGivesIdsItsOwnMeaning) {
    u64 differ = 0;
    for (const char* const name : {"micro-pcoll-4", "micro-rma-4", "npb-lu.S-4"}) {
        SCOPED_TRACE(name);
        SampleFile sample(name);
        differ += check_meanings(*sample);
    }
    EXPECT_GT(differ, 0U);
    // Many ranks: tables that differ in single entries.
    TraceFile many(std::string(TRACEFOLD_SAMPLES) + "/scaling/made-grid1d-s20-32.tfold");
    EXPECT_GT(check_meanings(many), 0U);
}

}  // namespace
}  // namespace tracefold
