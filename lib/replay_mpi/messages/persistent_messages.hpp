// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/inferences.hpp"
#include "replay_mpi/buffers.hpp"
#include "replay_mpi/messages/messages.hpp"
#include "replay_mpi/requests/requests.hpp"
#include "replay_mpi/requests/silent_requests.hpp"

#include <unordered_map>
#include <vector>

namespace tracefold {

/// Issues persistent communication. The calls that make a persistent request say nothing about it,
/// so it is made when it is started for the first time, and again when it is started with other
/// arguments.
class PersistentMessages {
  public:
    /// All must outlive this object.
    PersistentMessages(Messages& messages, Buffers& buffers, SilentRequests& silent,
                       Inferences& inferences)
        : messages_(messages), buffers_(buffers), silent_(silent), inferences_(inferences) {}

    /// Before the replay, for every call in order.
    void prepare(const MpiCall& call);
    /// True if a request comes from MPI_Bsend_init. Precondition: prepared.
    [[nodiscard]] bool is_buffered(u64 request) const;

    /// True if it was made for a receive of unknown arguments.
    [[nodiscard]] bool is_silent(u64 request) const {
        const auto found = entries_.find(request);
        return found != entries_.end() && found->second.envelope.comm == kNone;
    }

    /// MPI_Start and MPI_Startall. Throws Error(io).
    void start(const MpiCall& call, Requests& requests);
    /// Frees the requests.
    void finish(Requests& requests);

  private:
    struct Entry {
        MPI_Request request = MPI_REQUEST_NULL;
        Envelope envelope;
    };

    MPI_Request& request_for(const Action& action);
    void make(const Action& action, MPI_Request& request);

    Messages& messages_;
    Buffers& buffers_;
    SilentRequests& silent_;
    Inferences& inferences_;
    u64 next_id_ = 1;                             ///< that a request made now would get
    std::unordered_map<u64, MpiFunction> modes_;  ///< of sends that are not standard ones
    std::unordered_map<u64, Entry> entries_;      ///< by id
    std::vector<MPI_Request> starting_;
};

}  // namespace tracefold
