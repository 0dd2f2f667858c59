// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/event_table.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// The record table of a stream of records.
enum class Stream : u8 { events, local_definitions, global_definitions };
inline constexpr int kStreams = 3;

/// Pseudo record type: a run of completions (MpiIsendComplete, MpiIrecv,
/// NonBlockingCollectiveComplete) whose types and data follow from their requests.
inline constexpr u8 kCompletions = 0xFF;

/// `Element::array_count` of records whose array length is a value, not part of the layout.
inline constexpr u32 kDynamicArray = kNone;

/// A mapped reference inside a symbol: the global id and the rule for the raw one. Even: raw id =
/// inverse mapping of code / 2. Odd: code / 2 is the raw id itself.
using ReferenceCode = u64;

struct AttributeKey {
    ReferenceCode ref = 0;
    u8 type = 0;

    auto operator<=>(const AttributeKey&) const = default;
};

/// One record of a symbol without its arguments.
struct Element {
    u8 type = 0;          ///< EventType, DefinitionType or kCompletions
    bool raw = false;     ///< all fields are stored verbatim: the encodings did not fit
    u32 array_count = 0;  ///< length of its arrays, or kDynamicArray
    /// The region or calling context of enter and leave records; the model of a numbered string.
    ReferenceCode context = 0;
    std::vector<AttributeKey> attributes;

    auto operator<=>(const Element&) const = default;
};

/// The layout of a slot's values in the value stream of a call.
enum class SlotShape : u8 {
    one,    ///< one value per call
    count,  ///< one value per call: the repetition count of the following `each` slots
    each,   ///< as many values as the nearest preceding count
};

/// One argument of a symbol: a column of values in execution order.
struct Slot {
    static constexpr u8 kAttributeField = 0xFF;

    u16 element = 0;
    u8 field = 0;  ///< index into the record's fields; kAttributeField for attribute values
    FieldKind kind = FieldKind::value;
    SlotShape shape = SlotShape::one;
    bool late = false;  ///< known only when the request completes; stored with the posting call
};

/// A call symbol: the records and their layout, without any argument.
struct Symbol {
    std::vector<Element> elements;

    auto operator<=>(const Symbol&) const = default;
};

/// True if the field is part of the symbol (Element::context), not of a column.
constexpr bool is_context(Stream stream, u8 type, const Field& field) {
    if (stream != Stream::events) return false;
    const auto is = [type](EventType event) { return type == static_cast<u8>(event); };
    if (field.kind == FieldKind::region) return is(EventType::Enter) || is(EventType::Leave);
    return field.kind == FieldKind::calling_context &&
           (is(EventType::CallingContextEnter) || is(EventType::CallingContextLeave));
}

/// Returns the slots of a symbol in the order of its value stream. Deterministic: encoder, decoder
/// and the file agree on it by construction. Cost: linear in the number of fields.
std::vector<Slot> slots_of(Stream stream, const Symbol& symbol);

/// True for a global String that differs from an earlier one, its model, only in its numbers: it
/// stores their values (`array_count` of them) instead of the text. `context` is the model: 2 n for
/// string definition n of the file, 2 n + 1 for entry n of the dictionary.
bool is_numbered_string(Stream stream, const Element& element);

/// Returns the record description of an element. Precondition: not kCompletions.
const RecordInfo& record_info(Stream stream, u8 type);

/// A content key: symbols are equal exactly if their keys are.
std::string symbol_key(const Symbol& symbol);

/// Computes how many values each slot of a symbol has in a call; call count() slot by slot.
class SlotValues {
  public:
    /// Reads `first` only if the slot is a count.
    std::size_t count(SlotShape shape, const u64* first) {
        if (shape == SlotShape::count) repeat_ = *first;
        return shape == SlotShape::each ? repeat_ : 1;
    }

  private:
    u64 repeat_ = 0;
};

}  // namespace tracefold
