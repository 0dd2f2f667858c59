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

/// The MPI arguments of a message; by default of one to MPI_PROC_NULL.
struct Message {
    MPI_Comm comm = MPI_COMM_WORLD;
    int peer = MPI_PROC_NULL;
    int tag = 0;
    Amount amount;
};

/// Converts envelopes to arguments.
class Messages {
  public:
    /// All must outlive this object.
    Messages(Communicators& communicators, const Wildcards& wildcards, Amounts& amounts)
        : communicators_(communicators), wildcards_(wildcards), amounts_(amounts) {}

    Message of(const Envelope& envelope) {
        return {communicators_.handle(envelope.comm), static_cast<int>(envelope.peer),
                static_cast<int>(envelope.tag), amounts_.of(envelope.bytes)};
    }
    /// For a receive or a probe.
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

/// Makes the request of a send with a variant of MPI_Isend or MPI_Send_init. Throws Error(io).
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

/// A process's messages that probes took and no call received yet, by trace id. Thread-safe. O(1).
class TakenMessages {
  public:
    /// `bytes`: its size.
    void put(u64 id, MPI_Message message, u64 bytes);
    /// Removes a message; nullopt if no probe took it, or it was received.
    std::optional<MPI_Message> get(u64 id);
    /// Receives all remaining messages, as MPI requires. Throws Error(io).
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
