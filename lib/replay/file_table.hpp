// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/trace_file.hpp"

#include <map>

namespace tracefold {

/// A handle of a file that MPI opened.
struct FileHandleDefinition {
    u64 file = 0;      ///< definition id of the file
    u64 comm = kNone;  ///< the communicator that opened it
};

/// The handles of files that the definitions list for MPI, of all processes. Memory: linear in
/// them.
class FileTable {
  public:
    FileTable() = default;
    /// Cost: one pass over the file's definitions.
    explicit FileTable(TraceFile& file);
    /// `index` has all definitions.
    void add(const DefinitionIndex& index, const RecordBatch& batch);

    [[nodiscard]] const std::map<u64, FileHandleDefinition>& handles() const { return handles_; }
    /// Null if MPI has no such handle.
    [[nodiscard]] const FileHandleDefinition* find(u64 handle) const;

  private:
    std::map<u64, FileHandleDefinition> handles_;
};

}  // namespace tracefold
