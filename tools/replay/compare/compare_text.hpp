// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "replay/compare/comparison.hpp"

namespace tracefold {

/// Prints times over the ranks, calls by size, and what the differences consist of, as tables.
void print_comparison(const Comparison& comparison, Console& console);

}  // namespace tracefold
