// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <span>

namespace tracefold {

/// The step in which a clock really moves: timers seldom have the resolution that they claim (a
/// 2.6 GHz counter that moves by 26). It is the most frequent common divisor of neighbouring
/// differences if nearly all differences are multiples of it, else 1. Looks at a bounded sample.
u64 clock_granularity(std::span<const u64> ticks);

}  // namespace tracefold
