// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/inferences.hpp"
#include "mpi/mpi_call.hpp"
#include "replay/files/open_files.hpp"
#include "replay/requests/requests.hpp"

#include <mutex>
#include <string>

namespace tracefold {

/// The MPI-IO of a process: calls of the family file. Calls without a record are assigned to the
/// file used last; collective ones are left out on all processes of the file unless all agree.
class Files {
  public:
    /// All must outlive this object.
    Files(const FileTable& table, const Communicators& communicators, Inferences& inferences)
        : communicators_(communicators), inferences_(inferences), open_(table, communicators) {}

    /// Call before the replay, for every call in order. Throws Error(corrupt).
    void prepare(const MpiCall& call, const Amounts& amounts, Buffers& buffers);
    /// Call after prepare(); collective over `world`, a duplicate of MPI_COMM_WORLD. `scratch` is a
    /// directory on every node. Throws Error(io).
    void agree(MPI_Comm world, const std::string& scratch);

    /// Throws Error: io, corrupt.
    void execute(const MpiCall& call, Payload payload);
    /// Closes all open files before the program starts again. Collective.
    void reset();
    /// Removes the files. Collective.
    void remove() { open_.remove(); }

  private:
    void open(const MpiCall& call);
    void close(const MpiCall& call);
    void seek(const MpiCall& call);
    void erase(const MpiCall& call);
    void transfer(const MpiCall& call, Payload& payload);
    void end_split(const MpiCall& call);
    void bare(MpiFunction function);
    void set_view(OpenFile& file);
    [[nodiscard]] OpenFile* use(u64 handle);
    [[nodiscard]] OpenFile* recent();
    void leave_out() { inferences_.count(Inference::file_call_left_out); }

    const Communicators& communicators_;
    Inferences& inferences_;
    OpenFiles open_;
    std::mutex mutex_;    ///< guards the following member
    RecentFiles recent_;  ///< open ones
};

}  // namespace tracefold
