// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

namespace tracefold {

/// What a number of a structure says. A byte is predicted from those with the same role
/// (docs/format.md, "Modelled sections"); the values are part of the format.
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
};
inline constexpr u32 kFieldRoles = 38;

/// The part of a structure that a byte belongs to; slots follow from kSlotParts on, two for each
/// kind of field: values of the call itself, and those known at its completion.
enum class StructurePart : u8 { symbols, scripts, counts };
inline constexpr u8 kSlotParts = 3;

struct CodedField {
    FieldRole role = FieldRole::location_count;
    u8 part = 0;
};

}  // namespace tracefold
