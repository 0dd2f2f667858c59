// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/clock_granularity.hpp"

#include <map>
#include <numeric>

namespace tracefold {

namespace {

constexpr std::size_t kSample = 8192;
constexpr std::size_t kEnough = 32;

}  // namespace

u64 clock_granularity(const std::vector<CallBatch::Delta>& deltas) {
    std::vector<u64> sample;
    // The first difference is the clock's start value, which need not be a multiple.
    for (std::size_t i = 1; i < deltas.size() && sample.size() < kSample; ++i) {
        if (deltas[i].ticks != 0) sample.push_back(deltas[i].ticks);
    }
    if (sample.size() < kEnough) return 1;
    std::map<u64, std::size_t> votes;
    for (std::size_t i = 1; i < sample.size(); ++i) ++votes[std::gcd(sample[i - 1], sample[i])];
    u64 best = 1;
    std::size_t most = 0;
    for (const auto& [divisor, count] : votes) {
        if (count > most) {
            most = count;
            best = divisor;
        }
    }
    std::size_t multiples = 0;
    for (const u64 ticks : sample) multiples += ticks % best == 0 ? 1 : 0;
    return 20 * multiples >= 19 * sample.size() ? best : 1;
}

}  // namespace tracefold
