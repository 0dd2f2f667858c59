// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/figures.hpp"

#include <array>

namespace tracefold::inline stats {

void Figures::merge(const Figures& other) {
    for (std::size_t over = 0; over < kOvers; ++over) {
        for (std::size_t quantity = 0; quantity < kQuantities; ++quantity) {
            moments_[over][quantity].merge(other.moments_[over][quantity]);
        }
    }
}

std::string_view quantity_name(Quantity quantity) {
    constexpr std::array<std::string_view, kQuantities> kNames = {"calls",    "time", "sent",
                                                                  "received", "read", "written"};
    return kNames[static_cast<std::size_t>(quantity)];
}

std::string_view over_name(Over over) {
    constexpr std::array<std::string_view, kOvers> kNames = {"calls", "ranks", "iterations"};
    return kNames[static_cast<std::size_t>(over)];
}

}  // namespace tracefold::inline stats
