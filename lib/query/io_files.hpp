// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/trace_file.hpp"

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

/// The files of a trace, the handles that they were opened by, and the regions that are calls of
/// I/O. A file that two layers open, such as MPI-IO and POSIX, counts once for each layer. A handle
/// of no file, such as standard output, is a file by itself. Memory: linear in these definitions.
class IoFiles {
  public:
    struct File {
        std::string name;
        std::string paradigm;  ///< "MPI I/O"
    };

    /// Cost: one pass over the file's definitions. Throws Error(corrupt).
    explicit IoFiles(TraceFile& file);

    [[nodiscard]] const std::vector<File>& files() const { return files_; }
    /// The number of the file behind a global handle id; kNone if it is not defined.
    [[nodiscard]] u32 of_handle(u64 handle) const;
    /// True for regions whose role is I/O, and for the file functions of MPI.
    [[nodiscard]] bool is_io_call(u64 region) const { return io_regions_.contains(region); }

  private:
    struct Handle {
        u64 id;
        u64 name;
        u64 file;
        u64 paradigm;
        u64 parent;
    };

    void add(u8 type, std::span<const u64> v, const DefinitionIndex& index);
    void name_files(const DefinitionIndex& index);
    [[nodiscard]] u64 file_behind(const Handle& handle) const;

    std::vector<File> files_;
    std::unordered_map<u64, u32> of_handle_;
    std::unordered_set<u64> io_regions_;
    std::vector<Handle> handles_;                 ///< as defined
    std::unordered_map<u64, u64> file_names_;     ///< string by file
    std::unordered_map<u64, u64> paradigms_;      ///< string by I/O paradigm
    std::unordered_map<u64, std::size_t> place_;  ///< in handles_, by id
};

}  // namespace tracefold
