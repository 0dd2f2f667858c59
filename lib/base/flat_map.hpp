// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"

#include <bit>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

/// A hash map for entries with a short life: one array with open addressing and linear probing, an
/// entry at the first free slot from its home slot on (Knuth, The Art of Computer Programming, 6.4,
/// algorithms L and R). Pointers to values hold until an entry is added or removed. `Hash` gives 64
/// bits of a key; it may map neighbours to neighbours. Cost: amortised constant, no allocation per
/// entry. Memory: 4/3 to 8/3 of the maximum number of entries; nothing before the first entry, and
/// little once a large map is empty again.
template <class Key, class Value, class Hash>
class FlatMap {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }

    /// Returns null if the key is missing.
    [[nodiscard]] Value* find(const Key& key) {
        if (size_ == 0) return nullptr;
        Slot& slot = slots_[slot_of(key)];
        return slot.used ? &slot.value : nullptr;
    }
    [[nodiscard]] const Value* find(const Key& key) const {
        if (size_ == 0) return nullptr;
        const Slot& slot = slots_[slot_of(key)];
        return slot.used ? &slot.value : nullptr;
    }
    [[nodiscard]] bool contains(const Key& key) const { return find(key) != nullptr; }

    /// Adds a value unless the key exists; returns the stored value and whether it was added.
    std::pair<Value*, bool> try_emplace(const Key& key, Value value) {
        if (4 * (size_ + 1) > 3 * slots_.size()) {
            if (Value* const found = find(key)) return {found, false};
            grow();
        }
        Slot& slot = slots_[slot_of(key)];
        if (slot.used) return {&slot.value, false};
        slot = {key, std::move(value), true};
        ++size_;
        return {&slot.value, true};
    }
    /// Returns the value of a key; adds a default value if the key is missing.
    Value& operator[](const Key& key) { return *try_emplace(key, Value{}).first; }

    /// Removes a key and returns its value; nothing if the key is missing.
    std::optional<Value> take(const Key& key) {
        if (size_ == 0) return std::nullopt;
        const std::size_t slot = slot_of(key);
        if (!slots_[slot].used) return std::nullopt;
        std::optional<Value> value = std::move(slots_[slot].value);
        if (--size_ == 0 && slots_.size() > kMostKept) {
            slots_ = {};
        } else {
            close_gap(slot);
        }
        return value;
    }
    /// Returns false if the key is missing.
    bool erase(const Key& key) { return take(key).has_value(); }

    /// Calls visit(key, value) for each entry, in no particular order.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const Slot& slot : slots_) {
            if (slot.used) visit(slot.key, slot.value);
        }
    }

  private:
    static constexpr std::size_t kFewest = 4;
    static constexpr std::size_t kMostKept = 1024;  ///< slots of an empty map

    struct Slot {
        Key key{};
        [[no_unique_address]] Value value{};
        bool used = false;  ///< fits into the padding of the value, if any
    };

    [[nodiscard]] std::size_t next(std::size_t slot) const {
        return (slot + 1) & (slots_.size() - 1);
    }
    /// Returns the upper bits of the product: they depend on all bits of the hash.
    [[nodiscard]] std::size_t own_slot(const Key& key) const {
        const int bits = std::countr_zero(slots_.size());
        return static_cast<std::size_t>((Hash{}(key)*kGolden) >> (64 - bits));
    }
    /// The slot of the key, or the free slot that it would take. Precondition: a slot is free.
    [[nodiscard]] std::size_t slot_of(const Key& key) const {
        std::size_t slot = own_slot(key);
        while (slots_[slot].used && !(slots_[slot].key == key)) slot = next(slot);
        return slot;
    }

    void grow() {
        std::vector<Slot> old(slots_.empty() ? kFewest : 2 * slots_.size());
        old.swap(slots_);
        for (Slot& slot : old) {
            if (slot.used) slots_[slot_of(slot.key)] = std::move(slot);
        }
    }
    /// Moves later entries up into the gap, where their probe sequence allows it.
    void close_gap(std::size_t gap) {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t slot = next(gap); slots_[slot].used; slot = next(slot)) {
            const std::size_t distance = (slot - own_slot(slots_[slot].key)) & mask;
            if (distance < ((slot - gap) & mask)) continue;
            slots_[gap] = std::move(slots_[slot]);
            gap = slot;
        }
        slots_[gap] = {};
    }

    std::vector<Slot> slots_;  ///< size is a power of two
    std::size_t size_ = 0;
};

/// Hash of numeric keys.
struct NumberHash {
    u64 operator()(u64 number) const { return number; }
};

}  // namespace tracefold
