// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/parameter_search.hpp"

#include <algorithm>

namespace tracefold {

ParameterSearch::ParameterSearch(std::span<const Point> known, double target, double most,
                                 double precision)
    : target_(target), most_(most), precision_(precision) {
    // Every tangent is below the function, so that it reaches the target on the right of it.
    double nearest = most;
    for (const Point& point : known) {
        if (point.slope <= 0) continue;
        nearest = std::min(nearest, point.value + (target - point.result) / point.slope);
    }
    wanted_ = nearest;
}

void ParameterSearch::take(const Point& point) {
    const double over = point.result - target_;
    const double at = *wanted_;
    wanted_.reset();
    if (over < -precision_ && at >= most_) return;
    const bool is_there = over <= precision_ || point.slope <= 0 || ++steps_ >= kMostSteps;
    const double next = is_there ? at : at - over / point.slope;
    if (is_there || next >= at) {
        found_ = at;
        return;
    }
    wanted_ = next;
}

}  // namespace tracefold
