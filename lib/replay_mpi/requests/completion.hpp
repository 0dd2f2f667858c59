// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/inferences.hpp"
#include "replay/mpi_call.hpp"
#include "replay_mpi/requests/requests.hpp"
#include "replay_mpi/requests/silent_requests.hpp"

#include <vector>

namespace tracefold {

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
