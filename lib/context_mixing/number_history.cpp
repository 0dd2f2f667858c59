// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "context_mixing/number_history.hpp"

#include "core/hash.hpp"

namespace tracefold::inline context_mixing {

namespace {

constexpr u64 kNoMention = kNone;
constexpr u64 kNeighbour = 2;  ///< codes of signed numbers with the same sign

/// What the mention of column 0 is; kNoMention for roles that are no mentions.
constexpr u64 first_mention(FieldRole role) {
    switch (role) {
        case FieldRole::column_mention:
            return 1;
        case FieldRole::assignment:
            return 4;
        case FieldRole::alphabet:
            return 3;
        case FieldRole::like:
            return 0;
        default:
            return kNoMention;
    }
}

/// Roles without expectations from numbers before.
constexpr bool is_free(FieldRole role) {
    return role == FieldRole::item || role == FieldRole::item_run || role == FieldRole::text;
}

}  // namespace

std::size_t NumberHistory::slot(CodedField field) {
    const u64 key = u64{field.place} << 8U | static_cast<u64>(field.role);
    return mix(key) >> (64 - kSlotBits);
}

void NumberHistory::expect(CodedField field, Expectations& expected) const {
    if (is_free(field.role)) return;
    const u64 in_place = by_place_[slot(field)];
    const u64 first = first_mention(field.role);
    if (first == kNoMention) {
        expected.set(0, in_place - 1);
        expected.set(1, by_role_[static_cast<std::size_t>(field.role)] - 1);
        if (in_place == 0 || in_place > kNone || expected.has(Expectations::kFits)) return;
        expected.set(Expectations::kFits, in_place - 1 + kNeighbour);
        expected.set(3, in_place - 1 - kNeighbour);
    } else {
        expected.set(0, last_column_ + first);
        expected.set(1, last_column_ + 1 + first);
        expected.set(3, in_place - 1);
    }
}

void NumberHistory::add(CodedField field, u64 number) {
    if (is_free(field.role)) return;
    by_place_[slot(field)] = number + 1;
    by_role_[static_cast<std::size_t>(field.role)] = number + 1;
    const u64 first = first_mention(field.role);
    if (first != kNoMention && number >= first) last_column_ = number - first;
}

}  // namespace tracefold::inline context_mixing
