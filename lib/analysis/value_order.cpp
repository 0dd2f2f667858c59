// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/value_order.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u64 kLeastProgression = 3;

bool contains(const std::vector<u64>& values, u64 value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

void OrderFinder::add(const ValueRun& run) {
    if (run.count == 0) return;
    if (could_be_progression_) add_progression(run);
    // A number that comes twice in a row has neither turns nor more than one stretch to add.
    const u64 numbers = run.stride == 0 ? std::min<u64>(run.count, 2) : run.count;
    for (u64 i = 0; i < numbers && (could_be_in_turn_ || could_be_phases_); ++i) {
        const u64 value = run.start + i * run.stride;
        if (could_be_in_turn_) add_in_turn(value);
        if (could_be_phases_) add_phase(value);
    }
    count_ += run.count;
    last_ = run.last();
}

void OrderFinder::add_progression(const ValueRun& run) {
    if (count_ == 0) {
        step_ = run.stride;
    } else if (count_ == 1) {
        step_ = run.start - last_;
    } else if (run.start - last_ != step_) {
        could_be_progression_ = false;
    }
    const bool has_step = count_ != 0 || run.count > 1;
    if (has_step && step_ == 0) could_be_progression_ = false;
    if (run.count > 1 && run.stride != step_) could_be_progression_ = false;
}

void OrderFinder::add_in_turn(u64 value) {
    if (returned_) {
        could_be_in_turn_ = value == turn_[next_];
        next_ = (next_ + 1) % turn_.size();
    } else if (!turn_.empty() && value == turn_.front()) {
        returned_ = true;
        could_be_in_turn_ = turn_.size() > 1;
        next_ = 1;
    } else if (turn_.size() == kMostNumbers || contains(turn_, value)) {
        could_be_in_turn_ = false;
    } else {
        turn_.push_back(value);
    }
}

void OrderFinder::add_phase(u64 value) {
    if (!phases_.empty() && value == phases_.back()) {
        has_stretch_ = true;
    } else if (phases_.size() == kMostNumbers || contains(phases_, value)) {
        could_be_phases_ = false;
    } else {
        phases_.push_back(value);
    }
}

ValueOrder OrderFinder::order() const {
    if (could_be_progression_ && count_ >= kLeastProgression) return ValueOrder::progression;
    if (could_be_in_turn_ && returned_ && count_ >= 2 * turn_.size()) return ValueOrder::in_turn;
    if (could_be_phases_ && phases_.size() > 1 && has_stretch_) return ValueOrder::phases;
    return ValueOrder::none;
}

}  // namespace tracefold
