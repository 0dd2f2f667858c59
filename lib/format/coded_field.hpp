// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_fields.hpp"

#include <array>

namespace tracefold {

/// What a number of a section coded by context mixing says. A byte is predicted from those with the
/// same role (docs/format.md, "Context mixing"); the values are part of the format.
enum class FieldRole : u8 {
    location_count,
    symbol_count,
    symbol_head,
    element_type,
    element_flags,
    element_layout,
    context,
    script_count,
    script_stream,
    pattern_mention,
    leaf_count,
    loop_count,
    item_count,
    item,
    item_run,
    column_mention,
    column_form,
    constant,
    progression,
    list_size,
    value,
    step,
    run_value,
    run_length,
    start,
    like,
    alphabet,
    letter,
    letter_step,
    node_count,
    node_gap,
    fact_count,
    peer_encoding,
    assignment,
    class_count,
    family_count,
    family_gap,
    family_size,
    text,
    text_size,
    node_run,
    duration_symbol,
    edge_from,
    step_count,
    step_executions,
    step_sum,
    bucket_count,
    first_bucket,
    bucket,
    least,
    most,
    sum_excess,
};
inline constexpr u32 kFieldRoles = 52;

/// The part of a structure that a byte belongs to; slots follow from kSlotParts on, two for each
/// kind of field: values of the call itself, and those known at its completion.
enum class StructurePart : u8 { symbols, scripts, counts };
inline constexpr u8 kSlotParts = 3;

/// The part of a durations section. Buckets have places from kSlotParts on.
enum class DurationsPart : u8 { nodes, edges, means };

/// A place is finer than a part: a slot of a record type, or one of the parts before the slots.
inline constexpr u32 kSlotPlaces = 32;
constexpr u16 slot_place(u8 record_type, u32 slot) {
    return static_cast<u16>(kSlotParts + (record_type & 0x7FU) * kSlotPlaces +
                            (slot < kSlotPlaces ? slot : kSlotPlaces - 1));
}
inline constexpr u32 kPlaces = kSlotParts + 128 * kSlotPlaces;

struct CodedField {
    FieldRole role = FieldRole::location_count;
    u8 part = 0;
    u16 place = 0;
    bool one_byte = false;  ///< a byte of its own, not a varint
};

/// Numbers that may come next, each from a predictor of its own.
class Expectations {
  public:
    static constexpr u32 kSize = 4;
    /// The predictor of a reader that knows what would fit.
    static constexpr u32 kFits = 2;
    /// Where something else might fit as well.
    static constexpr u32 kFitsElse = 3;

    static Expectations fitting(u64 number) {
        Expectations expected;
        expected.set(kFits, number);
        return expected;
    }
    void set(u32 predictor, u64 number) { next_[predictor] = number < kNone ? number + 1 : 0; }
    [[nodiscard]] bool has(u32 predictor) const { return next_[predictor] != 0; }
    /// Precondition: there is one.
    [[nodiscard]] u64 number(u32 predictor) const { return next_[predictor] - 1; }
    /// One more than the number, 0 if there is none.
    [[nodiscard]] u64 code(u32 predictor) const { return next_[predictor]; }

  private:
    std::array<u64, kSize> next_{};
};

}  // namespace tracefold
