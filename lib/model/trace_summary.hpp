// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string>

namespace tracefold {

/// What a file keeps of the time of events.
enum class TimingLevel : u8 {
    none,   ///< their order
    exact,  ///< every tick
};

/// How a file was made, and what was left out on request.
struct TraceSummary {
    std::string producer;  ///< "tracefold 0.1.0"
    TimingLevel timing = TimingLevel::exact;
    u64 dropped_unknown_records = 0;  ///< records of types that OTF2 did not know
    u64 dropped_clock_offsets = 0;    ///< without exact timing they mean nothing
    u64 archive_bytes = 0;            ///< size of the archive's files

    bool operator==(const TraceSummary&) const = default;
};

}  // namespace tracefold
