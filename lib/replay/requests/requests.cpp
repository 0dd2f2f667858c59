// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/requests/requests.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t kFirstSlots = 64;

}  // namespace

Requests::Requests(bool shared) : shared_(shared), near_(kFirstSlots) {}

/// Doubles the table; distinct slots stay distinct.
void Requests::grow() {
    std::vector<Slot> old(near_.size() * 2);
    old.swap(near_);
    for (const Slot& one : old) {
        if (one.used) slot(one.id) = one;
    }
}

void Requests::put_beside(u64 id, MPI_Request request) {
    while (2 * near_size_ >= near_.size()) grow();
    Slot& place = slot(id);
    if (place.is(id)) {
        place.request = request;
        return;
    }
    const auto found = far_.find(id);
    if (found != far_.end()) {
        found->second = request;
    } else if (place.used) {
        far_.emplace(id, request);
    } else {
        place = {id, request, true};
        ++near_size_;
    }
}

std::optional<MPI_Request> Requests::take_far(u64 id) {
    const auto found = far_.find(id);
    if (found == far_.end()) return std::nullopt;
    const MPI_Request request = found->second;
    far_.erase(found);
    return request;
}

MPI_Request* Requests::find(u64 id) {
    const auto guard = shared_ ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
    if (slot(id).is(id)) return &slot(id).request;
    const auto found = far_.find(id);
    return found == far_.end() ? nullptr : &found->second;
}

void Requests::clear() {
    const auto guard = shared_ ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
    std::ranges::fill(near_, Slot{});
    near_size_ = 0;
    far_.clear();
}

}  // namespace tracefold
