// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/probes.hpp"

#include "comm/mpi_error.hpp"

#include <algorithm>

namespace tracefold {

namespace {

bool polls(MpiFunction function) {
    return function == MpiFunction::Iprobe || function == MpiFunction::Improbe;
}

/// True if there is a message that the call is about and, if it polls, had found.
bool finds(const Operation& operation) {
    return operation.inferred.comm != kNone && (operation.found || !polls(operation.function));
}

}  // namespace

void Probes::prepare(const Operation& operation) {
    if (operation.family == CallFamily::matched_receive) {
        inferences_.count(Inference::matched_receive);
        buffers_.expect_incoming(messages_.scaled(operation.inferred.bytes));
    } else if (operation.family == CallFamily::probe) {
        inferences_.count(finds(operation) ? Inference::probe_next : Inference::probe_nothing);
    }
}

void Probes::execute(const Operation& operation) {
    if (operation.family == CallFamily::matched_receive) {
        receive(operation);
    } else if (operation.function == MpiFunction::Mprobe ||
               operation.function == MpiFunction::Improbe) {
        take(operation);
    } else {
        probe(operation);
    }
}

void Probes::probe(const Operation& operation) {
    const Message m = finds(operation) ? messages_.received(operation.inferred) : silent_.message();
    if (operation.function == MpiFunction::Iprobe) {
        int flag = 0;
        check_mpi(MPI_Iprobe(m.peer, m.tag, m.comm, &flag, MPI_STATUS_IGNORE), "MPI_Iprobe");
    } else if (finds(operation)) {
        check_mpi(MPI_Probe(m.peer, m.tag, m.comm, MPI_STATUS_IGNORE), "MPI_Probe");
    }
}

/// A poll that had succeeded is tried once and then waited for, since its message is needed.
void Probes::take(const Operation& operation) {
    const bool needed = finds(operation);
    const Message m = needed ? messages_.of(operation.inferred) : silent_.message();
    MPI_Message message = MPI_MESSAGE_NULL;
    int flag = 0;
    if (operation.function == MpiFunction::Improbe) {
        check_mpi(MPI_Improbe(m.peer, m.tag, m.comm, &flag, &message, MPI_STATUS_IGNORE),
                  "MPI_Improbe");
    }
    if (!needed) return;
    if (flag == 0) {
        check_mpi(MPI_Mprobe(m.peer, m.tag, m.comm, &message, MPI_STATUS_IGNORE), "MPI_Mprobe");
    }
    taken_.push_back({operation.inferred, message});
}

void Probes::receive(const Operation& operation) {
    if (operation.inferred.comm == kNone) return;
    const Message m = messages_.of(operation.inferred);
    const auto found = std::find_if(taken_.begin(), taken_.end(), [&](const Taken& taken) {
        return taken.envelope == operation.inferred;
    });
    MPI_Message message = MPI_MESSAGE_NULL;
    if (found != taken_.end()) {
        message = found->message;
        taken_.erase(found);
    } else {
        check_mpi(MPI_Mprobe(m.peer, m.tag, m.comm, &message, MPI_STATUS_IGNORE), "MPI_Mprobe");
    }
    void* data = buffers_.incoming(m.amount.bytes);
    if (operation.function == MpiFunction::Mrecv) {
        check_mpi(MPI_Mrecv(data, m.amount.count, m.amount.type, &message, MPI_STATUS_IGNORE),
                  "MPI_Mrecv");
        return;
    }
    // The call that completes it says nothing; the message is there already.
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Imrecv(data, m.amount.count, m.amount.type, &message, &request), "MPI_Imrecv");
    check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
}

}  // namespace tracefold
