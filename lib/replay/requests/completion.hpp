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

/// Receives that no message ever matches, on their own communicator: for receives that never
/// completed and so have no recorded arguments, and as the request of a failed test.
class SilentRequests {
  public:
    SilentRequests();
    SilentRequests(const SilentRequests&) = delete;
    SilentRequests& operator=(const SilentRequests&) = delete;
    ~SilentRequests();

    /// Announces calls of the trace that need communicator().
    void expect() { expected_ = true; }
    /// Makes the communicator for announced calls, visible to profiling. Not thread-safe.
    void open();
    /// The communicator for calls of the trace. Precondition: expect() and open().
    [[nodiscard]] MPI_Comm communicator() const {
        return watched_ != MPI_COMM_NULL ? watched_ : hidden_;
    }
    /// Arguments that match no message.
    [[nodiscard]] Message message() const;
    /// Lets MPI work on outstanding operations, hidden from profiling.
    void make_progress() const;
    /// A request that never completes.
    [[nodiscard]] MPI_Request& pending() { return pending_; }
    /// Posts a receive for `id`, its id in the trace.
    [[nodiscard]] MPI_Request post(u64 id);
    /// Drops the receive `id`, if it was posted here.
    void forget(u64 id) { posted_.erase(id); }
    /// Ids of all posted receives.
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
/// completed, in its order, independent of readiness. A successful test is tried once and then
/// waited for; a failed test uses a request that never completes.
class Completion {
  public:
    /// All must outlive this object.
    Completion(SilentRequests& silent, Inferences& inferences)
        : silent_(silent), inferences_(inferences) {}

    /// Call before the replay, for every call in order.
    void prepare(const MpiCall& call);
    /// Calls of the families completion and request_free. True if it completes anything but
    /// messages. Throws Error(io).
    bool execute(const MpiCall& call, Requests& requests);

  private:
    bool collect(const MpiCall& call, Requests& requests);
    void test(MpiFunction function);
    void wait(MpiFunction function);
    void wait_for_all();
    void finish_others(int done);
    void wait_until_complete();
    void free_cancelled();

    SilentRequests& silent_;
    Inferences& inferences_;
    std::vector<MPI_Request> handles_;
    bool has_files_ = false;  ///< handles_ of files
    std::vector<int> indices_;
};

}  // namespace tracefold
