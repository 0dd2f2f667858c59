// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "context_mixing/number_coder.hpp"

#include <map>
#include <string_view>

namespace tracefold {

/// Numbers of a section that say the same thing in the same place.
struct FieldKey {
    FieldRole role = FieldRole::location_count;
    u8 part = 0;
    u16 place = 0;

    auto operator<=>(const FieldKey&) const = default;
};

/// What they take.
struct FieldCost {
    u64 numbers = 0;
    u64 content_bytes = 0;
    double stored_bytes = 0;

    FieldCost& operator+=(const FieldCost& other) {
        numbers += other.numbers;
        content_bytes += other.content_bytes;
        stored_bytes += other.stored_bytes;
        return *this;
    }
};
using FieldCosts = std::map<FieldKey, FieldCost>;

/// What a model would take to code the content of a section of this kind, number by number. Cost:
/// that of coding it.
FieldCosts cost_of_fields(ByteModel& model, SectionKind kind, std::string_view content,
                          const SectionContext& context);

}  // namespace tracefold
