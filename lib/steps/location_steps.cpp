// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/location_steps.hpp"

#include <algorithm>

namespace tracefold {

void LocationSteps::begin(u64 call) {
    const u64 step = count_++;
    if (!runs_.empty() && runs_.back().end == kOpen) {
        Run& last = runs_.back();
        const u64 calls = call - (last.first + (last.count - 1) * last.calls);
        if (last.count == 1) last.calls = calls;
        if (last.calls == calls) {
            ++last.count;
            return;
        }
    }
    runs_.push_back({step, call});
}

LocationSteps::Calls LocationSteps::calls(u64 step) const {
    const auto behind = std::upper_bound(runs_.begin(), runs_.end(), step,
                                         [](u64 one, const Run& run) { return one < run.step; });
    const Run& run = behind[-1];
    const u64 first = run.first + (step - run.step) * run.calls;
    return {first, step + 1 < run.step + run.count ? first + run.calls : end_of(run)};
}

u64 LocationSteps::step_from(u64 call) const {
    const auto behind = std::upper_bound(runs_.begin(), runs_.end(), call,
                                         [](u64 one, const Run& run) { return one < run.first; });
    if (behind == runs_.begin()) return 0;
    const Run& run = behind[-1];
    if (call >= end_of(run)) return run.step + run.count;
    const u64 more = run.calls == 0 ? run.count - 1 : (call - run.first) / run.calls;
    return run.step + std::min(more, run.count - 1);
}

StepCounter::StepCounter(const LocationSteps* steps)
    : steps_(steps), change_(steps == nullptr || steps->count() == 0 ? ~u64{0} : 0) {}

void StepCounter::find() {
    const u64 step = steps_->step_from(call_);
    if (step == steps_->count()) {
        step_.reset();
        change_ = ~u64{0};
        return;
    }
    const LocationSteps::Calls calls = steps_->calls(step);
    const bool within = call_ >= calls.first;
    step_ = within ? std::optional(step) : std::nullopt;
    change_ = within ? calls.end : calls.first;
}

}  // namespace tracefold
