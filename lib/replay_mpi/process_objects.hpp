// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/communicator_table.hpp"
#include "replay/file_table.hpp"
#include "replay/inferences.hpp"
#include "replay/wildcards.hpp"
#include "replay_mpi/communicators/communicators.hpp"
#include "replay_mpi/files/files.hpp"
#include "replay_mpi/messages/taken_messages.hpp"
#include "replay_mpi/requests/requests.hpp"
#include "replay_mpi/windows/windows.hpp"

#include <string>

#include <mpi.h>

namespace tracefold {

/// What the locations of a process share: the objects of MPI that the trace speaks of.
struct ProcessObjects {
    /// The file must outlive this object. `threads`: several locations use it at once.
    ProcessObjects(TraceFile& file, u32 world_rank, bool threads)
        : table(file, world_rank),
          file_table(file),
          communicators(table, inferences),
          windows(file.definitions(), communicators, inferences),
          files(file_table, communicators, inferences),
          requests(threads) {}

    /// Before the replay, after all calls were looked at. Collective over `world`, a duplicate of
    /// MPI_COMM_WORLD. `scratch` is a directory on every node, needed for files only. Throws
    /// Error(io).
    void agree(MPI_Comm world, const std::string& scratch) {
        windows.agree(world);
        files.agree(world, scratch);
    }
    /// Frees what the program left, before it starts again. Collective. Throws Error(io).
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

}  // namespace tracefold
