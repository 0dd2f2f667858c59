// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/record_text.hpp"

#include "model/event_table.hpp"
#include "pipeline/call_names.hpp"
#include "pipeline/enumerator_names.hpp"

#include <algorithm>
#include <cctype>

namespace tracefold {

namespace {

constexpr u64 kNanoseconds = 1'000'000'000;
constexpr u8 kTypeString = 11;                   // OTF2_TYPE_STRING, the first reference type
constexpr u64 kUndefinedSigned = u64{1} << 63U;  // OTF2_UNDEFINED_INT64

bool needs_quotes(const std::string& text) {
    return text.empty() || std::any_of(text.begin(), text.end(), [](unsigned char c) {
               return c <= ' ' || c == '"' || c == ',' || c == '\\' || c == 127;
           });
}

/// A word, or what is none in quotes with C's escapes.
std::string quoted(const std::string& text) {
    if (!needs_quotes(text)) return text;
    static constexpr char kHex[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < ' ' || byte == 127) {
            out.append("\\x") += kHex[byte >> 4U];
            out += kHex[byte & 15U];
        } else {
            out += c;
        }
    }
    return out += '"';
}

}  // namespace

std::string seconds_text(u64 ticks, u64 start, u64 ticks_per_second) {
    const u64 rate = std::max<u64>(ticks_per_second, 1);
    const bool before = ticks < start;
    const u64 distance = before ? start - ticks : ticks - start;
    u64 seconds = distance / rate;
    auto fraction =
        static_cast<u64>(static_cast<double>(distance % rate) / static_cast<double>(rate) *
                             static_cast<double>(kNanoseconds) +
                         0.5);
    if (fraction >= kNanoseconds) {
        ++seconds;
        fraction = 0;
    }
    std::string text = before ? "-" : "";
    text += std::to_string(seconds);
    const std::string digits = std::to_string(fraction);
    return text.append(".").append(9 - digits.size(), '0').append(digits);
}

const std::string& RecordText::label(FieldKind kind, u64 raw) {
    auto& known = labels_[mapping_type(kind)];
    const auto found = known.find(raw);
    if (found != known.end()) return found->second;
    return known.emplace(raw, quoted(names_.label(kind, tables_.global(kind, raw)))).first->second;
}

void RecordText::append_fields(u8 type, std::span<const u64> values, u8 field_count,
                               std::string& out) {
    const RecordInfo& info = event_info(type);
    std::span<const u64> types;
    std::size_t position = 0;
    u64 repeat = 0;
    for (u8 i = 0; i < field_count; ++i) {
        const Field& field = info.fields[i];
        const std::span<const u64> items = values.subspan(position, field.array ? repeat : 1);
        position += items.size();
        if (field.kind == FieldKind::count) {
            repeat = items[0];
            continue;
        }
        if (field.kind == FieldKind::type) {
            types = items;
            continue;
        }
        out.append(" ").append(short_field_name(field.name)).append("=");
        for (std::size_t k = 0; k < items.size(); ++k) {
            if (k != 0) out += ',';
            if (field.name == "metric_values") {
                append_typed(static_cast<u8>(types[k]), items[k], out);
            } else {
                append_value(info, field, items[k], out);
            }
        }
    }
}

void RecordText::append_value(const RecordInfo& info, const Field& field, u64 value,
                              std::string& out) {
    if (is_mapped(field.kind)) {
        out += label(field.kind, value);
        return;
    }
    switch (field.kind) {
        case FieldKind::op:
        case FieldKind::enumeration:
            out += enumerator_name(enumeration_of(info.name, field.name), value);
            return;
        case FieldKind::peer:
        case FieldKind::root: {
            const std::string_view special = special_rank_name(value);
            out += special.empty() ? std::to_string(value) : std::string(special);
            return;
        }
        case FieldKind::signed_value:
            out +=
                value == kUndefinedSigned ? "undefined" : std::to_string(static_cast<i64>(value));
            return;
        case FieldKind::ticks:
            out +=
                seconds_text(value, definitions_.clock_offset(), definitions_.timer_resolution());
            return;
        case FieldKind::paradigm:
        case FieldKind::io_paradigm:
            out += quoted(names_.label(field.kind, value));
            return;
        default:
            out += std::to_string(value);
    }
}

void RecordText::append_attributes(std::span<const Attribute> attributes, std::string& out) {
    for (const Attribute& attribute : attributes) {
        out.append(" ").append(label(FieldKind::attribute, attribute.ref)).append("=");
        append_typed(attribute.type, attribute.value, out);
    }
}

/// OTF2's reference types are numbered like the kinds that mapping tables translate.
void RecordText::append_typed(u8 type, u64 value, std::string& out) {
    if (type >= kTypeString && type < kTypeString + kMappingKinds) {
        out += label(
            static_cast<FieldKind>(static_cast<u8>(FieldKind::string) + type - kTypeString), value);
    } else {
        out += typed_value_text(type, value);
    }
}

}  // namespace tracefold
