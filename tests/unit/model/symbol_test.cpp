// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/symbol.hpp"

#include "model/definition_table.hpp"
#include "model/event_table.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

u8 id(EventType type) { return static_cast<u8>(type); }

Symbol symbol_of(Element element) { return {{std::move(element)}}; }

std::vector<Slot> event_slots(Element element) {
    return slots_of(Stream::events, symbol_of(std::move(element)));
}

/// "name:shape" of every slot, for one element.
std::string layout(Stream stream, const Element& element) {
    const std::string shapes[] = {"one", "count", "each"};
    std::string text;
    for (const Slot& slot : slots_of(stream, symbol_of(element))) {
        if (!text.empty()) text.push_back(' ');
        text.append(slot.field == Slot::kAttributeField
                        ? "attribute"
                        : record_info(stream, element.type).fields[slot.field].name);
        text.append(":").append(shapes[static_cast<int>(slot.shape)]);
    }
    return text;
}

TEST(SlotsTest, EveryFieldButContextAndFixedCountsHasASlot) {
    for (u8 type = 0; type < kEventTypes; ++type) {
        for (const u32 length : {0U, 1U, 3U}) {
            std::size_t expected = 0;
            for (u8 i = 0; i < event_info(type).field_count; ++i) {
                const Field& field = event_info(type).fields[i];
                if (is_context(Stream::events, type, field)) continue;
                if (field.kind != FieldKind::count) expected += field.array ? length : 1;
            }
            std::size_t immediate = 0;
            for (const Slot& slot : event_slots({type, false, length, 0, {}})) {
                EXPECT_EQ(slot.shape, SlotShape::one);
                if (!slot.late) ++immediate;
            }
            EXPECT_EQ(immediate, expected) << event_info(type).name;
        }
    }
}

TEST(SlotsTest, OnlyPostingRecordsHaveLateSlots) {
    for (u8 type = 0; type < kEventTypes; ++type) {
        std::size_t late = 0;
        for (const Slot& slot : event_slots({type, false, 2, 0, {}})) late += slot.late ? 1U : 0U;
        const std::size_t expected = type == id(EventType::MpiIrecvRequest)                ? 4U
                                     : type == id(EventType::NonBlockingCollectiveRequest) ? 5U
                                                                                           : 0U;
        EXPECT_EQ(late, expected) << event_info(type).name;
        for (const Slot& slot : event_slots({type, true, 2, 0, {}})) EXPECT_FALSE(slot.late);
    }
}

TEST(SlotsTest, LateSlotsFollowTheImmediateOnes) {
    const auto slots = event_slots({id(EventType::MpiIrecvRequest), false, 0, 0, {{2, 4}}});
    ASSERT_EQ(slots.size(), 6U);
    EXPECT_EQ(slots[0].field, Slot::kAttributeField);
    EXPECT_EQ(slots[1].kind, FieldKind::request_new);
    EXPECT_EQ(slots[2].kind, FieldKind::peer);
    EXPECT_EQ(slots[5].kind, FieldKind::bytes);
}

TEST(SlotsTest, LaysOutRecords) {
    const Element send{id(EventType::MpiSend), false, 0, 0, {{0, 4}, {6, 1}}};
    EXPECT_EQ(layout(Stream::events, send),
              "attribute:one attribute:one receiver:one communicator:one msg_tag:one "
              "msg_length:one");
    EXPECT_EQ(layout(Stream::events, {id(EventType::Enter), false, 0, 9, {}}), "");
    EXPECT_EQ(layout(Stream::events, {id(EventType::CallingContextEnter), false, 0, 9, {}}),
              "unwind_distance:one");
    EXPECT_EQ(layout(Stream::events, {id(EventType::Metric), false, 2, 0, {}}),
              "metric:one type_ids:one type_ids:one metric_values:one metric_values:one");
    const Element group{static_cast<u8>(DefinitionType::Group), false, kDynamicArray, 0, {}};
    EXPECT_EQ(layout(Stream::global_definitions, group),
              "self:one name:one group_type:one paradigm:one group_flags:one "
              "number_of_members:count members:each");
}

TEST(SlotsTest, TextIsALengthAndCharactersBesideGlobalDefinitions) {
    const Element string{static_cast<u8>(DefinitionType::String), false, kDynamicArray, 0, {}};
    EXPECT_EQ(layout(Stream::global_definitions, string), "self:one string:one");
    EXPECT_EQ(layout(Stream::local_definitions, string), "self:one string:count string:each");
}

TEST(SlotsTest, CompletionsAreACountAndDistances) {
    const auto slots = event_slots({kCompletions, false, 0, 0, {}});
    ASSERT_EQ(slots.size(), 2U);
    EXPECT_EQ(slots[0].shape, SlotShape::count);
    EXPECT_EQ(slots[1].shape, SlotShape::each);
    EXPECT_EQ(slots[1].kind, FieldKind::request_done);
}

// A count says how often the slots after it are repeated, so it must come first.
TEST(SlotsTest, ACountPrecedesWhatItRepeats) {
    for (const Stream stream : {Stream::local_definitions, Stream::global_definitions}) {
        for (u8 type = 0; type < kDefinitionTypes; ++type) {
            bool counted = false;
            for (const Slot& slot :
                 slots_of(stream, symbol_of({type, false, kDynamicArray, 0, {}}))) {
                EXPECT_TRUE(counted || slot.shape != SlotShape::each);
                counted = counted || slot.shape == SlotShape::count;
            }
        }
    }
}

TEST(SlotsTest, NumberTheirElements) {
    const Symbol symbol{{{id(EventType::Enter), false, 0, 2, {{0, 4}}},
                         {kCompletions, false, 0, 0, {}},
                         {id(EventType::MpiSend), false, 0, 0, {}},
                         {id(EventType::Leave), false, 0, 2, {}}}};
    std::vector<u16> elements;
    for (const Slot& slot : slots_of(Stream::events, symbol)) elements.push_back(slot.element);
    EXPECT_EQ(elements, (std::vector<u16>{0, 1, 1, 2, 2, 2, 2}));
}

TEST(SymbolKeyTest, TellsSymbolsApart) {
    const Element send{id(EventType::MpiSend), false, 0, 0, {}};
    std::vector<Symbol> symbols{{}, {{send}}, {{send, send}}};
    const auto add = [&symbols, &send](auto change) {
        Element element = send;
        change(element);
        symbols.push_back({{element}});
    };
    add([](Element& e) { e.type = id(EventType::MpiRecv); });
    add([](Element& e) { e.type = kCompletions; });
    add([](Element& e) { e.raw = true; });
    add([](Element& e) { e.array_count = 1; });
    add([](Element& e) { e.array_count = kDynamicArray; });
    add([](Element& e) { e.context = 1; });
    add([](Element& e) { e.context = 256; });
    add([](Element& e) { e.attributes = {{1, 2}}; });
    add([](Element& e) { e.attributes = {{2, 1}}; });
    add([](Element& e) { e.attributes = {{1, 2}, {1, 2}}; });
    std::set<std::string> keys;
    for (const Symbol& symbol : symbols) keys.insert(symbol_key(symbol));
    EXPECT_EQ(keys.size(), symbols.size());
    EXPECT_EQ(symbol_key(symbols[2]), symbol_key(Symbol{{send, send}}));
}

}  // namespace
}  // namespace tracefold
