// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/random_source.hpp"

namespace tracefold {

/// Nested loops of a few letters, some with counts that change.
inline std::vector<u64> random_loops(RandomSource& random, int depth) {
    std::vector<u64> body;
    const u64 items = random.between(1, 4);
    for (u64 i = 0; i < items; ++i) {
        if (depth > 0 && random.one_in(2)) {
            const std::vector<u64> inner = random_loops(random, depth - 1);
            body.insert(body.end(), inner.begin(), inner.end());
        } else {
            const u64 count = random.between(1, 3);  // arguments have no order
            body.insert(body.end(), count, random.below(4));
        }
    }
    std::vector<u64> all;
    const u64 trips = random.between(1, 12);
    const u64 odd_one = random.below(2 * trips);
    for (u64 trip = 0; trip < trips; ++trip) {
        all.insert(all.end(), body.begin(), body.end());
        if (trip == odd_one) all.push_back(random.below(4));
    }
    return all;
}

}  // namespace tracefold
