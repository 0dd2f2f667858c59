// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/requests/requests.hpp"

#include <algorithm>
#include <thread>

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
        if (shared_) far_.emplace(id, place.request);
        place.request = request;
        return;
    }
    const auto found = far_.find(id);
    if (found != far_.end() && !shared_) {
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

void Requests::expect(const MpiCall& call) {
    if (!shared_) return;
    const auto add = [this](u64 id) {
        ++expected_[id];
        ++coming_[id];
    };
    for (const Action& action : call.actions) {
        // Others are left out, or nothing completes them.
        if (action.posts_request() && action.known) add(action.request);
    }
    const Action* const file = find_record(call, EventType::IoOperationBegin);
    if (file != nullptr && name_of(call.function).starts_with("MPI_File_i")) add(file->fields[4]);
}

std::optional<MPI_Request> Requests::wait_for(u64 id) {
    while (true) {
        {
            const std::lock_guard guard(mutex_);
            std::optional<MPI_Request> request = take_unlocked(id);
            const auto coming = coming_.find(id);
            if (request || coming == coming_.end() || coming->second <= 0) return request;
        }
        std::this_thread::yield();
    }
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
    coming_ = expected_;
}

}  // namespace tracefold
