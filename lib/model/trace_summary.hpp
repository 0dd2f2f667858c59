// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "model/file_loss.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// What a file keeps of the time of events.
enum class TimingLevel : u8 {
    none,       ///< their order
    exact,      ///< every tick
    histogram,  ///< durations merged over iterations and ranks (TimingModel)
    quantized,  ///< every difference between records to within a relative error
};

/// "exact"
constexpr std::string_view timing_name(TimingLevel level) {
    constexpr std::array<std::string_view, 4> kNames = {"none", "exact", "histogram", "quantized"};
    return kNames[static_cast<std::size_t>(level)];
}

/// True if the file has a time of its own for every record.
constexpr bool keeps_every_time(TimingLevel level) {
    return level == TimingLevel::exact || level == TimingLevel::quantized;
}

/// How a file was made, and what was left out or had been lost before.
struct TraceSummary {
    std::string producer;  ///< "tracefold 0.1.0"
    TimingLevel timing = TimingLevel::exact;
    u32 time_error_ppm = 0;           ///< of quantized times, in parts per million
    u64 dropped_unknown_records = 0;  ///< records of types that OTF2 did not know
    u64 dropped_clock_offsets = 0;    ///< without a time per record they mean nothing
    u64 archive_bytes = 0;            ///< size of the archive's files
    /// Restoring gives every byte of the archive's files, which was proven when the file was made.
    bool exact_bytes = false;
    std::vector<FileLoss> losses;  ///< what was damaged in an archive that was rescued

    bool operator==(const TraceSummary&) const = default;
};

}  // namespace tracefold
