// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay_mpi/files/file_calls.hpp"

namespace tracefold {

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

}  // namespace tracefold
