// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/file_table.hpp"
#include "replay_mpi/communicators/communicators.hpp"
#include "replay_mpi/files/file_layout.hpp"
#include "replay_mpi/files/scratch_directory.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// A file handle of the trace.
struct OpenFile {
    MPI_File handle = MPI_FILE_NULL;
    u64 file = 0;
    u64 comm = kNone;
    u64 rank = 0;  ///< of this process in the communicator
    FileLayout layout;
    u64 size = 0;        ///< bytes that the file has before the replay; agreed on
    u64 bare_calls = 0;  ///< hash of the calls without a record that were taken for this file's
    bool bare = false;   ///< all processes agree on them, so they are issued
    FileCall split;      ///< the latest transfer: a split collective ends as it began
};

/// The file handles of a process by global id. The files lie in a scratch directory and have, from
/// the start, every byte that is ever read. The table does not grow once the replay runs.
class OpenFiles {
  public:
    /// All must outlive this object.
    OpenFiles(const FileTable& table, const Communicators& communicators)
        : table_(table), communicators_(communicators) {}

    /// Before the replay: a handle that the program opens. Throws Error(corrupt) if MPI has none
    /// such.
    OpenFile& expect(u64 handle);
    /// Agrees on layouts and sizes and makes the files in a fresh directory in `scratch`, which
    /// only a trace with files needs. Collective over `world`, a duplicate of MPI_COMM_WORLD.
    /// Throws Error: io, corrupt.
    void agree(MPI_Comm world, const std::string& scratch);

    /// Throws Error(corrupt) if the handle was not expected.
    [[nodiscard]] OpenFile& at(u64 handle);
    /// Where a file lies. Precondition: agree().
    [[nodiscard]] std::string path_of(u64 file) const { return directory_->path_of(file); }
    /// True for a file of one process.
    [[nodiscard]] bool is_alone(const OpenFile& file) const;
    [[nodiscard]] bool has_directory() const { return directory_.has_value(); }

    /// Closes all that are open, in the same order everywhere.
    void close_all();
    /// Removes the directory. Collective.
    void remove();

  private:
    void agree_on_calls(MPI_Comm world, u64 limit);
    void agree_on_parts(MPI_Comm world, u64 limit);
    void agree_on_sizes(MPI_Comm world, u64 limit);
    void make_files(MPI_Comm world) const;

    const FileTable& table_;
    const Communicators& communicators_;
    std::map<u64, OpenFile> files_;
    std::map<u64, u64> sizes_;  ///< of all files of all processes, by file
    std::optional<ScratchDirectory> directory_;
};

}  // namespace tracefold
