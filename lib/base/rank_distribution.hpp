// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace tracefold {

/// P(U <= u) for u = 0, 1, ... of Mann and Whitney's U, the number of pairs in which the value of
/// one sample is above that of the other, of samples of these sizes without difference: exact up to
/// 30 values each, beyond that by the normal distribution. Cost: up to the product of the sizes
/// squared; memory: that product, times the first size.
std::vector<double> mann_whitney_distribution(std::size_t first, std::size_t other);

}  // namespace tracefold
