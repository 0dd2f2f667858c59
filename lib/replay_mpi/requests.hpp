// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// The outstanding requests of a process by their ids in the trace. O(1), no allocation once as
/// many were outstanding at a time as ever will be. A reference or pointer holds until remove().
class Requests {
  public:
    /// `shared`: several threads use the table at once.
    explicit Requests(bool shared = false);
    Requests(const Requests&) = delete;
    Requests& operator=(const Requests&) = delete;

    /// A new request, MPI_REQUEST_NULL at first; an old one of the same id is forgotten.
    MPI_Request& add(u64 id);
    /// The same, to be seen by other threads with its handle only.
    void put(u64 id, MPI_Request request);
    /// Null if there is none of this id.
    MPI_Request* find(u64 id);
    void remove(u64 id);
    /// Removes a request and gives its handle; nothing if there is none of this id.
    std::optional<MPI_Request> take(u64 id);

    [[nodiscard]] std::size_t size() const { return size_; }
    /// Calls visit(id, request) for every request, in no particular order.
    template <class Visit>
    void for_each(const Visit& visit) {
        for (const Slot& slot : slots_) {
            if (slot.entry != kNone) visit(slot.id, entries_[slot.entry]);
        }
    }
    void clear();

  private:
    struct Slot {
        u64 id = 0;
        u32 entry = kNone;  ///< index into entries_, kNone: empty
    };

    [[nodiscard]] std::unique_lock<std::mutex> lock() {
        return shared_ ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
    }
    [[nodiscard]] std::size_t place(u64 id) const { return id & (slots_.size() - 1); }
    [[nodiscard]] std::size_t next(std::size_t slot) const {
        return (slot + 1) & (slots_.size() - 1);
    }
    /// The slot of an id, or the empty one where it would be.
    [[nodiscard]] std::size_t slot_of(u64 id) const;
    MPI_Request& add_unlocked(u64 id);
    void remove_unlocked(std::size_t slot);
    void grow();

    bool shared_;
    std::mutex mutex_;
    std::vector<Slot> slots_;  ///< a power of two, open addressing; ids are nearly consecutive
    std::deque<MPI_Request> entries_;
    std::vector<u32> free_;
    std::size_t size_ = 0;
};

}  // namespace tracefold
