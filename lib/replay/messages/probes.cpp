// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/messages/probes.hpp"

#include "base/mpi.hpp"
#include "replay/proof/watched.hpp"

#include <algorithm>
#include <thread>

namespace tracefold {

namespace {

bool polls(MpiFunction function) {
    return function == MpiFunction::Iprobe || function == MpiFunction::Improbe;
}

/// The record of a call; null if it has none.
const Action* recorded(const MpiCall& call) {
    return call.actions.empty() ? nullptr : call.actions.data();
}

/// The message of a call.
const Envelope& subject(const MpiCall& call) {
    const Action* action = recorded(call);
    return action != nullptr ? action->envelope : call.inferred;
}

/// True if the call has a message and, if it polls, found it.
bool finds(const MpiCall& call) {
    if (recorded(call) != nullptr) return true;
    return call.inferred.comm != kNone && (call.found || !polls(call.function));
}

u64 size_of(const MPI_Status& status) {
    MPI_Count bytes = 0;
    check_mpi(PMPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x");
    return static_cast<u64>(bytes);
}

}  // namespace

void Probes::prepare(const MpiCall& call) {
    const Action* action = recorded(call);
    if (call.family == CallFamily::probe && action != nullptr) {
        if (!action->known) inferences_.count(Inference::message_left);
    } else if (call.family == CallFamily::probe) {
        if (!finds(call)) silent_.expect();
        inferences_.count(finds(call)            ? Inference::probe_next
                          : polls(call.function) ? Inference::probe_nothing
                                                 : Inference::from_nobody);
    } else if (call.family == CallFamily::matched_receive && action == nullptr) {
        inferences_.count(call.inferred.comm == kNone ? Inference::from_nobody
                                                      : Inference::matched_receive);
        buffers_.expect_incoming(messages_.scaled(call.inferred.bytes));
    }
}

void Probes::execute(const MpiCall& call, Requests& requests) {
    if (call.family == CallFamily::matched_receive) {
        receive(call, requests);
    } else if (call.function == MpiFunction::Mprobe || call.function == MpiFunction::Improbe) {
        take(call);
    } else {
        probe(call);
    }
}

void Probes::probe(const MpiCall& call) {
    const Message m = finds(call) ? messages_.received(subject(call)) : silent_.message();
    if (call.function == MpiFunction::Iprobe) {
        int flag = 0;
        check_mpi(watched::Iprobe(m.peer, m.tag, m.comm, &flag, MPI_STATUS_IGNORE), "MPI_Iprobe");
    } else {
        const int peer = finds(call) ? m.peer : MPI_PROC_NULL;
        check_mpi(watched::Probe(peer, m.tag, m.comm, MPI_STATUS_IGNORE), "MPI_Probe");
    }
}

/// A message that no call receives came from MPI_PROC_NULL.
void Probes::probe_nobody(const Message& m) {
    MPI_Message message = MPI_MESSAGE_NULL;
    check_mpi(watched::Mprobe(MPI_PROC_NULL, m.tag, m.comm, &message, MPI_STATUS_IGNORE),
              "MPI_Mprobe");
}

/// A poll that found a message must find it again.
void Probes::take(const MpiCall& call) {
    const bool needed = finds(call);
    const Message m = needed ? messages_.of(subject(call)) : silent_.message();
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    int flag = 0;
    if (call.function == MpiFunction::Improbe) {
        for (int there = needed ? 0 : 1; there == 0;) {
            check_mpi(PMPI_Iprobe(m.peer, m.tag, m.comm, &there, MPI_STATUS_IGNORE), "MPI_Iprobe");
            if (there == 0) std::this_thread::yield();
        }
        check_mpi(watched::Improbe(m.peer, m.tag, m.comm, &flag, &message, &status), "MPI_Improbe");
    }
    if (!needed) {
        if (call.function == MpiFunction::Mprobe) probe_nobody(m);
        return;
    }
    if (flag == 0)
        check_mpi(watched::Mprobe(m.peer, m.tag, m.comm, &message, &status), "MPI_Mprobe");
    const Action* action = recorded(call);
    if (action != nullptr && action->message != kNoMessage) {
        of_process_.put(action->message, message, size_of(status));
    } else {
        taken_.push_back({subject(call), message});
    }
}

void Probes::receive(const MpiCall& call, Requests& requests) {
    const Action* action = recorded(call);
    if (action != nullptr && action->message != kNoMessage) {
        return receive_recorded(*action, requests);
    }
    const Envelope& envelope = subject(call);
    if (envelope.comm == kNone) return receive_nothing(call.function);
    const Message m = messages_.of(envelope);
    receive_blocking(call.function, m, taken_as(envelope, m));
}

void Probes::receive_nothing(MpiFunction function) {
    MPI_Message message = MPI_MESSAGE_NO_PROC;
    if (function == MpiFunction::Mrecv) {
        check_mpi(watched::Mrecv(nullptr, 0, MPI_BYTE, &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
        return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(watched::Imrecv(nullptr, 0, MPI_BYTE, &message, &request), "MPI_Imrecv");
    check_mpi(PMPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
}

MPI_Message Probes::taken_as(const Envelope& envelope, const Message& m) {
    const auto found = std::find_if(taken_.begin(), taken_.end(),
                                    [&](const Taken& taken) { return taken.envelope == envelope; });
    MPI_Message message = MPI_MESSAGE_NULL;
    if (found != taken_.end()) {
        message = found->message;
        taken_.erase(found);
    } else {
        check_mpi(watched::Mprobe(m.peer, m.tag, m.comm, &message, MPI_STATUS_IGNORE),
                  "MPI_Mprobe");
    }
    return message;
}

void Probes::receive_blocking(MpiFunction function, const Message& m, MPI_Message message) {
    void* data = buffers_.incoming(m.amount.bytes);
    if (function == MpiFunction::Mrecv) {
        check_mpi(watched::Mrecv(data, m.amount.count, m.amount.type, &message, MPI_STATUS_IGNORE),
                  "MPI_Mrecv");
        return;
    }
    // The completing call has no record; the message has already arrived.
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(watched::Imrecv(data, m.amount.count, m.amount.type, &message, &request),
              "MPI_Imrecv");
    check_mpi(watched::finish(&request), "MPI_Wait");
}

/// Messages of other threads may be slightly late. Without a size they stay for receive_rest().
void Probes::receive_recorded(const Action& action, Requests& requests) {
    if (!action.known) return;
    std::optional<MPI_Message> message = of_process_.get(action.message);
    while (!message && threads_) {
        std::this_thread::yield();
        message = of_process_.get(action.message);
    }
    if (!message) return inferences_.count(Inference::partner_missing);
    const Message m = messages_.of(action.envelope);
    if (action.kind == Action::Kind::receive) {
        return receive_blocking(MpiFunction::Mrecv, m, *message);
    }
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(watched::Imrecv(buffers_.incoming(m.amount.bytes), m.amount.count, m.amount.type,
                              &*message, &request),
              "MPI_Imrecv");
    requests.put(action.request, request);
}

}  // namespace tracefold
