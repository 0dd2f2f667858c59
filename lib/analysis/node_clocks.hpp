// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/common_clock.hpp"

namespace tracefold {

/// The clock that people are told the time by. What runs on one node reads one clock, and offsets
/// that were measured between its processes are noise that would turn messages round: those of the
/// node's first rank count for all that are near them. Processes whose offsets differ by more than
/// a tenth of a second, as in different containers or on nodes that the archive calls one, read
/// clocks of their own; without a node everyone does.
CommonClock common_clock(TraceFile& file);

}  // namespace tracefold
