// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/definition_table.hpp"
#include "model/event_table.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

void expect_sound(const RecordInfo& info) {
    EXPECT_FALSE(info.name.empty());
    ASSERT_LE(info.field_count, RecordInfo::kMaxFields) << info.name;
    std::set<std::string_view> names;
    bool counted = false;
    for (u8 i = 0; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        EXPECT_TRUE(names.insert(field.name).second) << info.name << " " << field.name;
        EXPECT_TRUE(counted || !field.array) << info.name << " " << field.name;
        if (field.kind == FieldKind::count) {
            EXPECT_FALSE(field.array) << info.name;
            counted = true;
        }
        EXPECT_TRUE(field.kind != FieldKind::text || i + 1 == info.field_count) << info.name;
    }
    EXPECT_EQ(info.has_arrays(), counted) << info.name;
}

TEST(RecordTablesTest, HoldEveryRecordOfOtf2Once) {
    EXPECT_EQ(kEventTypes, 83);
    EXPECT_EQ(kDefinitionTypes, 38 + 2);
    std::set<std::string_view> names;
    for (u8 type = 0; type < kEventTypes; ++type) names.insert(event_info(type).name);
    EXPECT_EQ(names.size(), 83U);
    names.clear();
    for (u8 type = 0; type < kDefinitionTypes; ++type) names.insert(definition_info(type).name);
    EXPECT_EQ(names.size(), 40U);
}

TEST(RecordTablesTest, DescribeSoundRecords) {
    for (u8 type = 0; type < kEventTypes; ++type) expect_sound(event_info(type));
    for (u8 type = 0; type < kDefinitionTypes; ++type) expect_sound(definition_info(type));
}

TEST(RecordTablesTest, FindRecordsByName) {
    EXPECT_EQ(event_info(EventType::MpiIrecv).name, "MpiIrecv");
    EXPECT_EQ(event_info(EventType::CommDestroy).name, "CommDestroy");
    EXPECT_EQ(definition_info(DefinitionType::String).name, "String");
    EXPECT_EQ(definition_info(DefinitionType::ClockOffset).name, "ClockOffset");
}

// The call model takes what a record with a request says about it from the record's end.
TEST(RecordTablesTest, RequestsAndMatchingIdsStandLast) {
    for (u8 type = 0; type < kEventTypes; ++type) {
        const RecordInfo& info = event_info(type);
        if (info.name == "MpiImrecv") continue;  // it is the other way round
        for (u8 i = 0; i + 1 < info.field_count; ++i) {
            const FieldKind kind = info.fields[i].kind;
            EXPECT_FALSE(kind == FieldKind::request_new || kind == FieldKind::request_done ||
                         kind == FieldKind::request_used || kind == FieldKind::matching_id)
                << info.name;
        }
    }
}

TEST(RecordTablesTest, PeersAndRootsHaveACommunicatorOrAWindow) {
    for (u8 type = 0; type < kEventTypes; ++type) {
        std::set<FieldKind> kinds;
        for (const Field& field : event_info(type).fields) kinds.insert(field.kind);
        if (kinds.count(FieldKind::peer) + kinds.count(FieldKind::root) == 0) continue;
        EXPECT_EQ(kinds.count(FieldKind::comm) + kinds.count(FieldKind::rma_win), 1U)
            << event_info(type).name;
    }
}

TEST(FieldKindTest, MappedKindsFollowOtf2sOrder) {
    EXPECT_EQ(mapping_type(FieldKind::string), 0);
    EXPECT_EQ(mapping_type(FieldKind::region), 3);
    EXPECT_EQ(mapping_type(FieldKind::comm), 6);
    EXPECT_EQ(mapping_type(FieldKind::rma_win), 8);
    EXPECT_EQ(mapping_type(FieldKind::location_group), kMappingKinds - 1);
    EXPECT_FALSE(is_mapped(FieldKind::matching_id));
    EXPECT_FALSE(is_mapped(FieldKind::system_tree_node));
    EXPECT_TRUE(is_mapped(FieldKind::io_handle));
}

}  // namespace
}  // namespace tracefold
