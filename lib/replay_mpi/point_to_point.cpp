// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/point_to_point.hpp"

#include "comm/mpi_error.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Buffered sends wait for each other rather than take more than this.
constexpr u64 kLargestAttachedBuffer = u64{1} << 28U;

const Action* find(const Operation& operation, Action::Kind kind) {
    const auto found = std::find_if(operation.actions.begin(), operation.actions.end(),
                                    [kind](const Action& action) { return action.kind == kind; });
    return found == operation.actions.end() ? nullptr : &*found;
}

bool is_buffered(MpiFunction function) {
    return function == MpiFunction::Bsend || function == MpiFunction::Ibsend ||
           function == MpiFunction::Bsend_init;
}

bool posts(const Action& action) {
    return action.kind == Action::Kind::post_receive ||
           action.kind == Action::Kind::post_collective ||
           (action.kind == Action::Kind::send && action.request != kNoRequest);
}

}  // namespace

void PointToPoint::note_buffered(u64 bytes) {
    const u64 size = amounts_.scaled(bytes) + MPI_BSEND_OVERHEAD;
    largest_buffered_ = std::max(largest_buffered_, size);
    all_buffered_ += size;
}

/// Every request takes the next id of its process; those of MPI_Send_init and its like show in no
/// record, but the ids around them do.
void PointToPoint::note_ids(const Operation& operation) {
    if (operation.family == CallFamily::persistent_init) {
        if (operation.function != MpiFunction::Send_init &&
            operation.function != MpiFunction::Recv_init) {
            modes_[next_id_] = operation.function;
        }
        ++next_id_;
        return;
    }
    if (operation.family == CallFamily::start) return;
    for (const Action& action : operation.actions) {
        if (posts(action)) next_id_ = std::max(next_id_, action.request + 1);
    }
}

void PointToPoint::prepare(const Operation& operation) {
    note_ids(operation);
    for (const Action& action : operation.actions) {
        const u64 bytes = amounts_.scaled(action.envelope.bytes);
        switch (action.kind) {
            case Action::Kind::send:
                buffers_.expect_outgoing(bytes);
                // MPI_Sendrecv_replace has one buffer for both.
                if (operation.family == CallFamily::send_receive) buffers_.expect_incoming(bytes);
                if (is_buffered(operation.function) || modes_.contains(action.request)) {
                    note_buffered(action.envelope.bytes);
                }
                break;
            case Action::Kind::receive:
                buffers_.expect_incoming(bytes);
                break;
            case Action::Kind::post_receive:
                if (action.known) buffers_.expect_incoming(bytes);
                break;
            default:
                break;
        }
    }
}

u64 PointToPoint::attached_bytes() const {
    return std::min(all_buffered_, std::max(2 * largest_buffered_, kLargestAttachedBuffer));
}

PointToPoint::Message PointToPoint::message(const Action* action) {
    if (action == nullptr) return {};
    const Envelope& envelope = action->envelope;
    return {communicators_.handle(envelope.comm), static_cast<int>(envelope.peer),
            static_cast<int>(envelope.tag), amounts_.of(envelope.bytes)};
}

void PointToPoint::execute(const Operation& operation, Requests& requests) {
    switch (operation.family) {
        case CallFamily::send:
            send(operation.function, message(find(operation, Action::Kind::send)));
            break;
        case CallFamily::receive: {
            const Message m = message(find(operation, Action::Kind::receive));
            check_mpi(MPI_Recv(buffers_.incoming(m.amount.bytes), m.amount.count, m.amount.type,
                               m.peer, m.tag, m.comm, MPI_STATUS_IGNORE),
                      "MPI_Recv");
            break;
        }
        case CallFamily::send_receive:
            send_receive(operation);
            break;
        case CallFamily::post_send:
            post_send(operation.function, find(operation, Action::Kind::send), requests);
            break;
        case CallFamily::post_receive:
            post_receive(find(operation, Action::Kind::post_receive), requests);
            break;
        case CallFamily::start:
            start(operation, requests);
            break;
        default:
            break;
    }
}

void PointToPoint::send(MpiFunction function, const Message& m) {
    const void* data = buffers_.outgoing(m.amount.bytes);
    const auto [count, type, bytes] = m.amount;
    switch (function) {
        case MpiFunction::Bsend:
            check_mpi(MPI_Bsend(data, count, type, m.peer, m.tag, m.comm), "MPI_Bsend");
            break;
        case MpiFunction::Ssend:
            check_mpi(MPI_Ssend(data, count, type, m.peer, m.tag, m.comm), "MPI_Ssend");
            break;
        case MpiFunction::Rsend:
            check_mpi(MPI_Rsend(data, count, type, m.peer, m.tag, m.comm), "MPI_Rsend");
            break;
        default:
            check_mpi(MPI_Send(data, count, type, m.peer, m.tag, m.comm), "MPI_Send");
            break;
    }
}

