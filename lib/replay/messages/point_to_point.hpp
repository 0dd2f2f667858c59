// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/inferences.hpp"
#include "replay/detail/buffers.hpp"
#include "replay/messages/messages.hpp"
#include "replay/requests/completion.hpp"
#include "replay/requests/requests.hpp"

#include <unordered_map>
#include <vector>

namespace tracefold {

/// Issues persistent communication. The calls that make a persistent request have no arguments in
/// the trace, so the request is made at its first start, and again for other arguments.
class PersistentMessages {
  public:
    /// All must outlive this object.
    PersistentMessages(Messages& messages, Buffers& buffers, SilentRequests& silent,
                       Inferences& inferences)
        : messages_(messages), buffers_(buffers), silent_(silent), inferences_(inferences) {}

    /// Call before the replay, for every call in order.
    void prepare(const MpiCall& call);
    /// True if a request comes from MPI_Bsend_init. Precondition: prepared.
    [[nodiscard]] bool is_buffered(u64 request) const;

    /// True if the request was made for a receive of unknown arguments.
    [[nodiscard]] bool is_silent(u64 request) const {
        const auto found = entries_.find(request);
        return found != entries_.end() && found->second.envelope.comm == kNone;
    }

    /// MPI_Start and MPI_Startall. Throws Error(io).
    void start(const MpiCall& call, Requests& requests);
    /// Frees the requests.
    void finish(Requests& requests);

  private:
    struct Entry {
        MPI_Request request = MPI_REQUEST_NULL;
        Envelope envelope;
    };

    static void start_nothing();
    MPI_Request& request_for(const Action& action);
    void make(const Action& action, MPI_Request& request);

    Messages& messages_;
    Buffers& buffers_;
    SilentRequests& silent_;
    Inferences& inferences_;
    u64 next_id_ = 1;                             ///< of the next request
    std::unordered_map<u64, MpiFunction> modes_;  ///< of non-standard sends
    std::unordered_map<u64, Entry> entries_;      ///< by id
    std::vector<MPI_Request> starting_;
};

/// Issues the messages of one location: sends and receives, blocking, non-blocking or persistent. A
/// call without a record had the partner MPI_PROC_NULL and uses it again.
class PointToPoint {
  public:
    /// All must outlive this object.
    PointToPoint(Messages& messages, Amounts& amounts, Buffers& buffers, SilentRequests& silent,
                 Inferences& inferences)
        : messages_(messages),
          amounts_(amounts),
          buffers_(buffers),
          silent_(silent),
          inferences_(inferences),
          persistent_(messages, buffers, silent, inferences) {}
    PointToPoint(const PointToPoint&) = delete;
    PointToPoint& operator=(const PointToPoint&) = delete;

    /// Call before the replay, for every call in order.
    void prepare(const MpiCall& call);
    /// prepare() for calls that will not be issued.
    void note_ids(const MpiCall& call) { persistent_.prepare(call); }
    /// Buffer size for MPI_Bsend and its variants.
    [[nodiscard]] u64 attached_bytes() const;
    /// Calls of the families send to post_receive, and start. Throws Error(io).
    void execute(const MpiCall& call, Requests& requests);
    /// Receives that a call completes although they were never posted. Throws Error(io).
    void receive_unposted(const MpiCall& call);
    /// True if a persistent request was made for a receive of unknown arguments.
    [[nodiscard]] bool is_silent(u64 request) const { return persistent_.is_silent(request); }
    /// Frees the persistent requests.
    void finish(Requests& requests) { persistent_.finish(requests); }

  private:
    void note_buffered(u64 bytes);
    void send(MpiFunction function, const Message& message);
    void receive(const Message& message);
    void send_receive(const MpiCall& call);
    void post_send(MpiFunction function, const Action* action, Requests& requests);
    void post_receive(const Action* action, Requests& requests);

    Messages& messages_;
    Amounts& amounts_;
    Buffers& buffers_;
    SilentRequests& silent_;
    Inferences& inferences_;
    u64 largest_buffered_ = 0;
    u64 all_buffered_ = 0;
    PersistentMessages persistent_;
};

}  // namespace tracefold
