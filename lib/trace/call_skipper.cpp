// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/call_skipper.hpp"

#include <algorithm>

namespace tracefold {

CallSkipper::LeftOut CallSkipper::after_call(u64 most) {
    ++length_;
    records_ += calls_.records().size();
    const Repeat turn = finder_.at_turn();
    begins_ = turn == Repeat::marked;
    if (begins_) length_ = records_ = 0;
    if (turn != Repeat::again) return {};
    CallUnwinder::Cycle cycle = finder_.cycle();
    cycle.times = std::min(cycle.times, most / length_);
    if (cycle.times == 0) {
        finder_.give_up();
        return {};
    }
    finder_.accept();
    unwinder_.leave_out(cycle, records_);
    return {cycle.times, length_};
}

}  // namespace tracefold
