// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "view/lane_cache.hpp"

#include <algorithm>

namespace tracefold {

std::shared_ptr<const Lane> LaneCache::get(u32 location, const Maker& make) {
    std::unique_lock lock(mutex_);
    std::shared_ptr<const Lane> lane = find(location, lock);
    return lane ? lane : make_now(location, make, lock);
}

std::shared_ptr<const Lane> LaneCache::get_if_room(u32 location, const Maker& make) {
    std::unique_lock lock(mutex_);
    std::shared_ptr<const Lane> lane = find(location, lock);
    return lane || !has_room() ? lane : make_now(location, make, lock);
}

bool LaneCache::make_ahead(const std::vector<u32>& locations, const Maker& make) {
    std::unique_lock lock(mutex_);
    if (!has_room()) return false;
    for (const u32 location : locations) {
        if (lanes_.contains(location) || released_.contains(location)) continue;
        make_now(location, make, lock);
        return true;
    }
    return false;
}

void LaneCache::take(const std::shared_ptr<const Lane>& lane) {
    const std::lock_guard lock(mutex_);
    if (!has_room() || lanes_.contains(lane->location())) return;
    uses_.push_front(lane->location());
    lanes_[lane->location()] = {nullptr, uses_.begin()};
    note_made(lane->location(), lane);
}

void LaneCache::release(u32 location) {
    const std::lock_guard lock(mutex_);
    if (!released_.insert(location).second) return;
    const auto kept = lanes_.find(location);
    if (kept == lanes_.end()) return;
    uses_.splice(uses_.end(), uses_, kept->second.use);
    if (kept->second.lane) released_bytes_ += kept->second.lane->memory();
}

bool LaneCache::contains(u32 location) const {
    const std::lock_guard lock(mutex_);
    return lanes_.contains(location);
}

/// The lane if it is there, or once another thread has made it; null if nobody is at it.
std::shared_ptr<const Lane> LaneCache::find(u32 location, std::unique_lock<std::mutex>& lock) {
    auto kept = lanes_.find(location);
    const bool is_kept = kept != lanes_.end() && kept->second.lane;
    if (released_.erase(location) != 0 && is_kept) released_bytes_ -= kept->second.lane->memory();
    for (; kept != lanes_.end(); kept = lanes_.find(location)) {
        if (kept->second.lane) {
            uses_.splice(uses_.begin(), uses_, kept->second.use);
            return kept->second.lane;
        }
        made_.wait(lock);
    }
    return nullptr;
}

std::shared_ptr<const Lane> LaneCache::make_now(u32 location, const Maker& make,
                                                std::unique_lock<std::mutex>& lock) {
    uses_.push_front(location);
    lanes_[location] = {nullptr, uses_.begin()};
    ++making_;
    lock.unlock();
    std::shared_ptr<const Lane> lane;
    std::exception_ptr failure;
    try {
        lane = make(location);
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    --making_;
    if (failure) {
        uses_.erase(lanes_[location].use);
        lanes_.erase(location);
    } else {
        note_made(location, lane);
    }
    made_.notify_all();
    if (failure) std::rethrow_exception(failure);
    return lane;
}

void LaneCache::note_made(u32 location, std::shared_ptr<const Lane> lane) {
    const std::size_t bytes = lane->memory();
    bytes_ += bytes;
    largest_ = std::max(largest_, bytes);
    if (released_.contains(location)) released_bytes_ += bytes;
    lanes_[location].lane = std::move(lane);
    let_go();
}

bool LaneCache::has_room() const {
    return bytes_ - released_bytes_ + (making_ + 1) * largest_ <= most_bytes_;
}

/// Never the lane that was used last.
void LaneCache::let_go() {
    for (auto last = uses_.end(); bytes_ > most_bytes_ && last != uses_.begin();) {
        --last;
        const auto kept = lanes_.find(*last);
        if (last == uses_.begin() || !kept->second.lane) continue;
        const std::size_t bytes = kept->second.lane->memory();
        bytes_ -= bytes;
        if (released_.contains(*last)) released_bytes_ -= bytes;
        lanes_.erase(kept);
        last = uses_.erase(last);
    }
}

LaneCache::Filling LaneCache::filling() const {
    const std::lock_guard lock(mutex_);
    return {lanes_.size(), bytes_};
}

}  // namespace tracefold
