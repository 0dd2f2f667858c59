// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/call_places.hpp"

#include <algorithm>

namespace tracefold {

void CallPlaces::add(const LocationSteps& steps, u64 call, u64 count) {
    const u64 end = call + count;
    while (call < end) {
        const u64 step = steps.step_from(call);
        if (step == steps.count()) {
            after_ += end - call;
            return;
        }
        const LocationSteps::Calls calls = steps.calls(step);
        const bool outside = call < calls.first;
        const u64 here = std::min(end, outside ? calls.first : calls.end) - call;
        if (outside) {
            before_ += here;
        } else {
            add_to(step, here);
        }
        call += here;
    }
}

void CallPlaces::add_to(u64 step, u64 calls) {
    if (in_.empty() || in_.back().step != step) in_.push_back({step, 0});
    in_.back().calls += calls;
}

u64 CallPlaces::within() const {
    u64 sum = 0;
    for (const InStep& one : in_) sum += one.calls;
    return sum;
}

u64 CallPlaces::period(u64 count) const {
    if (in_.empty() || (in_.size() < 3 && in_.size() != count)) return 0;
    const u64 gap = in_.size() == 1 ? 1 : in_[1].step - in_[0].step;
    for (std::size_t i = 0; i < in_.size(); ++i) {
        if (in_[i].step != in_[0].step + i * gap || in_[i].calls != in_[0].calls) return 0;
    }
    return in_.front().step < gap && in_.back().step + gap >= count ? gap : 0;
}

}  // namespace tracefold
