// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/communicator_table.hpp"
#include "mpi/file_layout.hpp"
#include "mpi/file_table.hpp"
#include "mpi/mpi_call.hpp"

#include <map>
#include <utility>

namespace tracefold {

/// What all ranks have to agree on for one-sided communication and MPI-IO, as in a replay: the
/// bytes that a window exposes, the layout and the size of a file. Memory: file handles by rank.
class ObjectSurvey {
  public:
    /// A file handle of one rank.
    struct Handle {
        u64 file = 0;    ///< definition id
        u64 number = 0;  ///< of the file among those that are used
        u64 comm = kNone;
        u64 rank = 0;  ///< in the communicator
        bool is_alone = false;
        FileLayout layout;
        u64 size = 0;        ///< bytes of the file
        u64 bare_calls = 0;  ///< hash of the calls without a record that belong to this file
        bool bare = false;   ///< all processes agree on them: they are issued
    };

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
    [[nodiscard]] const Handle* find(u32 rank, u64 handle) const;
    /// Number of a file; file_count() if the program does not open it.
    [[nodiscard]] u64 number_of(u64 file) const;
    [[nodiscard]] u64 file_count() const { return sizes_.size(); }

  private:
    Handle* expect(u64 handle);
    Handle* use(u64 handle);
    void add_bare(MpiFunction function);

    FileTable definitions_;
    const CommunicatorTable* table_ = nullptr;
    std::map<u64, u64> extents_;                     ///< by window
    std::map<std::pair<u32, u64>, Handle> handles_;  ///< by rank and handle
    std::map<u64, u64> sizes_;                       ///< by file
    Handle* recent_ = nullptr;                       ///< used last; null: none, or closed
    u64 bare_calls_ = 0;
    u64 largest_ = 0;
};

}  // namespace tracefold
