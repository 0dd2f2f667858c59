// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// A measured number of one run, such as seconds. Several of one size are repetitions.
struct Measurement {
    double size = 0;  ///< ranks, or another parameter of the run; at least 1
    double value = 0;
};

/// How a number grows: c0 + c1 p^i log2(p)^j, the performance model normal form of Extra-P with one
/// term (Calotoiu, Hoefler, Poke, Wolf: SC'13).
struct Growth {
    double constant = 0;
    double coefficient = 0;
    int numerator = 0;  ///< of i
    int denominator = 1;
    int logarithms = 0;  ///< j
    double error = 0;    ///< mean relative error of sizes left out, predicted from the others

    bool operator==(const Growth&) const = default;
    [[nodiscard]] bool is_constant() const { return coefficient == 0; }
};

/// The value of a growth at a size of at least 1.
double evaluate(const Growth& growth, double size);

/// The growth with the least error of sizes that were left out one by one. A term has to earn its
/// place: with fewer than three sizes, or if it is not clearly better, the number is constant;
/// more than p^1.5 has to be within 5 %.
/// Precondition: at least one measurement. Cost: candidates times sizes squared.
Growth fit_growth(std::span<const Measurement> measurements);

/// "1.2e-05 + 3e-06 p log2(p)"; numbers in SI units without a unit. `parameter`: what the size is
/// called.
std::string to_text(const Growth& growth, std::string_view parameter = "p");

}  // namespace tracefold
