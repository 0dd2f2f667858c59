// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay_mpi/amounts.hpp"
#include "replay_mpi/buffers.hpp"
#include "replay_mpi/communicators.hpp"
#include "replay_mpi/requests.hpp"
#include "replay_mpi/silent_requests.hpp"

#include <unordered_map>
#include <vector>

namespace tracefold {

/// Issues the messages of one location: sends and receives, blocking, posted or persistent. A call
/// without a record of its message had MPI_PROC_NULL for its partner and gets it again.
class PointToPoint {
  public:
    /// All must outlive this object.
    PointToPoint(Communicators& communicators, Amounts& amounts, Buffers& buffers,
                 SilentRequests& silent)
        : communicators_(communicators), amounts_(amounts), buffers_(buffers), silent_(silent) {}
    PointToPoint(const PointToPoint&) = delete;
    PointToPoint& operator=(const PointToPoint&) = delete;

    /// Before the replay, for every call in order.
    void prepare(const Operation& operation);
    /// Size of the buffer that MPI_Bsend and its like need.
    [[nodiscard]] u64 attached_bytes() const;
    /// Calls of the families send to post_receive, and start. Throws Error(io).
    void execute(const Operation& operation, Requests& requests);
    /// Frees the persistent requests.
    void finish();

  private:
    /// The arguments that messages have in MPI.
    struct Message {
        MPI_Comm comm = MPI_COMM_WORLD;
        int peer = MPI_PROC_NULL;
        int tag = 0;
        Amount amount;
    };
    struct Persistent {
        MPI_Request request = MPI_REQUEST_NULL;
        Envelope envelope;
        bool sends = false;
    };

    [[nodiscard]] Message message(const Action* action);
    void note_buffered(u64 bytes);
    void note_ids(const Operation& operation);
    void send(MpiFunction function, const Message& message);
    void send_receive(const Operation& operation);
    void post_send(MpiFunction function, const Action* action, Requests& requests);
    void post_receive(const Action* action, Requests& requests);
    void start(const Operation& operation, Requests& requests);
    MPI_Request& persistent(const Action& action);

    Communicators& communicators_;
    Amounts& amounts_;
    Buffers& buffers_;
    SilentRequests& silent_;
    u64 largest_buffered_ = 0;
    u64 all_buffered_ = 0;
    u64 next_id_ = 1;                             ///< that a request made now would get
    std::unordered_map<u64, MpiFunction> modes_;  ///< persistent sends that are not standard ones
    std::unordered_map<u64, Persistent> persistent_;  ///< by id
    std::vector<MPI_Request> starting_;
};

}  // namespace tracefold
