// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/timing/thread_order.hpp"

#include <algorithm>
#include <numeric>

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
        states_[i].reset(lives_[i].begin);
    }
}

void ThreadOrder::State::reset(u64 position) {
    position_.store(position);
    awaited_.store(kEnded);
    started = false;
    ended = 0;
}

/// Sequentially consistent order of both atomics: either advance() sees what is awaited, or the
/// one who waits sees the new position.
void ThreadOrder::State::wait_beyond(u64 tick) {
    if (position_.load() > tick) return;
    std::unique_lock guard(mutex_);
    while (true) {
        awaited_.store(std::min(awaited_.load(), tick));
        if (position_.load() > tick) return;
        advanced_.wait(guard);
    }
}

void ThreadOrder::State::wake() {
    const std::lock_guard guard(mutex_);
    awaited_.store(kEnded);
    advanced_.notify_all();
}

void ThreadOrder::wait(std::size_t thread, u64 tick) {
    State& state = states_[thread];
    if (!state.started) {
        for (std::size_t other = 0; other < states_.size(); ++other) {
            if (other != thread) states_[other].wait_beyond(tick);
        }
        state.started = true;
    }
    for (; state.ended < by_end_.size() && end_of(state.ended) <= tick; ++state.ended) {
        if (by_end_[state.ended] != thread) states_[by_end_[state.ended]].wait_beyond(kEnded - 1);
    }
}

}  // namespace tracefold
