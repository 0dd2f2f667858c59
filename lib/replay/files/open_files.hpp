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

/// A fresh directory for the files of a replay, with the same path on every node; its name and the
/// names in it have nothing to do with those in the trace. Nodes whose path leads to the same file
/// system share one. Construction and remove() are collective.
class ScratchDirectory {
  public:
    /// Makes it in `parent`, which must exist on every node. Throws Error(io) on all processes if
    /// that fails on one.
    ScratchDirectory(MPI_Comm world, const std::string& parent);
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    /// Removes the directory, unless remove() did; alone, for the case of an error. A signal
    /// removes it as well.
    ~ScratchDirectory() = default;

    [[nodiscard]] std::string path_of(u64 file) const;
    /// Of one process for each directory: the one that made it.
    [[nodiscard]] bool is_leader() const { return folder_.has_value(); }
    /// Waits for all processes, then removes the directory with all that is in it.
    void remove();

  private:
    [[nodiscard]] std::string agree_on_name(const std::string& parent);

    MPI_Comm world_;
    std::optional<Temporary> folder_;  ///< of the process that made it
    std::string path_;
};

/// Where a transfer begins.
enum class FilePosition : u8 {
    given,       ///< at an offset of its own
    individual,  ///< at the process's pointer
    shared,      ///< at the pointer that all processes share
};

FilePosition position_of(MpiFunction function);

/// A read or write as recorded.
struct FileTransfer {
    u64 handle = 0;
    u64 bytes = 0;    ///< asked for
    u64 offset = 0;   ///< of FilePosition::given, in units of the view
    u64 request = 0;  ///< of a call that makes a request
};

/// Nothing if the call is no transfer, or left no record.
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

/// How far one process goes in a file, in one kind of view: watches transfers before the replay.
/// All sizes are upper bounds.
class FileExtent {
  public:
    /// Both pointers are at the beginning again.
    void rewind();
    void seek(bool shared, u64 offset);
    void transfer(FilePosition position, u64 offset, u64 bytes);

    /// Bytes up to the end of the farthest transfer, if offsets count `unit` bytes.
    [[nodiscard]] u64 end(u64 unit) const { return offset_ * unit + bytes_; }
    /// The farthest offset that the shared pointer was set to, and the most bytes that this process
    /// moved with it from one place on.
    [[nodiscard]] u64 shared_offset() const { return shared_offset_; }
    [[nodiscard]] u64 shared_bytes() const { return shared_bytes_; }
    /// Bytes that an offset counts, if transfers that follow each other are adjacent; 0: unknown.
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

/// Where the transfers of one process on one file handle go. As long as the program set no view,
/// offsets are the recorded ones, in bytes. The views themselves are not in the trace: from the
/// first MPI_File_set_view on, each process has a contiguous part of the file of its own, or, if
/// the shared pointer is used, all have the whole file.
struct FileLayout {
    FileExtent plain;  ///< before the program set a view
    FileExtent views;
    bool viewed = false;  ///< a view is set
    bool shared = false;  ///< the shared pointer is used
    u64 unit = 1;         ///< bytes that an offset counts once a view is set; agreed on
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
    /// Where the part of the process of this rank begins.
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
