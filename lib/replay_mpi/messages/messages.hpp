// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call.hpp"
#include "replay/wildcards.hpp"
#include "replay_mpi/amounts.hpp"
#include "replay_mpi/communicators/communicators.hpp"

#include <mpi.h>

namespace tracefold {

/// The arguments that a message has in MPI; by default those of one that goes nowhere.
struct Message {
    MPI_Comm comm = MPI_COMM_WORLD;
    int peer = MPI_PROC_NULL;
    int tag = 0;
    Amount amount;
};

/// Turns envelopes into arguments.
class Messages {
  public:
    /// All must outlive this object.
    Messages(Communicators& communicators, const Wildcards& wildcards, Amounts& amounts)
        : communicators_(communicators), wildcards_(wildcards), amounts_(amounts) {}

    Message of(const Envelope& envelope) {
        return {communicators_.handle(envelope.comm), static_cast<int>(envelope.peer),
                static_cast<int>(envelope.tag), amounts_.of(envelope.bytes)};
    }
    /// Of a receive or a probe.
    Message received(const Envelope& envelope) {
        Message message = of(envelope);
        if (wildcards_.has(envelope.comm, envelope.tag)) {
            message.peer = MPI_ANY_SOURCE;
            message.amount = amounts_.of(wildcards_.bytes(envelope.comm, envelope.tag));
        }
        return message;
    }
    Message received(const Action* action) {
        return action == nullptr ? Message{} : received(action->envelope);
    }
    [[nodiscard]] u64 scaled(u64 bytes) const { return amounts_.scaled(bytes); }
    /// Without a record the partner was MPI_PROC_NULL.
    Message of(const Action* action) {
        return action == nullptr ? Message{} : of(action->envelope);
    }

  private:
    Communicators& communicators_;
    const Wildcards& wildcards_;
    Amounts& amounts_;
};

}  // namespace tracefold
