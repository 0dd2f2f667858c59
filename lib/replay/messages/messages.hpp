// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/mpi.hpp"
#include "base/types.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/wildcards.hpp"
#include "replay/communicators/communicators.hpp"
#include "replay/detail/buffers.hpp"
#include "replay/proof/watched.hpp"

#include <mutex>
#include <optional>
#include <unordered_map>

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

/// Makes the request of a send with the function given, one of MPI_Isend's or MPI_Send_init's kind.
/// Throws Error(io).
inline void make_send_request(MpiFunction function, const void* data, const Message& message,
                              MPI_Request& request) {
    const auto with = [&](decltype(MPI_Isend)* make, const char* name) {
        const auto [count, type, bytes] = message.amount;
        check_mpi(make(data, count, type, message.peer, message.tag, message.comm, &request), name);
    };
    switch (function) {
        case MpiFunction::Ibsend:
            return with(watched::Ibsend, "MPI_Ibsend");
        case MpiFunction::Issend:
            return with(watched::Issend, "MPI_Issend");
        case MpiFunction::Irsend:
            return with(watched::Irsend, "MPI_Irsend");
        case MpiFunction::Send_init:
            return with(watched::Send_init, "MPI_Send_init");
        case MpiFunction::Bsend_init:
            return with(watched::Bsend_init, "MPI_Bsend_init");
        case MpiFunction::Ssend_init:
            return with(watched::Ssend_init, "MPI_Ssend_init");
        case MpiFunction::Rsend_init:
            return with(watched::Rsend_init, "MPI_Rsend_init");
        default:
            return with(watched::Isend, "MPI_Isend");
    }
}

/// The messages of a process that probes took and no call has received yet, by their ids in the
/// trace. Several threads may use it at once. O(1).
class TakenMessages {
  public:
    /// `bytes`: how many it has.
    void put(u64 id, MPI_Message message, u64 bytes);
    /// Removes a message; nothing if no probe took it, or it was received.
    std::optional<MPI_Message> get(u64 id);
    /// Receives what the program left, which MPI wants to be received. Throws Error(io).
    void receive_rest();

  private:
    struct Message {
        MPI_Message handle = MPI_MESSAGE_NULL;
        u64 bytes = 0;
    };

    std::mutex mutex_;
    std::unordered_map<u64, Message> messages_;
};

}  // namespace tracefold
