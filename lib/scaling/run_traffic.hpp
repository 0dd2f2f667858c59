// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/trace_file.hpp"

#include <string>
#include <vector>

namespace tracefold::inline scaling {

/// What the calls of one function send or receive in one run: sums over all ranks. A member's part
/// in a collective operation counts as sent.
struct CallTraffic {
    std::string call;  ///< "MPI_Isend"
    bool sends = false;
    u64 transfers = 0;
    u64 bytes = 0;
    u64 partners = 0;  ///< different peers of each rank; 0: none, as of collectives, or not known
};

/// By name of the function, what it receives first. Throws Error(corrupt). Cost: as
/// visit_transfers(); memory also grows with the pairs of ranks that exchange something.
std::vector<CallTraffic> traffic_of(TraceFile& file);

}  // namespace tracefold::inline scaling
