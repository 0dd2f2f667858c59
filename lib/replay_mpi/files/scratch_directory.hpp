// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "io/temporary.hpp"

#include <optional>
#include <string>

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

}  // namespace tracefold
