// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cut/interval.hpp"
#include "cut/number_set.hpp"
#include "cut/partner_book.hpp"
#include "trace/trace_file.hpp"

namespace tracefold {

/// Which operations are not whole in a part, or have no partner there.
struct PartnerFindings {
    std::vector<NumberSet> left_out;  ///< by location: numbers of TracedOperation
    PartnerCounts counts;
};

/// Walks through all ranks of the part twice. What becomes of operations, docs/cut.md tells.
/// Memory: see PartnerBook; a location of one rank at a time. Throws Error(corrupt).
PartnerFindings find_partners(TraceFile& file, const CutRequest& request,
                              const std::vector<Intervals>& intervals);

}  // namespace tracefold
