// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold::inline stats {

/// Of the numbers that all processes give, on all of them. Collective.
inline u64 sum_over(Communicator& comm, u64 number) {
    const std::vector<u64> numbers = comm.all_gather(number);
    return std::accumulate(numbers.begin(), numbers.end(), u64{0});
}

inline u64 most_of(Communicator& comm, u64 number) {
    const std::vector<u64> numbers = comm.all_gather(number);
    return *std::max_element(numbers.begin(), numbers.end());
}

}  // namespace tracefold::inline stats
