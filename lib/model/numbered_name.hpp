// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// A name taken apart: "MPI Rank 17" is what lies around its numbers, and 17.
struct NumberedName {
    static constexpr std::size_t kMaxNumbers = 8;
    static constexpr std::size_t kMaxLength = 4096;
    static constexpr std::size_t kMaxDigits = 18;

    std::string shape;  ///< the name with a NUL in the place of each number
    std::vector<u64> numbers;
};

/// Takes a name apart. No numbers if it has none, or more or longer ones than the limits, or a NUL.
NumberedName split_name(std::string_view name);

/// The name that is like `model` but for its numbers. A number of the model that begins with a
/// zero, and is not 0 itself, says how many digits there are at least.
/// Precondition: as many numbers as split_name(model) has.
std::string join_name(std::string_view model, std::span<const u64> numbers);

}  // namespace tracefold
