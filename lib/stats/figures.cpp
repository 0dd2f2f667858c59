// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/figures.hpp"

namespace tracefold::inline stats {

void Figures::merge(const Figures& other) {
    for (std::size_t over = 0; over < kOvers; ++over) {
        for (std::size_t quantity = 0; quantity < kQuantities; ++quantity) {
            moments_[over][quantity].merge(other.moments_[over][quantity]);
        }
    }
}

std::string_view quantity_name(Quantity quantity) {
    switch (quantity) {
        case Quantity::calls:
            return "calls";
        case Quantity::time:
            return "time";
        case Quantity::sent:
            return "sent";
        case Quantity::received:
            return "received";
        case Quantity::read:
            return "read";
        case Quantity::written:
            break;
    }
    return "written";
}

std::string_view over_name(Over over) {
    switch (over) {
        case Over::calls:
            return "calls";
        case Over::ranks:
            return "ranks";
        case Over::iterations:
            break;
    }
    return "iterations";
}

}  // namespace tracefold::inline stats
