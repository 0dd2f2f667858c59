// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/communicator_table.hpp"
#include "mpi/file_table.hpp"
#include "mpi/mpi_call.hpp"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

/// When one rank could have made and freed its communicators: the calls that do so without a
/// record, and between which of them each communicator is in use. Memory: linear in these calls
/// and in the communicators.
class CommunicatorHistory {
  public:
    struct Call {
        u32 location = 0;
        u64 index = 0;  ///< on its location
        MpiFunction function = MpiFunction::other;
        u64 creations = 0;  ///< that came before it
    };
    /// Of one communicator.
    struct Uses {
        u64 first = 0;  ///< creations before the first use
        u64 last = 0;   ///< frees before the last use
    };

    /// Both must outlive this object.
    CommunicatorHistory(const CommunicatorTable& table, const FileTable& files)
        : table_(&table), files_(&files), has_inter_(has_intercommunicators(table)) {}

    /// For all calls of the rank's first location in order, then for those of the next one. Threads
    /// have no known order: calls of further ones count as later, and their uses are at any time.
    void add(u32 location, const MpiCall& call, bool is_first_location);
    /// After the last call. `order`: communicators in the order in which the rank came to know
    /// them; those that are missing in it follow in that of their definitions. Definitions of one
    /// process each stand for all processes: they count if they are listed or used.
    void finish(const std::vector<u64>& order);

    /// Without a record, in order.
    [[nodiscard]] const std::vector<Call>& creations() const { return creations_; }
    [[nodiscard]] const std::vector<Call>& frees() const { return frees_; }
    /// Null if the communicator is never used.
    [[nodiscard]] const Uses* uses(u64 comm) const;
    /// Communicators that no record makes, in the order in which the rank came to know them.
    [[nodiscard]] const std::vector<u64>& unmade() const { return unmade_; }
    /// True if a record makes it.
    [[nodiscard]] bool is_made(u64 comm) const { return made_.contains(comm); }
    /// True if a record frees it.
    [[nodiscard]] bool is_freed(u64 comm) const { return freed_.contains(comm); }
    [[nodiscard]] const CommunicatorTable& table() const { return *table_; }

  private:
    void add_creation(u32 location, const MpiCall& call);
    void use(u64 comm, bool in_order);

    const CommunicatorTable* table_;
    const FileTable* files_;
    bool has_inter_;
    std::vector<Call> creations_;
    std::vector<Call> frees_;
    std::unordered_map<u64, Uses> uses_;
    std::unordered_set<u64> made_;
    std::unordered_set<u64> freed_;
    std::vector<u64> unmade_;
};

/// The communicator that an action uses, other than by making it; kNone if there is none.
u64 used_communicator(const Action& action, const CommunicatorTable& table, const FileTable& files);

/// The history of a rank. Cost: a walk through its calls. Throws Error(corrupt). Table and files
/// must outlive the history.
CommunicatorHistory read_history(TraceFile& file, const CommunicatorTable& table,
                                 const FileTable& files);

}  // namespace tracefold
