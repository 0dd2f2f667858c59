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

/// The calls of one rank that could have made or freed its communicators: calls without a record,
/// and the span between them in which each communicator is in use. Memory: linear in both.
class CommunicatorHistory {
  public:
    struct Call {
        u32 location = 0;
        u64 index = 0;  ///< on its location
        MpiFunction function = MpiFunction::other;
        u64 creations = 0;  ///< creations before this call
    };
    /// The span of uses of one communicator.
    struct Uses {
        u64 first = 0;  ///< creations before the first use
        u64 last = 0;   ///< frees before the last use
    };

    /// Both must outlive this object.
    CommunicatorHistory(const CommunicatorTable& table, const FileTable& files)
        : table_(&table), files_(&files), has_inter_(has_intercommunicators(table)) {}

    /// Call for all calls of the rank's first location in order, then for those of the next one.
    /// Threads have no known order: calls of further threads count as later, their uses as at any
    /// time.
    void add(u32 location, const MpiCall& call, bool is_first_location);
    /// Call after the last add(). `order`: communicators in the order in which the rank learnt of
    /// them; missing ones follow in definition order. Definitions of one process represent all
    /// processes: they count if listed or used.
    void finish(const std::vector<u64>& order);

    /// Calls without a record, in order.
    [[nodiscard]] const std::vector<Call>& creations() const { return creations_; }
    [[nodiscard]] const std::vector<Call>& frees() const { return frees_; }
    /// Null if the communicator is never used.
    [[nodiscard]] const Uses* uses(u64 comm) const;
    /// Communicators that no record makes, in the order in which the rank learnt of them.
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

/// The communicator that an action uses without making it; kNone if none.
u64 used_communicator(const Action& action, const CommunicatorTable& table, const FileTable& files);

/// Reads the history of a rank. Cost: a walk through its calls. Throws Error(corrupt). Table and
/// files must outlive the history.
CommunicatorHistory read_history(TraceFile& file, const CommunicatorTable& table,
                                 const FileTable& files);

}  // namespace tracefold
