// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/communicator_table.hpp"
#include "mpi/file_uses.hpp"
#include "mpi/mpi_call.hpp"

#include <deque>
#include <map>

namespace tracefold {

/// What all ranks have to agree on for one-sided communication and MPI-IO, as in a replay: the
/// bytes that a window exposes, the layout and the size of a file. Memory: file handles by rank.
class ObjectSurvey {
  public:
    explicit ObjectSurvey(TraceFile& file) : definitions_(file) {}

    /// `table` of the next rank; must outlive its calls.
    void begin_rank(const CommunicatorTable& table);
    /// Call for every call of the rank in order. Returns the communicator of the window or file
    /// that the call makes, or kNone.
    u64 add(const MpiCall& call);
    /// Call after the last rank.
    void finish();

    /// Bytes that every process exposes.
    [[nodiscard]] u64 extent(u64 window) const;
    [[nodiscard]] u64 largest() const { return largest_; }  ///< bytes of a transfer
    /// Null if the rank does not open this handle.
    [[nodiscard]] const FileUse* find(u32 rank, u64 handle) const {
        return files_[rank].find(handle);
    }
    /// Number of a file; file_count() if the program does not open it.
    [[nodiscard]] u64 number_of(u64 file) const;
    [[nodiscard]] u64 file_count() const { return sizes_.size(); }

  private:
    FileTable definitions_;
    const CommunicatorTable* table_ = nullptr;
    std::map<u64, u64> extents_;  ///< by window
    std::deque<FileUses> files_;  ///< by rank
    std::map<u64, u64> sizes_;    ///< of the files that are opened
    u64 largest_ = 0;
};

}  // namespace tracefold
