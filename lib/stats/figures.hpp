// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stats/moments.hpp"
#include "stats/sample.hpp"

#include <array>

namespace tracefold::inline stats {

/// The statistics of one row: of each quantity, over calls, ranks and iterations. Only those that
/// call it at all count: a location that never does is no sample.
class Figures {
  public:
    [[nodiscard]] const Moments& of(Over over, Quantity quantity) const {
        return moments_[static_cast<std::size_t>(over)][static_cast<std::size_t>(quantity)];
    }
    [[nodiscard]] Moments& of(Over over, Quantity quantity) {
        return moments_[static_cast<std::size_t>(over)][static_cast<std::size_t>(quantity)];
    }
    [[nodiscard]] u64 calls() const { return of(Over::calls, Quantity::calls).count(); }
    [[nodiscard]] u64 ranks() const { return of(Over::ranks, Quantity::calls).count(); }

    void merge(const Figures& other);
    static void each_field(auto& self, auto& visit) { visit(self.moments_); }

    bool operator==(const Figures&) const = default;

  private:
    std::array<std::array<Moments, kQuantities>, kOvers> moments_;
};

}  // namespace tracefold::inline stats
