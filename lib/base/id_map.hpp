// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A map between numbers, without hashing for keys that are close to each other.
class TRACEFOLD_API IdMap {
  public:
    /// Sets the expected number of entries: keys in a range of a few times this number need no
    /// hashing, and may be added in any order. Rising keys need no call.
    void reserve(u64 entries);
    /// Adds an entry or replaces it.
    void set(u64 key, u64 value);
    /// Adds an entry; returns false and has no effect if the key exists.
    bool add(u64 key, u64 value) {
        if (contains(key)) return false;
        set(key, value);
        return true;
    }
    [[nodiscard]] std::optional<u64> find(u64 key) const;
    [[nodiscard]] bool contains(u64 key) const { return find(key).has_value(); }
    /// Returns the value of a key, or the key itself without an entry.
    [[nodiscard]] u64 at(u64 key) const {
        const u64 place = key - first_;
        if (place < near_.size() && near_[place] != kAbsent) return near_[place];
        return far_.empty() ? key : find(key).value_or(key);
    }
    bool operator==(const IdMap&) const = default;

  private:
    static constexpr u64 kAbsent = ~u64{0};

    u64 near_limit_ = 0;     ///< largest size of near_ but for rising keys
    u64 entries_ = 0;        ///< added to near_
    u64 first_ = 0;          ///< key of the first value in near_
    std::vector<u64> near_;  ///< by key; kAbsent: maybe in far_
    std::unordered_map<u64, u64> far_;
};

}  // namespace tracefold
