// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "replay_mpi/messages/messages.hpp"

#include <unordered_set>

#include <mpi.h>

namespace tracefold {

/// Receives that no message ever matches, on a communicator of their own: for receives that were
/// never completed and so left no arguments, and as the request that a failed test looked at.
class SilentRequests {
  public:
    SilentRequests();
    SilentRequests(const SilentRequests&) = delete;
    SilentRequests& operator=(const SilentRequests&) = delete;
    ~SilentRequests();

    /// There will be calls of the trace that need communicator().
    void expect() { expected_ = true; }
    /// Makes the communicator for them, in front of whoever watches, if there will be any. Not
    /// while another thread does the same.
    void open();
    /// That of calls of the trace. Precondition: expect() and open().
    [[nodiscard]] MPI_Comm communicator() const {
        return watched_ != MPI_COMM_NULL ? watched_ : hidden_;
    }
    /// Arguments that match no message.
    [[nodiscard]] Message message() const;
    /// One that is always outstanding.
    [[nodiscard]] MPI_Request& pending() { return pending_; }
    /// A new one, for the receive that the trace calls `id`.
    [[nodiscard]] MPI_Request post(u64 id);
    /// The receive `id`, if it was posted here, is somebody else's business from now on.
    void forget(u64 id) { posted_.erase(id); }
    /// Ids of the receives posted and not forgotten.
    [[nodiscard]] const std::unordered_set<u64>& posted() const { return posted_; }
    void clear() { posted_.clear(); }

  private:
    std::unordered_set<u64> posted_;
    bool expected_ = false;
    MPI_Comm hidden_ = MPI_COMM_NULL;
    MPI_Comm watched_ = MPI_COMM_NULL;
    MPI_Request pending_ = MPI_REQUEST_NULL;
};

}  // namespace tracefold
