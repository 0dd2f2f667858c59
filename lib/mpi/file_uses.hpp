// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/communicator_table.hpp"
#include "mpi/file_layout.hpp"
#include "mpi/file_table.hpp"
#include "mpi/mpi_call.hpp"

#include <functional>
#include <map>
#include <span>
#include <vector>

namespace tracefold {

/// A file handle of one process, in all calls.
struct FileUse {
    u64 file = 0;  ///< definition id
    u64 comm = kNone;
    u64 rank = 0;           ///< of the process in the communicator
    bool is_alone = false;  ///< opened by this process only
    FileLayout layout;
    u64 size = 0;         ///< bytes of the file; agreed on
    u64 collectives = 0;  ///< calls that all processes of the handle make
    u64 bare_calls = 0;   ///< hash of those without a record, with their places among all of them
    bool bare = false;    ///< all processes agree on them: they are issued
    std::map<MpiFunction, u64> functions;  ///< calls without a record
};

/// The file handles that one process uses: layouts, and calls without a record, which belong to the
/// file used last. Memory: handles.
class FileUses {
  public:
    /// Both must outlive this object.
    FileUses(const FileTable& definitions, const CommunicatorTable& communicators)
        : definitions_(&definitions), communicators_(&communicators) {}

    /// Call for every file call in order; `bytes`: of a transfer, as it is issued. Returns the
    /// handle that the call opens; null if it opens none, or one that is not defined for MPI. Calls
    /// on a handle that is never opened are ignored.
    const FileUse* add(const MpiCall& call, u64 bytes);

    /// Null if the process does not open it.
    [[nodiscard]] FileUse* find(u64 handle);
    [[nodiscard]] const FileUse* find(u64 handle) const;

    /// Calls visit(use) for every handle.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const auto& [handle, use] : uses_) visit(use);
    }

    /// What processes agree on by handle or file: values by number, all of which are replaced by
    /// their maximum or sum.
    using Combine = std::function<void(std::vector<u64>& values, bool sum)>;
    /// Agrees on layouts, sizes and calls without a record. `uses`: of processes of this program;
    /// `combine` unites their values with those of other programs. Returns sizes by file.
    static std::map<u64, u64> agree(const FileTable& definitions, std::span<FileUses* const> uses,
                                    const Combine& combine);

  private:
    FileUse* open(u64 handle);
    void add_bare(FileUse& use, MpiFunction function);

    const FileTable* definitions_;
    const CommunicatorTable* communicators_;
    std::map<u64, FileUse> uses_;
    RecentFiles recent_;
};

}  // namespace tracefold
