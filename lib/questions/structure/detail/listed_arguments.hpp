// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_names.hpp"
#include "questions/structure/structure_listing.hpp"

#include <functional>
#include <vector>

namespace tracefold {

/// The records of a call symbol with their arguments for some of its participants, in rising order.
/// Request ids, their distances and matching ids are left out: they only say which record ends
/// which; the regions that a call enters and leaves are its name.
std::vector<ListedRecord> list_records(ListingSource& source, u32 symbol,
                                       const std::vector<u32>& members);

/// One argument of a call symbol, whose numbers `variants` gives, as signed ones if so asked.
using VariantsOf = std::function<std::vector<ListedVariant>(bool is_signed)>;
ListedArgument list_argument(ListingSource& source, u32 symbol, u32 slot,
                             const VariantsOf& variants);

/// The variants of any argument or count. `use` gives the numbers of a member, `summary` what they
/// come to; members with the same numbers are summarised once, those with equal summaries join.
std::vector<ListedVariant> list_variants(
    const std::vector<u32>& members, const Structure& structure,
    const std::function<ExecutionCounts::Use(u32 member)>& use,
    const std::function<ValueSummary(const ExecutionCounts::Use&)>& summary);

}  // namespace tracefold
