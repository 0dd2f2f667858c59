// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A map between numbers, without hashing for keys that are close to each other, and without memory
/// for long progressions of successive keys.
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
        return far_.empty() && line_.empty() ? key : find(key).value_or(key);
    }
    bool operator==(const IdMap&) const = default;

  private:
    static constexpr u64 kAbsent = ~u64{0};
    static constexpr u64 kShortestLine = 1024;

    /// Values of the keys from first_ on that make a progression; in place of near_.
    struct Line {
        u64 start = 0;
        u64 stride = 0;
        u64 size = 0;

        [[nodiscard]] bool empty() const { return size == 0; }
        [[nodiscard]] u64 at(u64 place) const { return start + stride * place; }
        bool operator==(const Line&) const = default;
    };
    void find_line();

    u64 near_limit_ = 0;     ///< largest size of near_ but for rising keys
    u64 entries_ = 0;        ///< added to near_
    u64 first_ = 0;          ///< key of the first value in near_
    std::vector<u64> near_;  ///< by key; kAbsent: maybe in far_
    Line line_;
    u64 next_search_ = kShortestLine;  ///< size of near_ at which a line is looked for
    std::unordered_map<u64, u64> far_;
};

}  // namespace tracefold
