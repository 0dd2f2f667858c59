// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/inferences.hpp"
#include "replay_mpi/buffers.hpp"
#include "replay_mpi/messages.hpp"
#include "replay_mpi/silent_requests.hpp"

#include <deque>

namespace tracefold {

/// Issues probes of one location and the receives of messages that they took out of the queue. None
/// of them leaves a record; Operation::inferred says which message they were about. A poll that had
/// not found its message looks for one that never comes.
class Probes {
  public:
    /// All must outlive this object.
    Probes(Messages& messages, Buffers& buffers, SilentRequests& silent, Inferences& inferences)
        : messages_(messages), buffers_(buffers), silent_(silent), inferences_(inferences) {}

    /// Before the replay, for every call in order.
    void prepare(const Operation& operation);
    /// Calls of the families probe and matched_receive. Throws Error(io).
    void execute(const Operation& operation);

  private:
    /// A message that MPI_Mprobe or MPI_Improbe took out of the queue.
    struct Taken {
        Envelope envelope;
        MPI_Message message = MPI_MESSAGE_NULL;
    };

    void probe(const Operation& operation);
    void take(const Operation& operation);
    void receive(const Operation& operation);

    Messages& messages_;
    Buffers& buffers_;
    SilentRequests& silent_;
    Inferences& inferences_;
    std::deque<Taken> taken_;
};

}  // namespace tracefold
