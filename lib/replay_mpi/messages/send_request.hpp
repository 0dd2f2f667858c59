// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/mpi_error.hpp"
#include "replay_mpi/messages/messages.hpp"
#include "replay_mpi/proof/watched.hpp"

namespace tracefold {

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

}  // namespace tracefold
