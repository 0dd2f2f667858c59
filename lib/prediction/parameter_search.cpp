// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/parameter_search.hpp"

#include <algorithm>
#include <cmath>

namespace tracefold {

namespace {

using Point = ParameterSearch::Point;

/// Where the tangent of a point reaches a target.
double reach(const Point& point, double target) {
    return point.value + (target - point.result) / point.slope;
}

}  // namespace

ParameterSearch::ParameterSearch(std::span<const Point> known, double target, double most,
                                 double precision)
    : target_(target), most_(most), precision_(precision) {
    for (const Point& point : known) note(point);
    find_next();
}

void ParameterSearch::note(const Point& point) {
    if (point.result <= target_) {
        if (!left_ || point.value >= left_->value) left_ = point;
    } else if (!right_ || point.value < right_->value) {
        right_ = point;
    }
}

void ParameterSearch::take(std::span<const Point> points) {
    count_ = 0;
    ++steps_;
    for (const Point& point : points) {
        if (std::abs(point.result - target_) <= precision_) found_ = point.value;
        note(point);
    }
    if (!found_) find_next();
}

/// True if the tangent at the right goes through the point at the left.
bool ParameterSearch::is_line() const {
    const double there = right_->result + right_->slope * (left_->value - right_->value);
    return std::abs(there - left_->result) <= precision_;
}

void ParameterSearch::find_next() {
    double tangent = most_;
    if (left_ && left_->slope > 0) tangent = std::min(tangent, reach(*left_, target_));
    if (!right_) {
        // As far as anybody looks it is not reached.
        if (left_ && left_->value >= most_) return;
        wanted_[count_++] = tangent;
        return;
    }
    if (right_->slope > 0) tangent = std::min(tangent, reach(*right_, target_));
    const bool is_known = right_->slope <= 0 || steps_ >= kMostSteps || tangent >= right_->value;
    if (is_known || (left_ && is_line())) {
        const double value = is_known ? right_->value : reach(*right_, target_);
        if (value <= most_) found_ = value;
        return;
    }
    wanted_[count_++] = tangent;
    if (!left_) return;
    const double rise = (right_->result - left_->result) / (right_->value - left_->value);
    const double chord = left_->value + (target_ - left_->result) / rise;
    if (chord > left_->value && chord < tangent) wanted_[count_++] = chord;
}

}  // namespace tracefold
