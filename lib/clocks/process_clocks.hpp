// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "clocks/clock_correction.hpp"
#include "trace/clock_map.hpp"

#include <vector>

namespace tracefold::inline clocks {

/// The clocks of a trace: each location's own, from there the common one by the recorded offsets,
/// and what that is corrected by. The locations of a process are corrected alike, so that what its
/// threads, streams and metrics say about each other stays.
class ProcessClocks {
  public:
    /// The file must outlive this object. Throws Error(corrupt).
    explicit ProcessClocks(TraceFile& file);

    [[nodiscard]] u32 process_of(u32 location) const { return process_of_[location]; }
    /// A location's time on the common clock, not corrected.
    [[nodiscard]] u64 common(u32 location, u64 time) const { return maps_[location].common(time); }
    [[nodiscard]] u64 corrected(u32 location, u64 common) const {
        return corrections_[process_of_[location]].corrected(common);
    }
    /// By process.
    [[nodiscard]] std::vector<ClockCorrection>& corrections() { return corrections_; }
    [[nodiscard]] const std::vector<ClockCorrection>& corrections() const { return corrections_; }

  private:
    std::vector<u32> process_of_;  ///< by location
    std::vector<ClockMap> maps_;   ///< by location
    std::vector<ClockCorrection> corrections_;
};

}  // namespace tracefold::inline clocks
