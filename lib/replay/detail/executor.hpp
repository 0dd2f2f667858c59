// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/communicator_table.hpp"
#include "mpi/file_table.hpp"
#include "mpi/inferences.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/wildcards.hpp"
#include "replay/collectives/collectives.hpp"
#include "replay/communicators/communicators.hpp"
#include "replay/detail/buffers.hpp"
#include "replay/files/files.hpp"
#include "replay/messages/messages.hpp"
#include "replay/messages/point_to_point.hpp"
#include "replay/messages/probes.hpp"
#include "replay/requests/completion.hpp"
#include "replay/requests/requests.hpp"
#include "replay/windows/windows.hpp"

#include <string>

#include <mpi.h>

namespace tracefold {

/// The MPI objects of the trace, shared by the locations of a process.
struct ProcessObjects {
    /// The file must outlive this object. `threads`: several locations use it at once.
    ProcessObjects(TraceFile& file, u32 world_rank, bool threads)
        : table(file, world_rank),
          file_table(file),
          communicators(table, inferences),
          windows(file.definitions(), communicators, inferences),
          files(file_table, communicators, inferences),
          requests(threads) {}

    /// Call before the replay, after prepare() of all calls. Collective over `world`, a duplicate
    /// of MPI_COMM_WORLD. `scratch`: a directory on every node, for files only. Throws Error(io).
    void agree(MPI_Comm world, const std::string& scratch) {
        windows.agree(world);
        files.agree(world, scratch);
    }
    /// Frees all remaining objects before the program starts again. Collective. Throws Error(io).
    void reset() {
        requests.clear();
        taken.receive_rest();
        files.reset();
        windows.reset();
        communicators.reset();
        inferences.stop();
    }

    CommunicatorTable table;
    FileTable file_table;
    Inferences inferences;
    Wildcards wildcards;
    Communicators communicators;
    Windows windows;
    Files files;
    Requests requests;
    TakenMessages taken;
};

/// Issues the MPI calls of one location on the objects of its process.
class Executor {
  public:
    /// All must outlive the executor. `threads`: several threads of a process call MPI.
    Executor(ProcessObjects& objects, SizeExchange& sizes, double bytes_scale, bool threads);

    /// True if the process has a window now.
    [[nodiscard]] bool has_window() { return objects_.windows.has_any(); }

    /// Call before the replay, for every call in order: determines the memory that it needs.
    void prepare(const MpiCall& call);
    void allocate(const DeviceRuntime* device) {
        buffers_.allocate(device);
        silent_.open();
    }
    Neighbours& neighbours() { return neighbours_; }
    [[nodiscard]] u64 buffer_bytes() const { return buffers_.size(); }
    /// Bytes for MPI_Buffer_attach.
    [[nodiscard]] u64 attached_bytes() const { return point_to_point_.attached_bytes(); }

    /// Issues a call. Throws Error. Does not allocate once the largest call was issued.
    void execute(const MpiCall& call);

    /// Issues a call before the replayed part of the program, which needs it. Throws Error.
    void set_up(const MpiCall& call);
    /// Call after the last set_up(): takes the window locks that are still held.
    void hold_locks() { objects_.windows.lock_open(); }
    /// Call after the last call of a part of the program: waits for operations that complete later.
    void complete_all();

    /// Call after the last call: frees open objects.
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
