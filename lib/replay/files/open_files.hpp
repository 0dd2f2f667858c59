// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/temporary.hpp"
#include "base/types.hpp"
#include "mpi/file_table.hpp"
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

/// The start of a transfer.
enum class FilePosition : u8 {
    given,       ///< at an explicit offset
    individual,  ///< at the process's pointer
    shared,      ///< at the shared pointer
};

FilePosition position_of(MpiFunction function);

/// A read or write as recorded.
struct FileTransfer {
    u64 handle = 0;
    u64 bytes = 0;    ///< requested
    u64 offset = 0;   ///< of FilePosition::given, in units of the view
    u64 request = 0;  ///< of a call that makes a request
};

/// Nullopt if the call is no transfer, or has no record.
std::optional<FileTransfer> read_file_transfer(const MpiCall& mpi_call);

/// True for the second half of a split collective.
bool ends_split(MpiFunction function);

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

/// Upper bounds of the extent that one process accesses in a file, in one kind of view: tracks
/// transfers before the replay.
class FileExtent {
  public:
    /// Resets both pointers.
    void rewind();
    void seek(bool shared, u64 offset);
    void transfer(FilePosition position, u64 offset, u64 bytes);

    /// Bytes up to the end of the farthest transfer, if offsets count `unit` bytes.
    [[nodiscard]] u64 end(u64 unit) const { return offset_ * unit + bytes_; }
    /// The farthest offset of the shared pointer, and the most bytes moved with it after a seek.
    [[nodiscard]] u64 shared_offset() const { return shared_offset_; }
    [[nodiscard]] u64 shared_bytes() const { return shared_bytes_; }
    /// Bytes per unit of an offset, if consecutive transfers are adjacent; 0: unknown.
    [[nodiscard]] u64 unit() const { return unit_; }

  private:
    void guess_unit(u64 offset, u64 bytes);

    u64 offset_ = 0;  ///< the farthest of all
    u64 bytes_ = 0;   ///< most bytes from one offset on
    u64 run_ = 0;     ///< bytes since the individual pointer was set
    u64 shared_offset_ = 0;
    u64 shared_bytes_ = 0;
    u64 shared_run_ = 0;
    u64 unit_ = 0;
    u64 last_offset_ = ~u64{0};
    u64 last_bytes_ = 0;
};

/// The file layout of one process and handle. Before MPI_File_set_view, offsets are the recorded
/// ones, in bytes. The trace lacks the views: from the first one on, each process has its own
/// contiguous part of the file, or, if the shared pointer is used, all have the whole file.
struct FileLayout {
    FileExtent plain;  ///< before the program set a view
    FileExtent views;
    bool viewed = false;  ///< a view is set
    bool shared = false;  ///< the shared pointer is used
    u64 unit = 1;         ///< bytes per unit of an offset in a view; agreed on
    u64 stride = 0;       ///< bytes of a process's part; agreed on

    /// The file is opened.
    void rewind() {
        viewed = false;
        plain.rewind();
    }
    /// Both pointers go to the beginning of the view.
    void begin_view() {
        viewed = true;
        views.rewind();
    }
    [[nodiscard]] FileExtent& extent() { return viewed ? views : plain; }
    [[nodiscard]] MPI_Offset place(u64 offset) const {
        return static_cast<MPI_Offset>(viewed ? offset * unit : offset);
    }
    /// Begin of the part of rank `rank`.
    [[nodiscard]] MPI_Offset part(u64 rank) const {
        return static_cast<MPI_Offset>(shared ? 0 : rank * stride);
    }
};

/// A file handle of the trace.
struct OpenFile {
    MPI_File handle = MPI_FILE_NULL;
    u64 file = 0;
    u64 comm = kNone;
    u64 rank = 0;  ///< of this process in the communicator
    FileLayout layout;
    u64 size = 0;        ///< bytes that the file has before the replay; agreed on
    u64 bare_calls = 0;  ///< hash of the calls without a record that are assigned to this file
    bool bare = false;   ///< all processes agree on them: they are issued
    FileCall split;      ///< the latest transfer: the arguments for the end of a split collective
};

/// The file handles of a process by global id. The files lie in a scratch directory and initially
/// contain every byte that is ever read. The table does not grow during the replay.
class OpenFiles {
  public:
    /// All must outlive this object.
    OpenFiles(const FileTable& table, const Communicators& communicators)
        : table_(table), communicators_(communicators) {}

    /// Before the replay: registers a handle. Throws Error(corrupt) if MPI does not define it.
    OpenFile& expect(u64 handle);
    /// Agrees on layouts and sizes and creates the files in a fresh directory in `scratch` (if
    /// any). Collective over `world`, a duplicate of MPI_COMM_WORLD. Throws Error: io, corrupt.
    void agree(MPI_Comm world, const std::string& scratch);

    /// Throws Error(corrupt) for an unregistered handle.
    [[nodiscard]] OpenFile& at(u64 handle);
    /// Path of a file. Precondition: agree().
    [[nodiscard]] std::string path_of(u64 file) const { return directory_->path_of(file); }
    /// True for a file of one process.
    [[nodiscard]] bool is_alone(const OpenFile& file) const;
    [[nodiscard]] bool has_directory() const { return directory_.has_value(); }

    /// Closes all open files, in the same order on all processes.
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
    std::map<u64, u64> sizes_;  ///< of all processes, by file
    std::optional<ScratchDirectory> directory_;
};

}  // namespace tracefold
