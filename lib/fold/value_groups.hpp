// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Deals numbers out to keys. Cost: O(1) per number; memory: the numbers and the largest key.
class ValueGroups {
  public:
    void add(u32 key, u64 value) {
        if (key >= last_.size()) last_.resize(std::size_t{key} + 1, kNone);
        const auto entry = static_cast<u32>(entries_.size());
        entries_.push_back({value, kNone});
        if (last_[key] == kNone) {
            groups_.push_back({key, entry});
        } else {
            entries_[last_[key]].next = entry;
        }
        last_[key] = entry;
    }

    /// Gives `take` every key that has numbers, and these in the order in which they came; empty
    /// afterwards.
    template <class Take>
    void give_out(const Take& take) {
        for (const Group& group : groups_) {
            values_.clear();
            for (u32 at = group.first; at != kNone; at = entries_[at].next) {
                values_.push_back(entries_[at].value);
            }
            last_[group.key] = kNone;
            take(group.key, std::span<u64>(values_));
        }
        groups_.clear();
        entries_.clear();
    }

  private:
    struct Group {
        u32 key;
        u32 first;
    };
    struct Entry {
        u64 value;
        u32 next;
    };

    std::vector<Group> groups_;
    std::vector<Entry> entries_;
    std::vector<u32> last_;  ///< entry, by key
    std::vector<u64> values_;
};

}  // namespace tracefold
