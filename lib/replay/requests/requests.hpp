// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "mpi/mpi_call.hpp"
#include "replay/detail/buffers.hpp"

#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// The outstanding requests of a process by trace id. O(1), without allocation at steady state.
class Requests {
  public:
    /// `shared`: several threads use the table at once. MPI libraries share a handle among sends
    /// that complete at once, so an id may then have several requests.
    explicit Requests(bool shared = false);
    Requests(const Requests&) = delete;
    Requests& operator=(const Requests&) = delete;

    /// Call before the replay for every call that will be issued: take_posted() waits for the
    /// requests that it posts. No effect unless shared.
    void expect(const MpiCall& call);
    /// Adds a request; replaces an old one of the same id, unless shared.
    void put(u64 id, MPI_Request request) {
        if (shared_) [[unlikely]] {
            const std::lock_guard guard(mutex_);
            put_unlocked(id, request);
            --coming_[id];
        } else {
            put_unlocked(id, request);
        }
    }
    /// The request of this id, or null. Invalidated by any other call.
    MPI_Request* find(u64 id);
    void remove(u64 id) {
        while (take(id)) continue;
    }
    /// Removes and returns a request; nullopt if the id is unknown.
    std::optional<MPI_Request> take(u64 id) {
        if (!shared_) [[likely]]
            return take_unlocked(id);
        const std::lock_guard guard(mutex_);
        return take_unlocked(id);
    }

    /// As take(), but waits for a request that another thread will post. In the recorded run it was
    /// posted in time, so some thread can always go on.
    std::optional<MPI_Request> take_posted(u64 id) {
        std::optional<MPI_Request> request = take(id);
        return request || !shared_ ? request : wait_for(id);
    }

    [[nodiscard]] std::size_t size() const { return near_size_ + far_.size(); }
    /// Calls visit(id, request) for every request, in no particular order.
    template <class Visit>
    void for_each(const Visit& visit) {
        for (Slot& slot : near_) {
            if (slot.used) visit(slot.id, slot.request);
        }
        for (auto& [id, request] : far_) visit(id, request);
    }
    void clear();

  private:
    struct Slot {
        u64 id = 0;
        MPI_Request request = MPI_REQUEST_NULL;
        bool used = false;

        [[nodiscard]] bool is(u64 other) const { return id == other && used; }
    };

    Slot& slot(u64 id) { return near_[id & (near_.size() - 1)]; }
    void put_unlocked(u64 id, MPI_Request request) {
        Slot& place = slot(id);
        if (place.used || !far_.empty()) [[unlikely]]
            return put_beside(id, request);
        place = {id, request, true};
        ++near_size_;
    }
    std::optional<MPI_Request> take_unlocked(u64 id) {
        Slot& place = slot(id);
        if (!place.is(id)) [[unlikely]]
            return take_far(id);
        place.used = false;
        --near_size_;
        return place.request;
    }
    void put_beside(u64 id, MPI_Request request);
    std::optional<MPI_Request> take_far(u64 id);
    std::optional<MPI_Request> wait_for(u64 id);
    void grow();

    bool shared_;
    std::mutex mutex_;
    // Ids are nearly consecutive: each has one slot. The few collisions go to far_.
    std::vector<Slot> near_;  ///< size: a power of two
    std::size_t near_size_ = 0;
    std::unordered_multimap<u64, MPI_Request> far_;
    std::unordered_map<u64, i64> expected_;  ///< requests of the whole replay, by id
    std::unordered_map<u64, i64> coming_;    ///< those that are not posted yet
};

/// Buffers for the calls of one location, and the requests of its process.
struct Payload {
    Amounts& amounts;
    Buffers& buffers;
    Requests& requests;
};

}  // namespace tracefold
