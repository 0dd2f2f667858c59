// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// A measured number of one run, e.g. seconds. Several of one size are repetitions.
struct Measurement {
    double size = 0;  ///< ranks, or another parameter of the run; >= 1
    double value = 0;
};

/// Growth of a number: c0 + c1 p^i log2(p)^j, the performance model normal form of Extra-P with one
/// term (Calotoiu, Hoefler, Poke, Wolf: SC'13).
struct Growth {
    double constant = 0;
    double coefficient = 0;
    int numerator = 0;  ///< of i
    int denominator = 1;
    int logarithms = 0;  ///< j
    double error = 0;    ///< mean relative error in leave-one-out cross-validation

    bool operator==(const Growth&) const = default;
    [[nodiscard]] bool is_constant() const { return coefficient == 0; }
};

/// The value of a growth. Precondition: size >= 1.
double evaluate(const Growth& growth, double size);

/// The growth with the least cross-validation error (leaving out one size each). The number is
/// constant for fewer than three sizes or if no term is clearly better; growth above p^1.5 requires
/// an error within 5 %. Precondition: at least one measurement. Cost: candidates x sizes^2.
Growth fit_growth(std::span<const Measurement> measurements);

/// "1.2e-05 + 3e-06 p log2(p)"; numbers in SI units without a unit. `parameter`: name of the size.
std::string to_text(const Growth& growth, std::string_view parameter = "p");

}  // namespace tracefold
