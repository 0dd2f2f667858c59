// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

namespace tracefold::inline format {

// How a column is written (docs/format.md, "Columns").
inline constexpr u8 kConstant = 0;
inline constexpr u8 kProgression = 1;
inline constexpr u8 kList = 2;
inline constexpr u8 kSteps = 3;
inline constexpr u8 kFolded = 4;
inline constexpr u8 kDifferences = 5;
inline constexpr u8 kPeriodic = 6;
inline constexpr u8 kPeriodicSteps = 7;
inline constexpr u8 kRuns = 8;
inline constexpr u8 kLike = 9;

// How an alphabet is written.
inline constexpr u64 kLetters = 0;
inline constexpr u64 kLetterSteps = 1;
inline constexpr u64 kLetterProgression = 2;
inline constexpr u64 kKnownAlphabet = 3;

}  // namespace tracefold::inline format
