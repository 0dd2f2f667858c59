// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "mpi/collective_instances.hpp"
#include "mpi/communicator_table.hpp"

#include <functional>
#include <map>
#include <vector>

namespace tracefold {

/// A handle of a file that MPI opened.
struct FileHandleDefinition {
    u64 file = 0;      ///< definition id of the file
    u64 comm = kNone;  ///< the communicator that opened it
};

/// The file handles that the definitions list for MPI, of all processes. Memory: linear in them.
class FileTable {
  public:
    FileTable() = default;
    /// Cost: one pass over the file's definitions.
    explicit FileTable(TraceFile& file);
    /// `index` has all definitions.
    void add(const DefinitionIndex& index, const RecordBatch& batch);

    [[nodiscard]] const std::map<u64, FileHandleDefinition>& handles() const { return handles_; }
    /// Null if MPI does not use this handle.
    [[nodiscard]] const FileHandleDefinition* find(u64 handle) const;

  private:
    std::map<u64, FileHandleDefinition> handles_;
};

/// The open file handles of one location, in the order of their last use. A call without a record
/// is taken to be on the last one.
class RecentFiles {
  public:
    /// The handle of a call; kNone if it names none and no file is open.
    [[nodiscard]] u64 handle_of(const MpiCall& call) const;
    /// Call for every file call in order: a file is used, or closed.
    void note(const MpiCall& call);
    void use(u64 handle);
    void close(u64 handle) { std::erase(open_, handle); }
    /// kNone if no file is open.
    [[nodiscard]] u64 last() const { return open_.empty() ? kNone : open_.back(); }
    void clear() { open_.clear(); }

  private:
    std::vector<u64> open_;
};

/// Groups the collective file calls of all locations, by their order on each handle. A call without
/// a record is assigned to the file that its location used last.
class FileCallsInCommon {
  public:
    using Places = std::vector<CallPlace>;
    enum class Role : u8 {
        opens,
        closes,
        other,
        alone,  ///< not all members make this call: the program ended, or the file differs
    };
    /// Gets calls that are made by all members or by none.
    using Take = std::function<void(Role role, Places places)>;

    /// `members`: the communicator of a handle from the view of a walker, or null.
    FileCallsInCommon(std::function<const CommunicatorView*(u32 walker, u64 handle)> members,
                      Take take)
        : members_(std::move(members)), take_(std::move(take)) {}

    /// Call for every file call, in order for each walker.
    void add(u32 walker, const MpiCall& call);
    /// Call after the last add().
    void finish();

  private:
    void hand_over(u32 context, MpiFunction function,
                   const CollectiveInstances::Instance& instance);

    std::function<const CommunicatorView*(u32, u64)> members_;
    Take take_;
    CollectiveInstances instances_;
    std::map<u32, RecentFiles> recent_;  ///< by walker
    std::map<u32, Places> begun_;        ///< by context: the open split collective
    std::map<u32, bool> out_of_step_;    ///< by context: members made different calls
};

}  // namespace tracefold
