// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/flat_map.hpp"
#include "base/hash.hpp"
#include "base/types.hpp"
#include "model/participants.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tracefold {

/// A partition of locations into classes, split fact by fact; those of class kNone take no part.
/// Cost of a split: some nanoseconds per location. Memory: one number per location.
class LocationClasses {
  public:
    /// The first partition: a class for each number.
    explicit LocationClasses(std::vector<u32> numbers) : class_of_(std::move(numbers)) {
        for (const u32 number : class_of_) {
            if (number != kNone) count_ = std::max(count_, number + 1);
        }
    }

    /// Splits the classes of these locations: those of one class with equal values stay together.
    /// `next()` returns the value of each of them, in rising order of locations. Precondition: each
    /// class is among them as a whole, or not at all.
    template <class Next>
    void split(const ParticipantList& who, Next next) {
        FlatMap<Key, u32, KeyHash> parts;
        FlatMap<u32, u8, NumberHash> met;
        Key last{kNone, 0};
        u32 part = kNone;
        for (const ParticipantList::Run& run : who.runs()) {
            for (u32 i = 0; i < run.count; ++i) {
                u32& of = class_of_[run.start + i * run.stride];
                const Key key{of, next()};
                if (of == kNone) continue;
                if (!(key == last)) {
                    const auto [number, is_new] = parts.try_emplace(key, of);
                    // The first part keeps the number of the class.
                    if (is_new && !met.try_emplace(of, 0).second) *number = count_++;
                    part = *number;
                    last = key;
                }
                of = part;
            }
        }
    }

    /// Numbers the classes by their first locations; returns how many there are.
    u32 renumber() {
        std::vector<u32> number_of(count_, kNone);
        count_ = 0;
        for (u32& of : class_of_) {
            if (of == kNone) continue;
            u32& number = number_of[of];
            if (number == kNone) number = count_++;
            of = number;
        }
        return count_;
    }

    [[nodiscard]] u32 of(u32 location) const { return class_of_[location]; }
    /// Upper bound of the numbers.
    [[nodiscard]] u32 count() const { return count_; }
    [[nodiscard]] const std::vector<u32>& all() const { return class_of_; }

  private:
    struct Key {
        u32 of;
        u64 value;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        u64 operator()(const Key& key) const { return key.value * kGolden + key.of; }
    };

    std::vector<u32> class_of_;
    u32 count_ = 0;  ///< of the numbers in use
};

}  // namespace tracefold
