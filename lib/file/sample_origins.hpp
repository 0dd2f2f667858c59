// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string>
#include <vector>

namespace tracefold {

class TraceFile;

/// The interrupt generators of call-stack samples (CallingContextSample records).
struct SampleOrigins {
    /// A timer or counter that interrupts the program to take samples.
    struct Generator {
        std::string name;  ///< empty: the trace does not define it
        u64 samples = 0;
    };

    std::vector<Generator> generators;  ///< that took samples, by number
    u64 without_context = 0;            ///< samples whose call stack is not defined
};

/// Counts the samples of the selected locations. Cost: none without samples, else the events of the
/// locations that have some. Throws Error(corrupt).
SampleOrigins sample_origins(TraceFile& file, const std::vector<bool>& selected);

}  // namespace tracefold
