// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/common_clock.hpp"

#include <vector>

namespace tracefold::inline analysis {

/// By location, the one whose clock offsets count for it: what runs on one node reads one clock,
/// and offsets that were measured between its processes are noise that would turn messages round.
/// Of a node it is the first rank's location; without a node everyone's own.
std::vector<u32> clock_owners(TraceFile& file);

/// The clock that people are told the time by.
CommonClock common_clock(TraceFile& file);

}  // namespace tracefold::inline analysis
