// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/mpi_call.hpp"

#include <optional>

namespace tracefold {

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
    /// A transfer of so many bytes; `offset` of FilePosition::given.
    void transfer(FilePosition position, u64 offset, u64 bytes) {
        extent().transfer(position, offset, bytes);
        if (position == FilePosition::shared) shared = true;
    }
    void seek(bool shared_pointer, u64 offset) {
        extent().seek(shared_pointer, offset);
        if (shared_pointer) shared = true;
    }
    [[nodiscard]] FileExtent& extent() { return viewed ? views : plain; }
    [[nodiscard]] i64 place(u64 offset) const {
        return static_cast<i64>(viewed ? offset * unit : offset);
    }
    /// Begin of the part of rank `rank`.
    [[nodiscard]] i64 part(u64 rank) const { return static_cast<i64>(shared ? 0 : rank * stride); }
};

}  // namespace tracefold
