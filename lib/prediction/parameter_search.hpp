// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>
#include <optional>
#include <span>

namespace tracefold {

/// Looks for the value of a parameter at which a convex, piecewise linear, rising function reaches
/// a target. The function is above its tangents and below its chords: the nearest tangent reaches
/// the target on the right of that value (Newton's method), the chord on the left. Both are asked
/// for at once, and come nearer with each step. Between two points with one tangent the function is
/// a line, so that the value is known without a look at it.
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

    /// Where the function is wanted next; empty once all is known.
    [[nodiscard]] std::span<const double> wanted() const { return {wanted_.data(), count_}; }
    /// The function at each of wanted().
    void take(std::span<const Point> points);
    /// Where it reaches the target; nothing if it does not up to the most.
    [[nodiscard]] std::optional<double> found() const { return found_; }

  private:
    static constexpr int kMostSteps = 64;

    void note(const Point& point);
    [[nodiscard]] bool is_line() const;
    void find_next();

    double target_;
    double most_;
    double precision_;
    int steps_ = 0;
    std::optional<Point> left_;   ///< the last one known that does not reach the target
    std::optional<Point> right_;  ///< the first one known that is beyond
    std::array<double, 2> wanted_{};
    std::size_t count_ = 0;  ///< of wanted_
    std::optional<double> found_;
};

}  // namespace tracefold
