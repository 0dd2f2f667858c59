// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/structure.hpp"

#include <span>
#include <vector>

namespace tracefold::inline model {

/// The numbers of a column that a relative of it may have otherwise, in the order of the file:
/// start (if the form has one) and stride, or the values; of a folded column, start and the numbers
/// of its alphabet.
std::vector<u64> family_numbers(const std::vector<Column>& columns, const Column& column);

/// True if two columns have as many such numbers and differ in nothing else.
bool are_relatives(const std::vector<Column>& columns, const Column& a, const Column& b);

/// Replaces the numbers of a column without an alphabet. Precondition: as many as it has.
void set_family_numbers(Column& column, std::span<const u64> numbers);

}  // namespace tracefold::inline model
