// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/temporary.hpp"
#include "base/types.hpp"
#include "mpi/file_uses.hpp"
#include "mpi/mpi_call.hpp"
#include "replay/communicators/communicators.hpp"
#include "replay/detail/buffers.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// A fresh directory for the files of a replay, with the same path on every node; no names come
/// from the trace. Nodes with a common file system share it. Creation and remove() are collective.
class ScratchDirectory {
  public:
    /// Creates it in `parent`, an existing path on every node. On failure, all throw Error(io).
    ScratchDirectory(MPI_Comm world, const std::string& parent);
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    /// Removes the directory, unless remove() did; not collective, for errors and signals.
    ~ScratchDirectory() = default;

    [[nodiscard]] std::string path_of(u64 file) const;
    /// True on one process for each directory: its creator.
    [[nodiscard]] bool is_leader() const { return folder_.has_value(); }
    /// Waits for all processes, then removes the directory with its contents.
    void remove();

  private:
    [[nodiscard]] std::string agree_on_name(const std::string& parent);

    MPI_Comm world_;
    std::optional<Temporary> folder_;  ///< on its creator
    std::string path_;
};

/// Arguments of a transfer.
struct FileCall {
    MPI_File file = MPI_FILE_NULL;
    MPI_Offset offset = 0;
    Amount amount;
    void* outgoing = nullptr;
    void* incoming = nullptr;
};

/// Issues a read or write. `request` is set by calls that make one. Throws Error: io, unsupported.
void issue_file_call(MpiFunction function, const FileCall& call, MPI_Request* request);

/// A file handle of the trace.
struct OpenFile {
    MPI_File handle = MPI_FILE_NULL;
    FileUse use;
    FileCall split;  ///< the latest transfer: the arguments for the end of a split collective
};

/// The file handles of a process by global id. The files lie in a scratch directory and initially
/// contain every byte that is ever read. The table does not grow during the replay.
class OpenFiles {
  public:
    /// All must outlive this object.
    OpenFiles(const FileTable& table, const Communicators& communicators)
        : table_(table), uses_(table, communicators.table()) {}

    /// Before the replay, for every file call in order; `bytes`: of a transfer. Throws
    /// Error(corrupt) if an opened handle is not defined for MPI.
    void expect(const MpiCall& call, u64 bytes);
    /// Agrees on layouts and sizes and creates the files in a fresh directory in `scratch` (if
    /// any). Collective over `world`, a duplicate of MPI_COMM_WORLD. Throws Error: io, corrupt.
    void agree(MPI_Comm world, const std::string& scratch);

    /// Null if the process never opens it.
    [[nodiscard]] OpenFile* find(u64 handle);
    /// Path of a file. Precondition: agree().
    [[nodiscard]] std::string path_of(u64 file) const { return directory_->path_of(file); }
    [[nodiscard]] bool has_directory() const { return directory_.has_value(); }

    /// Closes all open files, in the same order on all processes.
    void close_all();
    /// Removes the directory. Collective.
    void remove();

  private:
    void make_files(MPI_Comm world) const;

    const FileTable& table_;
    FileUses uses_;
    std::map<u64, OpenFile> files_;
    std::map<u64, u64> sizes_;  ///< of all processes, by file
    std::optional<ScratchDirectory> directory_;
};

}  // namespace tracefold
