// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "view/lane_cache.hpp"

namespace tracefold {

std::shared_ptr<const Lane> LaneCache::get(u32 location, const Maker& make) {
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto kept = lanes_.find(location);
        if (kept == lanes_.end()) return make_now(location, make, lock);
        if (kept->second.lane) {
            uses_.splice(uses_.begin(), uses_, kept->second.use);
            return kept->second.lane;
        }
        made_.wait(lock);
    }
}

std::shared_ptr<const Lane> LaneCache::find(u32 location) {
    const std::lock_guard lock(mutex_);
    const auto kept = lanes_.find(location);
    return kept == lanes_.end() ? nullptr : kept->second.lane;
}

bool LaneCache::make_ahead(const std::vector<u32>& locations, const Maker& make) {
    std::unique_lock lock(mutex_);
    if (bytes_ >= most_bytes_) return false;
    for (const u32 location : locations) {
        if (lanes_.contains(location)) continue;
        make_now(location, make, lock);
        return true;
    }
    return false;
}

std::shared_ptr<const Lane> LaneCache::make_now(u32 location, const Maker& make,
                                                std::unique_lock<std::mutex>& lock) {
    uses_.push_front(location);
    lanes_[location] = {nullptr, uses_.begin()};
    lock.unlock();
    std::shared_ptr<const Lane> lane;
    std::exception_ptr failure;
    try {
        lane = make(location);
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    Kept& kept = lanes_[location];
    if (failure) {
        uses_.erase(kept.use);
        lanes_.erase(location);
    } else {
        kept.lane = lane;
        bytes_ += lane->memory();
        let_go();
    }
    made_.notify_all();
    if (failure) std::rethrow_exception(failure);
    return lane;
}

/// Never the lane that was used last.
void LaneCache::let_go() {
    for (auto last = uses_.end(); bytes_ > most_bytes_ && last != uses_.begin();) {
        --last;
        const auto kept = lanes_.find(*last);
        if (last == uses_.begin() || !kept->second.lane) continue;
        bytes_ -= kept->second.lane->memory();
        lanes_.erase(kept);
        last = uses_.erase(last);
    }
}

LaneCache::Filling LaneCache::filling() const {
    const std::lock_guard lock(mutex_);
    return {lanes_.size(), bytes_};
}

}  // namespace tracefold
