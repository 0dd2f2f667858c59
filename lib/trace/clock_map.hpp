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

    /// Cost: logarithmic in the number of offsets.
    [[nodiscard]] u64 common(u64 time) const;

  private:
    std::vector<Offset> offsets_;  ///< by rising time, each time once
};

}  // namespace tracefold
