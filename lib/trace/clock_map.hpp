// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/trace_file.hpp"

#include <vector>

namespace tracefold {

/// From the clock of a location to one that all share, by the clock offsets among its local
/// definitions, as OTF2's readers do: linear between two of them, and on beyond the first and the
/// last. Without offsets times stay as they are.
class ClockMap {
  public:
    struct Offset {
        u64 time = 0;
        i64 offset = 0;
    };

    ClockMap() = default;
    explicit ClockMap(std::vector<Offset> offsets);
    /// Throws Error(corrupt).
    ClockMap(TraceFile& file, u32 location);

    /// True if there are no offsets, so that times stay as they are.
    [[nodiscard]] bool empty() const { return offsets_.empty(); }
    /// True if both differ by no more than so many ticks, wherever an offset of one was measured.
    [[nodiscard]] bool is_near(const ClockMap& other, u64 ticks) const;
    /// Greatest share by which a stretch of time is longer or shorter on the common clock.
    [[nodiscard]] double drift() const;

    /// Cost: logarithmic in the number of offsets.
    [[nodiscard]] u64 common(u64 time) const;

  private:
    std::vector<Offset> offsets_;  ///< by rising time, each time once
};

}  // namespace tracefold
