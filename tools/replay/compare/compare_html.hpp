// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/compare/comparison.hpp"

#include <ostream>

namespace tracefold {

/// One page that needs no other file: what the differences consist of, times over the ranks, calls
/// by size as curves and as a table.
void write_comparison_html(std::ostream& out, const Comparison& comparison);

}  // namespace tracefold
