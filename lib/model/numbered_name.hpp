// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// A name split into its text and its numbers: "MPI Rank 17" is "MPI Rank " and 17.
struct NumberedName {
    static constexpr std::size_t kMaxNumbers = 8;
    static constexpr std::size_t kMaxLength = 4096;
    static constexpr std::size_t kMaxDigits = 18;

    std::string shape;  ///< the name with a NUL in place of each number
    std::vector<u64> numbers;
};

/// Splits a name. Returns no numbers if it has none, more or longer ones than the limits, or a NUL.
NumberedName split_name(std::string_view name);

/// Returns `model` with these numbers. A number of the model with leading zeros sets the minimum
/// number of digits. Precondition: as many numbers as split_name(model) has.
std::string join_name(std::string_view model, std::span<const u64> numbers);

}  // namespace tracefold
