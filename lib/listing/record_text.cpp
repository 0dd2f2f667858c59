// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "listing/record_text.hpp"

#include "listing/text_sink.hpp"
#include "model/event_table.hpp"
#include "names/enumerator_names.hpp"
#include "query/call_names.hpp"

namespace tracefold {

namespace {

constexpr u8 kTypeString = 11;                   // OTF2_TYPE_STRING, the first reference type
constexpr u64 kUndefinedSigned = u64{1} << 63U;  // OTF2_UNDEFINED_INT64

}  // namespace

const std::string& RecordText::label(FieldKind kind, u64 raw) {
    auto& known = labels_[mapping_type(kind)];
    const auto found = known.find(raw);
    if (found != known.end()) return found->second;
    return known.emplace(raw, names_.label(kind, tables_.global(kind, raw))).first->second;
}

void RecordText::pass_fields(u8 type, std::span<const u64> values, u8 field_count, CallSink& sink) {
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
        sink.begin_field(short_field_name(field.name), field.array);
        for (std::size_t k = 0; k < items.size(); ++k) {
            if (field.name == "metric_values") {
                pass_typed(static_cast<u8>(types[k]), items[k], sink);
            } else {
                pass_value(info, field, items[k], sink);
            }
        }
        sink.end_field();
    }
}

void RecordText::pass_value(const RecordInfo& info, const Field& field, u64 value, CallSink& sink) {
    if (is_mapped(field.kind)) {
        sink.word(label(field.kind, value));
        return;
    }
    switch (field.kind) {
        case FieldKind::op:
        case FieldKind::enumeration:
            sink.word(enumerator_name(enumeration_of(info.name, field.name), value));
            return;
        case FieldKind::peer:
        case FieldKind::root: {
            const std::string_view special = special_rank_name(value);
            special.empty() ? sink.number(value) : sink.word(std::string(special));
            return;
        }
        case FieldKind::signed_value:
            value == kUndefinedSigned ? sink.word("undefined")
                                      : sink.number_text(std::to_string(static_cast<i64>(value)));
            return;
        case FieldKind::ticks:
            sink.number_text(definitions_.tick_rate().seconds_text(clock_(value)));
            return;
        case FieldKind::paradigm:
        case FieldKind::io_paradigm:
            sink.word(names_.label(field.kind, value));
            return;
        default:
            sink.number(value);
    }
}

void RecordText::pass_attributes(std::span<const Attribute> attributes, CallSink& sink) {
    for (const Attribute& attribute : attributes) {
        sink.begin_field(label(FieldKind::attribute, attribute.ref), false);
        pass_typed(attribute.type, attribute.value, sink);
        sink.end_field();
    }
}

/// OTF2's reference types are numbered like the kinds that mapping tables translate.
void RecordText::pass_typed(u8 type, u64 value, CallSink& sink) {
    if (type >= kTypeString && type < kTypeString + kMappingKinds) {
        sink.word(
            label(static_cast<FieldKind>(static_cast<u8>(FieldKind::string) + type - kTypeString),
                  value));
    } else {
        sink.number_text(typed_value_text(type, value));
    }
}

}  // namespace tracefold
