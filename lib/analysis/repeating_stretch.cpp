// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/repeating_stretch.hpp"

namespace tracefold {

/// The failure function of Knuth, Morris and Pratt.
u64 shortest_period(const std::vector<u64>& numbers) {
    std::vector<std::size_t> border(numbers.size() + 1, 0);
    std::size_t length = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        while (length > 0 && numbers[i] != numbers[length]) length = border[length];
        if (numbers[i] == numbers[length]) ++length;
        border[i + 1] = length;
    }
    return numbers.size() - border.back();
}

u64 reaches_back(const std::vector<u32>& numbers, std::size_t begin, std::size_t period) {
    u64 more = 0;
    while (more < begin && begin - more - 1 + period < numbers.size() &&
           numbers[begin - more - 1] == numbers[begin - more - 1 + period]) {
        ++more;
    }
    return more;
}

}  // namespace tracefold
