// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <optional>
#include <span>

namespace tracefold {

/// Looks for the value of a parameter at which a convex, piecewise linear, rising function reaches
/// a target, by Newton's method: from the right side it comes nearer with each step, and is there
/// once it is on the last piece.
class ParameterSearch {
  public:
    /// A point of the function, with the derivative there.
    struct Point {
        double value = 0;
        double result = 0;
        double slope = 0;
    };

    /// `known`: points of the function, at least one of which is left of the target. Looks no
    /// farther than `most`.
    ParameterSearch(std::span<const Point> known, double target, double most, double precision);

    /// Where the function is wanted next; nothing once all is known.
    [[nodiscard]] std::optional<double> wanted() const { return wanted_; }
    /// The function at wanted().
    void take(const Point& point);
    /// Where it reaches the target; nothing if it does not up to the most.
    [[nodiscard]] std::optional<double> found() const { return found_; }

  private:
    static constexpr int kMostSteps = 64;

    double target_;
    double most_;
    double precision_;
    int steps_ = 0;
    std::optional<double> wanted_;
    std::optional<double> found_;
};

}  // namespace tracefold
