// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_names.hpp"
#include "questions/structure/structure_listing.hpp"

#include <functional>
#include <vector>

namespace tracefold {

/// The records of a call symbol with their arguments, for some of its participants in ascending
/// order. Omits request ids, request distances and matching ids, which only link records, and
/// regions entered and left, which name the call.
std::vector<ListedRecord> list_records(ListingSource& source, u32 symbol,
                                       const std::vector<u32>& members);

/// Returns the variants of one argument of a call symbol; reads its numbers as signed on request.
using VariantsOf = std::function<std::vector<ListedVariant>(bool is_signed)>;
ListedArgument list_argument(ListingSource& source, u32 symbol, u32 slot,
                             const VariantsOf& variants);

/// The variants of an argument or count. `use` returns the numbers of a member, `summary`
/// summarises them. Members with the same numbers are summarised once; members with equal summaries
/// share a variant.
std::vector<ListedVariant> list_variants(
    const std::vector<u32>& members, const FoldedSource& source,
    const std::function<ExecutionCounts::Use(u32 member)>& use,
    const std::function<ValueSummary(const ExecutionCounts::Use&)>& summary);

}  // namespace tracefold
