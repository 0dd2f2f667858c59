// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/timing/thread_order.hpp"

#include <algorithm>
#include <numeric>
#include <thread>

namespace tracefold {

ThreadOrder::ThreadOrder(std::vector<Life> lives)
    : lives_(std::move(lives)), by_end_(lives_.size()), states_(lives_.size()) {
    std::iota(by_end_.begin(), by_end_.end(), std::size_t{0});
    std::stable_sort(by_end_.begin(), by_end_.end(), [this](std::size_t a, std::size_t b) {
        return lives_[a].end < lives_[b].end;
    });
    reset();
}

void ThreadOrder::reset() {
    for (std::size_t i = 0; i < states_.size(); ++i) {
        states_[i].position.store(lives_[i].begin);
        states_[i].started = false;
        states_[i].ended = 0;
    }
}

void ThreadOrder::wait_for(std::size_t thread, u64 tick) const {
    while (states_[thread].position.load(std::memory_order_acquire) <= tick) {
        std::this_thread::yield();
    }
}

void ThreadOrder::wait(std::size_t thread, u64 tick) {
    State& state = states_[thread];
    if (!state.started) {
        for (std::size_t other = 0; other < states_.size(); ++other) {
            if (other != thread) wait_for(other, tick);
        }
        state.started = true;
    }
    for (; state.ended < by_end_.size() && end_of(state.ended) <= tick; ++state.ended) {
        if (by_end_[state.ended] != thread) wait_for(by_end_[state.ended], kEnded - 1);
    }
}

}  // namespace tracefold
