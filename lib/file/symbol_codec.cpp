// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/symbol_codec.hpp"

#include "model/definition_table.hpp"
#include "model/event_table.hpp"

namespace tracefold {

namespace {

constexpr u8 kCompletionsByte = 0x7F;
constexpr u8 kFlagsFollow = 0x80;
constexpr u8 kVerbatim = 1;
constexpr u8 kArrays = 2;
constexpr u8 kAttributes = 4;

bool has_context(Stream stream, const Element& element) {
    if (element.type == kCompletions) return false;
    if (is_numbered_string(stream, element)) return true;
    const RecordInfo& info = record_info(stream, element.type);
    return info.field_count != 0 && is_context(stream, element.type, info.fields[0]);
}

/// Definitions have arrays of any length: their layout omits it.
u32 implied_array_count(Stream stream) { return stream == Stream::events ? 0 : kDynamicArray; }

u8 type_count(Stream stream) { return stream == Stream::events ? kEventTypes : kDefinitionTypes; }

}  // namespace

void SymbolWriter::put(Stream stream, const Symbol& symbol) {
    out_.put_varint(symbol.elements.size() * 4 + static_cast<u64>(stream));
    for (const Element& element : symbol.elements) put_element(stream, element);
}

void SymbolWriter::put_element(Stream stream, const Element& element) {
    const bool arrays = element.array_count != implied_array_count(stream);
    const int flags = (element.raw ? kVerbatim : 0) | (arrays ? kArrays : 0) |
                      (element.attributes.empty() ? 0 : kAttributes);
    const u8 type = element.type == kCompletions ? kCompletionsByte : element.type;
    out_.put_u8(static_cast<u8>(type | (flags != 0 ? kFlagsFollow : 0)));
    if (flags != 0) out_.put_u8(static_cast<u8>(flags));
    if (arrays) out_.put_varint(element.array_count);
    if (!element.attributes.empty()) {
        out_.put_varint(element.attributes.size());
        for (const AttributeKey& attribute : element.attributes) {
            out_.put_varint(attribute.ref);
            out_.put_u8(attribute.type);
        }
    }
    if (has_context(stream, element)) {
        out_.put_signed(static_cast<i64>(element.context - last_context_));
        last_context_ = element.context;
    }
}

Symbol SymbolReader::get(Stream& stream) {
    const u64 head = in_.at(FieldRole::symbol_head).get_varint();
    if ((head & 3U) > static_cast<u64>(Stream::global_definitions)) {
        in_.fail("a symbol belongs to an unknown stream");
    }
    stream = static_cast<Stream>(head & 3U);
    const u64 records = head / 4;
    if (records == 0) in_.fail("a symbol has no records");
    if (records > 1 && stream != Stream::events) in_.fail("a definition has several records");
    if (records > in_.remaining()) in_.fail("a symbol has more records than bytes are left");
    Symbol symbol;
    for (u64 i = 0; i < records; ++i) symbol.elements.push_back(get_element(stream));
    return symbol;
}

u8 SymbolReader::get_flags(Element& element) {
    const u8 flags = in_.at_byte(FieldRole::element_flags).get_u8();
    element.raw = (flags & kVerbatim) != 0;
    if ((flags & kArrays) != 0) {
        const u32 count = in_.at(FieldRole::element_layout).get_u32();
        // Each item has a column, which takes at least a byte.
        if (count > in_.remaining()) in_.fail("a record has more items than bytes are left");
        element.array_count = count;
    }
    if ((flags & kAttributes) != 0) {
        const u64 count = in_.at(FieldRole::element_layout).get_count(2);
        for (u64 i = 0; i < count; ++i) {
            const u64 ref = in_.at(FieldRole::element_layout).get_varint();
            element.attributes.push_back({ref, in_.at_byte(FieldRole::element_layout).get_u8()});
        }
    }
    return flags;
}

Element SymbolReader::get_element(Stream stream) {
    const u8 byte = in_.at_byte(FieldRole::element_type).get_u8();
    const u8 type = static_cast<u8>(byte & ~kFlagsFollow);
    Element element;
    element.type = type == kCompletionsByte ? kCompletions : type;
    element.array_count = implied_array_count(stream);
    const bool completions = element.type == kCompletions && stream == Stream::events;
    if (!completions && type >= type_count(stream)) in_.fail("a record has an unknown type");
    if ((byte & kFlagsFollow) != 0) {
        const u8 flags = get_flags(element);
        const bool fits = stream == Stream::events ||
                          (flags == kArrays && (is_numbered_string(stream, element) ||
                                                definition_info(element.type).has_arrays()));
        if (!fits) in_.fail("a definition has a layout of its own");
    }
    if (has_context(stream, element)) {
        last_context_ += static_cast<u64>(in_.at(FieldRole::context).get_signed());
        element.context = last_context_;
    }
    return element;
}

void put_participants(ByteWriter& out, const ParticipantList& list) {
    out.put_varint(list.runs().size());
    u32 last = 0;
    for (const ParticipantList::Run& run : list.runs()) {
        out.put_varint(run.start - last);
        out.put_varint(run.stride);
        out.put_varint(run.count);
        last = run.last();
    }
}

ParticipantList get_participants(ByteReader& in) {
    ParticipantList list;
    u32 last = 0;
    const u64 runs = in.get_count(3);
    for (u64 i = 0; i < runs; ++i) {
        const u64 start = u64{last} + in.get_u32();
        const u64 stride = in.get_u32();
        const u32 count = in.get_u32();
        if (count != 0 && start + stride * (count - 1) >= kNone) {
            in.fail("a participant has no number");
        }
        for (u64 member = start; member < start + stride * count; member += stride) {
            last = static_cast<u32>(member);
            list.add(last);
        }
    }
    return list;
}

}  // namespace tracefold
