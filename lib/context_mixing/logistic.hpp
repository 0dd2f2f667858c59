// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

/// Probabilities on the logistic scale: x stands for 1 / (1 + e^(-x / 256)). squash() and its
/// inverse are squash() and stretch() of Mahoney's lpaq and PAQ8, but with probabilities of 16
/// bits.
inline constexpr int kMaxLogit = 2047;

/// The probability of x, from -2048 on, in 1/65536, never 0 or 1; between 33 exact values by
/// straight lines. Integers only, so that every machine finds the same.
inline constexpr std::array<u16, 4096> kProbabilities = [] {
    constexpr std::array<int, 33> kExact{
        22,    36,    60,    98,    162,   267,   439,   720,   1179,  1921,  3108,
        4971,  7812,  11955, 17625, 24743, 32768, 40793, 47911, 53581, 57724, 60565,
        62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514};
    std::array<u16, 4096> probabilities{};
    for (std::size_t place = 0; place < probabilities.size(); ++place) {
        const std::size_t below = place >> 7U;
        const int part = (kExact[below + 1] - kExact[below]) * static_cast<int>(place & 127U);
        probabilities[place] = static_cast<u16>(kExact[below] + (part >> 7));
    }
    return probabilities;
}();

/// The probability of a number on the logistic scale.
constexpr int squash(int logit) {
    return kProbabilities[static_cast<std::size_t>(std::clamp(logit, -kMaxLogit, kMaxLogit) +
                                                   2048)];
}

/// The inverse: the smallest x whose probability, in 1/4096, is at least `probability`.
inline constexpr std::array<std::int16_t, 4096> kLogits = [] {
    std::array<std::int16_t, 4096> logits{};
    int logit = -kMaxLogit;
    for (int probability = 0; probability < 4096; ++probability) {
        while (logit < kMaxLogit && squash(logit) >> 4 < probability) ++logit;
        logits[static_cast<std::size_t>(probability)] = static_cast<std::int16_t>(logit);
    }
    return logits;
}();

}  // namespace tracefold
