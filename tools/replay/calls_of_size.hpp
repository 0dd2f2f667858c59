// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string>

namespace tracefold {

/// Calls of one function that send and receive about as many bytes each, by all ranks in one
/// repetition.
struct CallsOfSize {
    std::string function;
    u64 from_bytes = 0;  ///< 0, or a power of two up to whose double the size of a call is
    u64 calls = 0;
    u64 bytes = 0;        ///< of all calls together, as OTF2 counts them
    double seconds = 0;   ///< of all calls together, mean of the repetitions
    double shortest = 0;  ///< seconds of a single call

    /// Seconds of a call.
    [[nodiscard]] double mean() const {
        return calls == 0 ? 0 : seconds / static_cast<double>(calls);
    }
    /// Bytes per second; 0 if there are none.
    [[nodiscard]] double bandwidth() const {
        return seconds <= 0 ? 0 : static_cast<double>(bytes) / seconds;
    }
};

}  // namespace tracefold
