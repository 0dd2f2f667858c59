// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/id_map.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Bounds the memory of sparse keys.
constexpr u64 kNearKeys = 1024;
constexpr u64 kNearKeysPerEntry = 4;

}  // namespace

void IdMap::reserve(u64 entries) {
    const u64 near = std::max(kNearKeys, entries * kNearKeysPerEntry);
    if (near > near_limit_) near_limit_ = near;
}

void IdMap::set(u64 key, u64 value) {
    if (near_.empty() && line_.empty()) first_ = key;
    const u64 place = key - first_;
    if (!line_.empty()) {
        if (place <= line_.size && value == line_.at(place) && value != kAbsent) {
            entries_ += place == line_.size ? 1 : 0;
            line_.size = std::max(line_.size, place + 1);
            return;
        }
        near_.reserve(2 * line_.size);
        for (u64 i = 0; i < line_.size; ++i) near_.push_back(line_.at(i));
        line_ = {};
        next_search_ = 2 * near_.size();
    }
    const u64 rising_limit = std::max({near_limit_, kNearKeys, (entries_ + 1) * kNearKeysPerEntry});
    const bool is_near =
        key >= first_ ? place < rising_limit
                      : near_.size() < near_limit_ && first_ - key <= near_limit_ - near_.size();
    if (!is_near || value == kAbsent) {
        far_[key] = value;
        if (key >= first_ && place < near_.size()) near_[place] = kAbsent;
        return;
    }
    ++entries_;
    if (key < first_) {
        near_.insert(near_.begin(), first_ - key, kAbsent);
        first_ = key;
    } else if (place >= near_.size()) {
        near_.resize(place + 1, kAbsent);
    }
    near_[key - first_] = value;
    if (near_.size() >= next_search_) find_line();
}

/// Replaces near_ by a line if all of its keys have values in a progression.
void IdMap::find_line() {
    const Line line{near_[0], near_[1] - near_[0], near_.size()};
    next_search_ = 2 * near_.size();
    for (u64 place = 0; place < line.size; ++place) {
        if (near_[place] == kAbsent || near_[place] != line.at(place)) return;
    }
    line_ = line;
    near_ = {};
}

std::optional<u64> IdMap::find(u64 key) const {
    if (key - first_ < line_.size) return line_.at(key - first_);
    if (key - first_ < near_.size() && near_[key - first_] != kAbsent) return near_[key - first_];
    const auto found = far_.find(key);
    if (found == far_.end()) return std::nullopt;
    return found->second;
}

}  // namespace tracefold
