// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/messages/persistent_messages.hpp"

#include "comm/mpi_error.hpp"
#include "replay_mpi/messages/send_request.hpp"
#include "replay_mpi/proof/watched.hpp"

#include <algorithm>

namespace tracefold {

/// Every request takes the next id of its process; those of MPI_Send_init and its like show in no
/// record, but the ids around them do.
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

void PersistentMessages::start(const MpiCall& call, Requests& requests) {
    starting_.clear();
    starting_.reserve(1);  // Open MPI refuses a null array, even one of no requests
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

}  // namespace tracefold
