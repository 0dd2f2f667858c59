// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/symbol.hpp"

#include "model/definition_table.hpp"

namespace tracefold {

namespace {

constexpr u8 id(EventType type) { return static_cast<u8>(type); }

/// The slots that a completion fills; they belong to the posting call.
std::vector<Slot> late_slots(u16 element, u8 type) {
    const EventType completion = type == id(EventType::MpiIrecvRequest)
                                     ? EventType::MpiIrecv
                                     : EventType::NonBlockingCollectiveComplete;
    const RecordInfo& info = event_info(completion);
    std::vector<Slot> slots;
    for (u8 i = 0; i + 1 < info.field_count; ++i) {
        slots.push_back({element, i, info.fields[i].kind, SlotShape::one, true});
    }
    return slots;
}

void append_fields(Stream stream, u16 index, const Element& element, std::vector<Slot>& out) {
    const RecordInfo& info = record_info(stream, element.type);
    const bool dynamic = element.array_count == kDynamicArray;
    for (u8 i = 0; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        if (is_context(stream, element.type, field)) continue;
        if (field.kind == FieldKind::count) {
            if (dynamic) out.push_back({index, i, field.kind, SlotShape::count, false});
        } else if (field.array && !dynamic) {
            for (u32 k = 0; k < element.array_count; ++k) {
                out.push_back({index, i, field.kind, SlotShape::one, false});
            }
        } else if (field.kind == FieldKind::text && is_numbered_string(stream, element)) {
            for (u32 k = 0; k < element.array_count; ++k) {
                out.push_back({index, i, FieldKind::value, SlotShape::one, false});
            }
        } else if (field.kind == FieldKind::text && stream != Stream::global_definitions) {
            out.push_back({index, i, field.kind, SlotShape::count, false});
            out.push_back({index, i, field.kind, SlotShape::each, false});
        } else {
            const SlotShape shape = field.array ? SlotShape::each : SlotShape::one;
            out.push_back({index, i, field.kind, shape, false});
        }
    }
}

void put(std::string& out, u64 value) {
    for (int shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>(value >> shift));
}

}  // namespace

const RecordInfo& record_info(Stream stream, u8 type) {
    return stream == Stream::events ? event_info(type) : definition_info(type);
}

bool is_numbered_string(Stream stream, const Element& element) {
    return stream == Stream::global_definitions &&
           element.type == static_cast<u8>(DefinitionType::String) &&
           element.array_count != kDynamicArray;
}

std::vector<Slot> slots_of(Stream stream, const Symbol& symbol) {
    std::vector<Slot> out;
    for (std::size_t e = 0; e < symbol.elements.size(); ++e) {
        const Element& element = symbol.elements[e];
        const u16 index = static_cast<u16>(e);
        if (element.type == kCompletions) {
            out.push_back({index, 0, FieldKind::count, SlotShape::count, false});
            out.push_back({index, 1, FieldKind::request_done, SlotShape::each, false});
            continue;
        }
        for (const AttributeKey& attribute : element.attributes) {
            (void)attribute;
            out.push_back({index, Slot::kAttributeField, FieldKind::value, SlotShape::one, false});
        }
        append_fields(stream, index, element, out);
        const bool posts = stream == Stream::events && !element.raw &&
                           (element.type == id(EventType::MpiIrecvRequest) ||
                            element.type == id(EventType::NonBlockingCollectiveRequest));
        if (posts) {
            for (const Slot& slot : late_slots(index, element.type)) out.push_back(slot);
        }
    }
    return out;
}

std::string symbol_key(const Symbol& symbol) {
    std::string key;
    for (const Element& element : symbol.elements) {
        put(key, element.type | (element.raw ? 0x100U : 0U));
        put(key, element.array_count);
        put(key, element.context);
        put(key, element.attributes.size());
        for (const AttributeKey& attribute : element.attributes) {
            put(key, attribute.ref);
            put(key, attribute.type);
        }
    }
    return key;
}

}  // namespace tracefold
