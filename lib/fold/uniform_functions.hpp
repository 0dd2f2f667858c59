// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/function_draft.hpp"
#include "fold/number_table.hpp"

#include <optional>
#include <span>

namespace tracefold {

/// Functions of the numbers of participants that all have equally many; nothing if some number is
/// no function on any grid. Precondition: the numbers have a size. Cost: the numbers of all
/// participants, for each grid.
std::optional<FunctionDraft> find_uniform(const NumberTable& numbers, std::span<const u32> columns);

/// The same with a function for each number, so that the order of functions says nothing.
FunctionDraft with_one_each(const FunctionDraft& draft);

/// The same functions by other offsets, see make_steady(). Precondition: all numbers are present
/// everywhere.
FunctionDraft with_steady_offsets(FunctionDraft draft);

}  // namespace tracefold
