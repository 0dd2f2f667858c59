// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/messages/point_to_point.hpp"

#include "base/mpi.hpp"
#include "replay/messages/messages.hpp"
#include "replay/proof/watched.hpp"

#include <algorithm>

namespace tracefold {

/// Every request takes the next id of its process; the ids of MPI_Send_init and its variants are
/// not recorded, but follow from the ids around them.
void PersistentMessages::prepare(const MpiCall& call) {
    if (call.family == CallFamily::persistent_init) {
        inferences_.count(Inference::persistent);
        if (call.function != MpiFunction::Send_init && call.function != MpiFunction::Recv_init) {
            modes_[next_id_] = call.function;
        }
        ++next_id_;
    } else if (call.family != CallFamily::start) {
        for (const Action& action : call.actions) {
            if (action.posts_request()) next_id_ = std::max(next_id_, action.request + 1);
        }
    }
}

bool PersistentMessages::is_buffered(u64 request) const {
    const auto found = modes_.find(request);
    return found != modes_.end() && found->second == MpiFunction::Bsend_init;
}

namespace {

const Action* find_post(const MpiCall& call) {
    const auto found = std::ranges::find_if(call.actions, &Action::posts_request);
    return found == call.actions.end() ? nullptr : &*found;
}

}  // namespace

void PersistentMessages::start(const MpiCall& call, Requests& requests) {
    starting_.clear();
    starting_.reserve(1);  // Open MPI refuses a null array, even without requests
    if (call.function == MpiFunction::Start && find_post(call) == nullptr) return start_nothing();
    for (const Action& action : call.actions) {
        if (action.posts_request()) starting_.push_back(request_for(action));
    }
    if (call.function == MpiFunction::Start && starting_.size() == 1) {
        check_mpi(watched::Start(starting_.data()), "MPI_Start");
    } else {
        check_mpi(watched::Startall(static_cast<int>(starting_.size()), starting_.data()),
                  "MPI_Startall");
    }
    std::size_t next = 0;
    for (const Action& action : call.actions) {
        if (action.posts_request()) requests.put(action.request, starting_[next++]);
    }
}

/// The request of a message to or from MPI_PROC_NULL, which has no record.
void PersistentMessages::start_nothing() {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(PMPI_Send_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request),
              "MPI_Send_init");
    check_mpi(watched::Start(&request), "MPI_Start");
    check_mpi(PMPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    check_mpi(PMPI_Request_free(&request), "MPI_Request_free");
}

MPI_Request& PersistentMessages::request_for(const Action& action) {
    const auto [place, is_new] = entries_.try_emplace(action.request);
    Entry& entry = place->second;
    if (!is_new) {
        if (entry.envelope == action.envelope) return entry.request;
        check_mpi(watched::Request_free(&entry.request), "MPI_Request_free");
    }
    entry.envelope = action.envelope;
    make(action, entry.request);
    return entry.request;
}

void PersistentMessages::make(const Action& action, MPI_Request& request) {
    if (!action.known) {
        check_mpi(watched::Recv_init(nullptr, 0, MPI_BYTE, 0, 0, silent_.communicator(), &request),
                  "MPI_Recv_init");
        return;
    }
    const Message message =
        action.kind == Action::Kind::send ? messages_.of(&action) : messages_.received(&action);
    if (action.kind == Action::Kind::send) {
        const auto mode = modes_.find(action.request);
        make_send_request(mode == modes_.end() ? MpiFunction::Send_init : mode->second,
                          buffers_.outgoing(message.amount.bytes), message, request);
    } else {
        check_mpi(watched::Recv_init(buffers_.incoming(message.amount.bytes), message.amount.count,
                                     message.amount.type, message.peer, message.tag, message.comm,
                                     &request),
                  "MPI_Recv_init");
    }
}

void PersistentMessages::finish(Requests& requests) {
    for (auto& [id, entry] : entries_) {
        requests.remove(id);
        check_mpi(watched::Request_free(&entry.request), "MPI_Request_free");
    }
    entries_.clear();
}

namespace {

/// Buffered sends wait for each other above this size.
constexpr u64 kLargestAttachedBuffer = u64{1} << 28U;

bool is_buffered(MpiFunction function) {
    return function == MpiFunction::Bsend || function == MpiFunction::Ibsend ||
           function == MpiFunction::Bsend_init;
}

}  // namespace

void PointToPoint::note_buffered(u64 bytes) {
    const u64 size = amounts_.scaled(bytes) + MPI_BSEND_OVERHEAD;
    largest_buffered_ = std::max(largest_buffered_, size);
    all_buffered_ += size;
}

void PointToPoint::prepare(const MpiCall& call) {
    persistent_.prepare(call);
    for (const Action& action : call.actions) {
        if (action.posts_request() && action.is_paired()) {
            inferences_.count(Inference::request_paired);
        }
        const u64 bytes = amounts_.scaled(action.envelope.bytes);
        switch (action.kind) {
            case Action::Kind::send:
                buffers_.expect_outgoing(bytes);
                if (call.family == CallFamily::post_send && action.request == kNoRequest) {
                    inferences_.count(Inference::send_freed);
                }
                // MPI_Sendrecv_replace has one buffer for both.
                if (call.family == CallFamily::send_receive) buffers_.expect_incoming(bytes);
                if (is_buffered(call.function) || persistent_.is_buffered(action.request)) {
                    note_buffered(action.envelope.bytes);
                }
                break;
            case Action::Kind::receive:
                buffers_.expect_incoming(bytes);
                break;
            case Action::Kind::post_receive:
                if (action.known) {
                    buffers_.expect_incoming(bytes);
                } else if (action.message == kNoMessage) {
                    silent_.expect();
                    inferences_.count(Inference::receive_nothing);
                }
                break;
            default:
                break;
        }
    }
}

u64 PointToPoint::attached_bytes() const {
    return std::min(all_buffered_, std::max(2 * largest_buffered_, kLargestAttachedBuffer));
}

void PointToPoint::execute(const MpiCall& call, Requests& requests) {
    switch (call.family) {
        case CallFamily::send:
            // The message has no receive: do not wait.
            if (call.unreceived) {
                post_send(MpiFunction::Isend, find_action(call, Action::Kind::send), requests);
                break;
            }
            send(call.function, messages_.of(find_action(call, Action::Kind::send)));
            break;
        case CallFamily::receive:
            receive(messages_.received(find_action(call, Action::Kind::receive)));
            break;
        case CallFamily::send_receive:
            send_receive(call);
            break;
        case CallFamily::post_send:
            post_send(call.function, find_action(call, Action::Kind::send), requests);
            break;
        case CallFamily::post_receive:
            post_receive(find_action(call, Action::Kind::post_receive), requests);
            break;
        case CallFamily::start:
            persistent_.start(call, requests);
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
            check_mpi(watched::Bsend(data, count, type, m.peer, m.tag, m.comm), "MPI_Bsend");
            break;
        case MpiFunction::Ssend:
            check_mpi(watched::Ssend(data, count, type, m.peer, m.tag, m.comm), "MPI_Ssend");
            break;
        case MpiFunction::Rsend:
            check_mpi(watched::Rsend(data, count, type, m.peer, m.tag, m.comm), "MPI_Rsend");
            break;
        default:
            check_mpi(watched::Send(data, count, type, m.peer, m.tag, m.comm), "MPI_Send");
            break;
    }
}

void PointToPoint::receive(const Message& m) {
    check_mpi(watched::Recv(buffers_.incoming(m.amount.bytes), m.amount.count, m.amount.type,
                            m.peer, m.tag, m.comm, MPI_STATUS_IGNORE),
              "MPI_Recv");
}

void PointToPoint::receive_unposted(const MpiCall& call) {
    for (const Action& action : call.actions) {
        if (action.kind == Action::Kind::receive) receive(messages_.received(&action));
    }
}

void PointToPoint::send_receive(const MpiCall& call) {
    Message s = messages_.of(find_action(call, Action::Kind::send));
    Message r = messages_.received(find_action(call, Action::Kind::receive));
    // The side with MPI_PROC_NULL still needs a valid communicator of the same call.
    const MPI_Comm comm = s.peer != MPI_PROC_NULL ? s.comm : r.comm;
    if (call.function == MpiFunction::Sendrecv_replace) {
        const Amount& amount = s.peer != MPI_PROC_NULL ? s.amount : r.amount;
        check_mpi(
            watched::Sendrecv_replace(buffers_.incoming(amount.bytes), amount.count, amount.type,
                                      s.peer, s.tag, r.peer, r.tag, comm, MPI_STATUS_IGNORE),
            "MPI_Sendrecv_replace");
        return;
    }
    check_mpi(watched::Sendrecv(buffers_.outgoing(s.amount.bytes), s.amount.count, s.amount.type,
                                s.peer, s.tag, buffers_.incoming(r.amount.bytes), r.amount.count,
                                r.amount.type, r.peer, r.tag, comm, MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
}

void PointToPoint::post_send(MpiFunction function, const Action* action, Requests& requests) {
    const Message m = messages_.of(action);
    MPI_Request request = MPI_REQUEST_NULL;
    make_send_request(function, buffers_.outgoing(m.amount.bytes), m, request);
    if (action != nullptr && action->request != kNoRequest) {
        requests.put(action->request, request);
    } else if (action == nullptr) {
        check_mpi(PMPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");  // to MPI_PROC_NULL
    } else if (request != MPI_REQUEST_NULL) {
        // The trace does not show its completion.
        check_mpi(watched::Request_free(&request), "MPI_Request_free");
    }
}

void PointToPoint::post_receive(const Action* action, Requests& requests) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (action != nullptr && !action->known) {
        requests.put(action->request, silent_.post(action->request));
        return;
    }
    const Message m = messages_.received(action);
    check_mpi(watched::Irecv(buffers_.incoming(m.amount.bytes), m.amount.count, m.amount.type,
                             m.peer, m.tag, m.comm, &request),
              "MPI_Irecv");
    if (action != nullptr) {
        requests.put(action->request, request);
    } else {
        check_mpi(PMPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");  // from MPI_PROC_NULL
    }
}

}  // namespace tracefold
