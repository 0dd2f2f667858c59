// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/compare/comparison.hpp"

#include <ostream>

namespace tracefold {

/// One line per number: section, report, rank, name, quantity, value.
void write_comparison_csv(std::ostream& out, const Comparison& comparison);

}  // namespace tracefold
