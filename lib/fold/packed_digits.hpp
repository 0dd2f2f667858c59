// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Digits that nothing predicts, such as those of orders by chance, in about as many bits as they
/// have: as many of them together as stay below 64^10 are one number, the first one worth most,
/// which is told by parts of 6 bits, the highest first. Precondition: each digit is below its size,
/// which is at least 1. Cost: linear.
std::vector<u64> pack_digits(std::span<const u64> digits, std::span<const u32> sizes);

/// How many parts digits of these sizes have.
u64 packed_parts(std::span<const u32> sizes);

/// The inverse. Error(corrupt) is thrown if the parts are those of no digits. Precondition: so many
/// parts as packed_parts() says.
std::vector<u64> unpack_digits(std::span<const u64> parts, std::span<const u32> sizes);

}  // namespace tracefold