void PointToPoint::send_receive(const Operation& operation) {
    Message s = message(find(operation, Action::Kind::send));
    Message r = message(find(operation, Action::Kind::receive));
    // The side that goes nowhere still needs a valid communicator of the same call.
    const MPI_Comm comm = s.peer != MPI_PROC_NULL ? s.comm : r.comm;
    if (operation.function == MpiFunction::Sendrecv_replace) {
        const Amount& amount = s.peer != MPI_PROC_NULL ? s.amount : r.amount;
        check_mpi(MPI_Sendrecv_replace(buffers_.incoming(amount.bytes), amount.count, amount.type,
                                       s.peer, s.tag, r.peer, r.tag, comm, MPI_STATUS_IGNORE),
                  "MPI_Sendrecv_replace");
        return;
    }
    check_mpi(MPI_Sendrecv(buffers_.outgoing(s.amount.bytes), s.amount.count, s.amount.type, s.peer,
                           s.tag, buffers_.incoming(r.amount.bytes), r.amount.count, r.amount.type,
                           r.peer, r.tag, comm, MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
}

void PointToPoint::post_send(MpiFunction function, const Action* action, Requests& requests) {
    const Message m = message(action);
    const void* data = buffers_.outgoing(m.amount.bytes);
    const auto [count, type, bytes] = m.amount;
    MPI_Request request = MPI_REQUEST_NULL;
    switch (function) {
        case MpiFunction::Ibsend:
            check_mpi(MPI_Ibsend(data, count, type, m.peer, m.tag, m.comm, &request), "MPI_Ibsend");
            break;
        case MpiFunction::Issend:
            check_mpi(MPI_Issend(data, count, type, m.peer, m.tag, m.comm, &request), "MPI_Issend");
            break;
        case MpiFunction::Irsend:
            check_mpi(MPI_Irsend(data, count, type, m.peer, m.tag, m.comm, &request), "MPI_Irsend");
            break;
        default:
            check_mpi(MPI_Isend(data, count, type, m.peer, m.tag, m.comm, &request), "MPI_Isend");
            break;
    }
    if (action != nullptr && action->request != kNoRequest) {
        requests.put(action->request, request);
    } else if (request != MPI_REQUEST_NULL) {
        // Nothing in the trace tells when it was completed.
        check_mpi(MPI_Request_free(&request), "MPI_Request_free");
    }
}

void PointToPoint::post_receive(const Action* action, Requests& requests) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (action != nullptr && !action->known) {
        requests.put(action->request, silent_.post(action->request));
        return;
    }
    const Message m = message(action);
    check_mpi(MPI_Irecv(buffers_.incoming(m.amount.bytes), m.amount.count, m.amount.type, m.peer,
                        m.tag, m.comm, &request),
              "MPI_Irecv");
    if (action != nullptr) {
        requests.put(action->request, request);
    } else if (request != MPI_REQUEST_NULL) {
        check_mpi(MPI_Request_free(&request), "MPI_Request_free");
    }
}

void PointToPoint::start(const Operation& operation, Requests& requests) {
    starting_.clear();
    for (const Action& action : operation.actions) {
        if (posts(action)) starting_.push_back(persistent(action));
    }
    if (operation.function == MpiFunction::Start && starting_.size() == 1) {
        check_mpi(MPI_Start(starting_.data()), "MPI_Start");
    } else {
        check_mpi(MPI_Startall(static_cast<int>(starting_.size()), starting_.data()),
                  "MPI_Startall");
    }
    std::size_t next = 0;
    for (const Action& action : operation.actions) {
        if (posts(action)) requests.put(action.request, starting_[next++]);
    }
}

/// The arguments stand in the records of MPI_Start, so the request is made there when it is started
/// for the first time, or with others than the last time.
MPI_Request& PointToPoint::persistent(const Action& action) {
    const bool sends = action.kind == Action::Kind::send;
    const bool known = sends || action.known;
    const auto [place, is_new] = persistent_.try_emplace(action.request);
    Persistent& entry = place->second;
    if (!is_new) {
        if (!known || entry.envelope == action.envelope) return entry.request;
        check_mpi(MPI_Request_free(&entry.request), "MPI_Request_free");
    }
    entry.envelope = action.envelope;
    const Message m = message(&action);
    const auto [count, type, bytes] = m.amount;
    if (!known) {
        check_mpi(MPI_Recv_init(nullptr, 0, MPI_BYTE, 0, 0, silent_.communicator(), &entry.request),
                  "MPI_Recv_init");
        return entry.request;
    }
    if (!sends) {
        check_mpi(MPI_Recv_init(buffers_.incoming(bytes), count, type, m.peer, m.tag, m.comm,
                                &entry.request),
                  "MPI_Recv_init");
        return entry.request;
    }
    const void* data = buffers_.outgoing(bytes);
    const auto mode = modes_.find(action.request);
    switch (mode == modes_.end() ? MpiFunction::Send_init : mode->second) {
        case MpiFunction::Bsend_init:
            check_mpi(MPI_Bsend_init(data, count, type, m.peer, m.tag, m.comm, &entry.request),
                      "MPI_Bsend_init");
            break;
        case MpiFunction::Ssend_init:
            check_mpi(MPI_Ssend_init(data, count, type, m.peer, m.tag, m.comm, &entry.request),
                      "MPI_Ssend_init");
            break;
        case MpiFunction::Rsend_init:
            check_mpi(MPI_Rsend_init(data, count, type, m.peer, m.tag, m.comm, &entry.request),
                      "MPI_Rsend_init");
            break;
        default:
            check_mpi(MPI_Send_init(data, count, type, m.peer, m.tag, m.comm, &entry.request),
                      "MPI_Send_init");
            break;
    }
    return entry.request;
}

void PointToPoint::finish() {
    for (auto& [id, entry] : persistent_) {
        check_mpi(MPI_Request_free(&entry.request), "MPI_Request_free");
    }
    persistent_.clear();
}

}  // namespace tracefold
