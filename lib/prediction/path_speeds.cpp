// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/path_speeds.hpp"

#include "profile/trace_profile.hpp"

#include <cmath>

namespace tracefold {

i64 PathSpeeds::of(u32 node, i64 time) {
    const std::size_t place = node == kNone ? 0 : std::size_t{node} + 1;
    while (known_.size() <= place) {
        const bool is_none = known_.empty();
        const auto next = static_cast<u32>(known_.size() - 1);
        known_.push_back(speed_(is_none ? std::string() : path_of(definitions_, tree_, next)));
    }
    if (known_[place] == 1) return time;
    return static_cast<i64>(std::llround(static_cast<double>(time) / known_[place]));
}

}  // namespace tracefold
