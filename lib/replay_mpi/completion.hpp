// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/operation.hpp"
#include "replay_mpi/requests.hpp"
#include "replay_mpi/silent_requests.hpp"

#include <vector>

namespace tracefold {

/// Issues the calls that complete requests: exactly those requests that the recorded call
/// completed, in its order, whichever would be ready first now. A test that succeeded is tried once
/// and then waited for; a test that failed looks at a request that never completes.
class Completion {
  public:
    /// `silent` must outlive this object.
    explicit Completion(SilentRequests& silent) : silent_(silent) {}

    /// Calls of the family completion. Throws Error(io), and Error(corrupt) for a completion of a
    /// request that was never posted.
    void execute(const Operation& operation, Requests& requests);

  private:
    void collect(const Operation& operation, Requests& requests);
    void test(MpiFunction function);
    void wait(MpiFunction function);
    void wait_for_rest();

    SilentRequests& silent_;
    std::vector<MPI_Request> handles_;
    std::vector<int> indices_;
};

}  // namespace tracefold
