// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "mpi/inferences.hpp"
#include "mpi/mpi_call.hpp"
#include "replay/messages/messages.hpp"
#include "replay/requests/requests.hpp"

#include <unordered_set>
#include <vector>

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

/// Issues the calls that complete requests: exactly those requests that the recorded call
/// completed, in its order, whichever would be ready first now. A test that succeeded is tried once
/// and then waited for; a test that failed looks at a request that never completes.
class Completion {
  public:
    /// All must outlive this object.
    /// `threads`: others may post what is completed here.
    Completion(SilentRequests& silent, Inferences& inferences, bool threads)
        : silent_(silent), inferences_(inferences), threads_(threads) {}

    /// Before the replay, for every call in order.
    void prepare(const MpiCall& call);
    /// Calls of the families completion and request_free. True if anything but messages is among
    /// what is complete now. Throws Error(io).
    bool execute(const MpiCall& call, Requests& requests);

  private:
    bool collect(const MpiCall& call, Requests& requests);
    std::optional<MPI_Request> wait_for(const Action& action, u64 id, Requests& requests) const;
    void test(MpiFunction function);
    void wait(MpiFunction function);
    void wait_for_rest();
    void free_cancelled();

    SilentRequests& silent_;
    Inferences& inferences_;
    bool threads_;
    std::vector<MPI_Request> handles_;
    std::vector<int> indices_;
};

}  // namespace tracefold
