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

/// A map for entries that come and go all the time: one array with open addressing and linear
/// probing, an entry at the first free place from its own one on (Knuth, The Art of Computer
/// Programming, 6.4, algorithms L and R). Pointers to values hold until an entry is added or
/// removed. `Hash` gives 64 bits of a key; neighbours may have neighbouring ones. Cost: amortised
/// constant, no allocation per entry. Memory: 4/3 to 8/3 of the most entries at a time; nothing
/// while there was none, and little once a large map is empty again.
template <class Key, class Value, class Hash>
class FlatMap {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }

    /// Null if there is none.
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

    /// Adds a value unless there is one: what there is now, and whether it is new.
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
    /// The value of a key, which is a new one if there was none.
    Value& operator[](const Key& key) { return *try_emplace(key, Value{}).first; }

    /// Removes the value of a key and gives it back; nothing if there is none.
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
    /// False if there is none.
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
    static constexpr std::size_t kMostKept = 1024;  ///< places of an empty map

    struct Slot {
        Key key{};
        [[no_unique_address]] Value value{};
        bool used = false;  ///< within the padding of the value, if it has some
    };

    [[nodiscard]] std::size_t next(std::size_t slot) const {
        return (slot + 1) & (slots_.size() - 1);
    }
    /// The upper bits of the product, which all bits of the hash have an influence on.
    [[nodiscard]] std::size_t own_slot(const Key& key) const {
        const int bits = std::countr_zero(slots_.size());
        return static_cast<std::size_t>((Hash{}(key)*kGolden) >> (64 - bits));
    }
    /// Where the key is, or the free place that it would take. Precondition: one place is free.
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
    /// Entries that come after it and could be in its place move up.
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

    std::vector<Slot> slots_;  ///< a power of two of them
    std::size_t size_ = 0;
};

/// For keys that are numbers.
struct NumberHash {
    u64 operator()(u64 number) const { return number; }
};

}  // namespace tracefold
