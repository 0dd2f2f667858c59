// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/definition_codec.hpp"

#include "core/error.hpp"
#include "model/definition_table.hpp"

namespace tracefold {

namespace {

constexpr u8 kRegionName = 1;
constexpr u8 kRegionRole = 4;
constexpr u8 kLocationEvents = 3;

bool is(DefinitionType type, u8 id) { return id == static_cast<u8>(type); }

/// The dimensions of a coordinate are columns of their own; other arrays are of any length.
u32 layout_of(const RecordBatch& records, const RecordBatch::Head& head) {
    constexpr std::size_t kDimensions = 2;
    if (!is(DefinitionType::CartCoordinate, head.type)) return kDynamicArray;
    return static_cast<u32>(records.values(head)[kDimensions]);
}

/// What one field of a record should be.
struct Expectation {
    u8 field = 0xFF;
    u64 value = 0;
};

/// `values` are those of the record; the fields before the expected one are as they are.
Expectation expectation(Stream stream, u8 type, std::span<const u64> values,
                        const RolePrediction& roles, const EventCounts& events) {
    if (stream != Stream::global_definitions) return {};
    if (is(DefinitionType::Region, type)) return {kRegionRole, roles.role(values[kRegionName])};
    if (is(DefinitionType::Location, type) && events) return {kLocationEvents, events()};
    return {};
}

}  // namespace

void DefinitionEncoder::encode(const RecordBatch& records, CallBatch& out) {
    for (const RecordBatch::Head& head : records.heads()) {
        if (stream_ == Stream::global_definitions && is(DefinitionType::String, head.type)) {
            encode_string(records, head, out);
        } else {
            encode_record(records, head, out);
        }
    }
}

u32 DefinitionEncoder::begin(const Element& element, CallBatch& out) {
    const u32 symbol = table_.symbol_at(table_.step(SymbolTable::kRoot, table_.element(element)));
    out.symbols.push_back(symbol);
    return table_.entry(symbol).elements[0].first;
}

void DefinitionEncoder::encode_string(const RecordBatch& records, const RecordBatch::Head& head,
                                      CallBatch& out) {
    const auto values = records.values(head);
    const std::string_view text = records.text(head, values[1]);
    const StringForm form = strings_.encode(text);
    roles_.note(values[0], text);
    Element element{head.type, false, kDynamicArray, 0, {}};
    if (form.numbered) {
        element.array_count = static_cast<u32>(form.numbers.size());
        element.context = form.code;
    }
    u32 column = begin(element, out);
    out.values.push_back({column++, values[0]});
    if (!form.numbered) out.values.push_back({column, form.code});
    for (const u64 number : form.numbers) out.values.push_back({column++, number});
    if (form.literal) text_.append(text);
}

void DefinitionEncoder::encode_record(const RecordBatch& records, const RecordBatch::Head& head,
                                      CallBatch& out) {
    const RecordInfo& info = definition_info(head.type);
    const auto values = records.values(head);
    const u32 layout = layout_of(records, head);
    const bool fixed = layout != kDynamicArray;
    u32 column = begin({head.type, false, layout, 0, {}}, out);
    const auto put = [&](u64 value) { out.values.push_back({column, value}); };
    const Expectation expected = expectation(stream_, head.type, values, roles_, events_);
    std::size_t position = 0;
    u64 repeat = 0;
    for (u8 i = 0; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        const u64 times = field.array ? repeat : 1;
        if (field.kind == FieldKind::count) repeat = values[position];
        if (field.kind == FieldKind::count && fixed) {
            ++position;
            continue;
        }
        if (field.kind == FieldKind::text) {
            const std::string_view text = records.text(head, values[position++]);
            put(text.size());
            ++column;
            for (const char c : text) put(static_cast<unsigned char>(c));
            ++column;
            continue;
        }
        const u64 base = i == expected.field ? expected.value : 0;
        for (u64 k = 0; k < times; ++k) {
            put(values[position++] - base);
            if (fixed && field.array) ++column;
        }
        if (!fixed || !field.array) ++column;
    }
}

void DefinitionDecoder::decode(u32 symbol, std::span<const u64> values, RecordBatch& out) {
    const Element& element = symbols_[symbol].elements[0];
    out.begin(element.type);
    if (stream_ == Stream::global_definitions && is(DefinitionType::String, element.type)) {
        decode_string(element, values, out);
    } else {
        decode_record(element, values, out);
    }
}

void DefinitionDecoder::decode_string(const Element& element, std::span<const u64> values,
                                      RecordBatch& out) {
    std::string joined;
    std::string_view text;
    if (is_numbered_string(stream_, element)) {
        joined = strings_.join(element, values.subspan(1));
        text = joined;
    } else if (values[1] % 2 != 0) {
        text = strings_.known(values[1]);
    } else {
        text = literal(values[1] / 2);
    }
    strings_.note(text);
    roles_.note(values[0], text);
    out.push(values[0]);
    out.push_text(text);
}

std::string_view DefinitionDecoder::literal(u64 length) {
    if (length > text_.size() - text_position_) {
        throw Error(ErrorKind::corrupt, "a string is longer than the text of all");
    }
    text_position_ += length;
    return std::string_view(text_).substr(text_position_ - length, length);
}

void DefinitionDecoder::decode_record(const Element& element, std::span<const u64> values,
                                      RecordBatch& out) {
    const RecordInfo& info = definition_info(element.type);
    const bool fixed = element.array_count != kDynamicArray;
    const Expectation expected = expectation(stream_, element.type, values, roles_, events_);
    std::size_t position = 0;
    u64 repeat = 0;
    for (u8 i = 0; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        if (field.kind == FieldKind::text) {
            std::string text;
            for (u64 left = values[position++]; left > 0; --left) {
                text.push_back(static_cast<char>(values[position++]));
            }
            out.push_text(text);
            continue;
        }
        if (field.kind == FieldKind::count) {
            repeat = fixed ? element.array_count : values[position++];
            out.push(repeat);
            continue;
        }
        const u64 base = i == expected.field ? expected.value : 0;
        for (u64 k = field.array ? repeat : 1; k > 0; --k) out.push(values[position++] + base);
    }
}

}  // namespace tracefold
