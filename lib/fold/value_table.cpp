// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/value_table.hpp"

#include "core/hash.hpp"

namespace tracefold {

std::size_t ValueTable::slot_of(u64 value) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = mix(value) & mask;
    while (slots_[slot] != 0 && values_[slots_[slot] - 1] != value) slot = (slot + 1) & mask;
    return slot;
}

u32 ValueTable::search(u64 value) {
    if (2 * values_.size() >= slots_.size()) grow();
    const std::size_t slot = slot_of(value);
    if (slots_[slot] == 0) {
        values_.push_back(value);
        followers_.push_back(0);
        slots_[slot] = static_cast<u32>(values_.size());
    }
    const u32 found = slots_[slot] - 1;
    if (last_ != kNone) followers_[last_] = found;
    return last_ = found;
}

void ValueTable::grow() {
    slots_.assign(slots_.empty() ? 8 : 2 * slots_.size(), 0);
    values_.reserve(slots_.size() / 2);
    followers_.reserve(slots_.size() / 2);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        slots_[slot_of(values_[i])] = static_cast<u32>(i + 1);
    }
}

void ValueTable::clear() {
    values_.clear();
    slots_.clear();
    followers_.clear();
    last_ = kNone;
}

}  // namespace tracefold
