// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/timing_model.hpp"

#include <random>

namespace tracefold {

/// Durations of `symbols` symbols with two elements each at one location.
inline TimingModel random_timing_model(std::mt19937_64& random, u32 symbols, u32 location) {
    const auto durations = [&random, location] {
        Durations result;
        for (u64 i = 0, count = 1 + random() % 20; i < count; ++i) {
            result.all.add((random() >> 20U) >> (random() % 44));
        }
        result.means = {{location, 1, rounded_mean(result.all.mean())}};
        return result;
    };
    TimingModel model;
    for (u32 to = 0; to < symbols; ++to) {
        model.nodes.push_back({to, durations(), {{0, 0}, {random() % 9, random() % 1000}}});
        for (u32 from = 0; from < symbols; ++from) {
            if (random() % 3 == 0) model.edges.push_back({from, to, durations()});
        }
    }
    return model;
}

}  // namespace tracefold
