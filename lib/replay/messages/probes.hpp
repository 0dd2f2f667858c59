// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/inferences.hpp"
#include "replay/detail/buffers.hpp"
#include "replay/messages/messages.hpp"
#include "replay/requests/completion.hpp"
#include "replay/requests/requests.hpp"

#include <deque>

namespace tracefold {

/// Issues the probes of one location and the receives of messages that they took out of the queue.
/// From OTF2 3.2 on, records identify these messages. Otherwise MpiCall::inferred has them. A poll
/// without a message looks for one that never arrives.
class Probes {
  public:
    /// All must outlive this object. `taken`: of the process; `threads`: other threads use it, too.
    Probes(Messages& messages, Buffers& buffers, SilentRequests& silent, Inferences& inferences,
           TakenMessages& taken, bool threads)
        : messages_(messages),
          buffers_(buffers),
          silent_(silent),
          inferences_(inferences),
          of_process_(taken),
          threads_(threads) {}

    /// Call before the replay, for every call in order.
    void prepare(const MpiCall& call);
    /// Calls of the families probe and matched_receive. Throws Error(io).
    void execute(const MpiCall& call, Requests& requests);

  private:
    /// A message taken by an MPI_Mprobe or MPI_Improbe without a record.
    struct Taken {
        Envelope envelope;
        MPI_Message message = MPI_MESSAGE_NULL;
    };

    void probe(const MpiCall& call);
    void take(const MpiCall& call);
    static void probe_nobody(const Message& message);
    void receive(const MpiCall& call, Requests& requests);
    void receive_recorded(const Action& action, Requests& requests);
    void receive_blocking(MpiFunction function, const Message& m, MPI_Message message);
    static void receive_nothing(MpiFunction function);
    MPI_Message taken_as(const Envelope& envelope, const Message& m);

    Messages& messages_;
    Buffers& buffers_;
    SilentRequests& silent_;
    Inferences& inferences_;
    TakenMessages& of_process_;
    bool threads_;
    std::deque<Taken> taken_;
};

}  // namespace tracefold
