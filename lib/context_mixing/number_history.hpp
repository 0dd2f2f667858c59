// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/coded_field.hpp"

#include <array>

namespace tracefold::inline context_mixing {

/// What a number may be from the numbers before it: mentions of columns from the column mentioned
/// last, others from those of the same role and place (docs/format.md, "Context mixing").
class NumberHistory {
  public:
    /// Adds to what a reader expects (of mentions: the newest column). Items, runs of
    /// items and characters are not concerned.
    void expect(CodedField field, Expectations& expected) const;
    void add(CodedField field, u64 number);

  private:
    static constexpr u32 kSlotBits = 12;

    static std::size_t slot(CodedField field);

    u64 last_column_ = ~u64{0};  ///< mentioned; one less than 0 in the beginning
    std::array<u64, std::size_t{1} << kSlotBits> by_place_{};  ///< last number + 1 by place, role
    std::array<u64, kFieldRoles> by_role_{};                   ///< last number + 1
};

}  // namespace tracefold::inline context_mixing
