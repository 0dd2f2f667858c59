// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call.hpp"
#include "replay_mpi/amounts.hpp"
#include "replay_mpi/buffers.hpp"
#include "replay_mpi/collectives/collectives.hpp"
#include "replay_mpi/collectives/neighbours.hpp"
#include "replay_mpi/communicators/communicators.hpp"
#include "replay_mpi/messages/point_to_point.hpp"
#include "replay_mpi/messages/probes.hpp"
#include "replay_mpi/process_objects.hpp"
#include "replay_mpi/requests/completion.hpp"
#include "replay_mpi/requests/requests.hpp"
#include "replay_mpi/requests/silent_requests.hpp"

namespace tracefold {

/// Issues the MPI calls of one location, on the objects of its process.
class Executor {
  public:
    /// All must outlive the executor. `threads`: several threads of a process call MPI.
    Executor(ProcessObjects& objects, SizeExchange& sizes, double bytes_scale, bool threads);

    /// Before the replay, for every call in order: finds out what memory is needed.
    void prepare(const MpiCall& call);
    void allocate() {
        buffers_.allocate();
        silent_.open();
    }
    Neighbours& neighbours() { return neighbours_; }
    [[nodiscard]] u64 buffer_bytes() const { return buffers_.size(); }
    /// Bytes for MPI_Buffer_attach.
    [[nodiscard]] u64 attached_bytes() const { return point_to_point_.attached_bytes(); }

    /// Issues a call. Throws Error. No allocation once the largest call has been seen.
    void execute(const MpiCall& call);

    /// Issues a call that a part of the program needs to have been made before. Throws Error.
    void set_up(const MpiCall& call);
    /// After the last such call: takes the locks of windows that are held then.
    void hold_locks() { objects_.windows.lock_open(); }
    /// After the last call of a part of the program: waits for what completes after it.
    void complete_all();

    /// After the last call: frees what the program left open.
    void finish();

  private:
    void prepare_objects(const MpiCall& call);
    void issue(const MpiCall& call);
    void wait_for_communicators(const MpiCall& call) const;
    void wait_for_unrecorded();

    ProcessObjects& objects_;
    Amounts amounts_;
    Buffers buffers_;
    bool threads_;
    SilentRequests silent_;
    Messages messages_;
    Probes probes_;
    PointToPoint point_to_point_;
    Completion completion_;
    Collectives collectives_;
    Neighbours neighbours_;
};

}  // namespace tracefold
