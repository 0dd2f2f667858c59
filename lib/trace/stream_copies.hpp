// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_kinds.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// The copies that run on a stream of an accelerator: accesses to a window, from the record that
/// begins one (begins_copy()) to the record that completes it (ends_copy()). A completion belongs
/// to the oldest copy with its window and matching id; recorders that write other ids complete the
/// oldest copy of the window. Memory: copies that have not completed.
class StreamCopies {
  public:
    struct Copy {
        u64 id = 0;  ///< no other region or copy of the location has it
        bool to_device = false;
        u64 bytes = 0;
        u64 window = 0;
        u64 matching = 0;
    };

    /// True for ids of copies among those of regions, which have 32 bits.
    static constexpr bool is_copy(u64 id) { return id >= kFirst; }

    const Copy& begin(u8 type, std::span<const u64> values) {
        return open_.emplace_back(Copy{kFirst + next_++, type == static_cast<u8>(EventType::RmaGet),
                                       values[2], values[0], values[3]});
    }
    /// Nothing if the record completes no copy.
    std::optional<Copy> end(std::span<const u64> values) {
        auto found = std::find_if(open_.begin(), open_.end(), [&](const Copy& it) {
            return it.window == values[0] && it.matching == values[1];
        });
        if (found == open_.end()) {
            found = std::find_if(open_.begin(), open_.end(),
                                 [&](const Copy& it) { return it.window == values[0]; });
        }
        if (found == open_.end()) return std::nullopt;
        const Copy copy = *found;
        open_.erase(found);
        return copy;
    }

  private:
    static constexpr u64 kFirst = u64{1} << 62U;

    std::vector<Copy> open_;
    u64 next_ = 0;
};

}  // namespace tracefold
