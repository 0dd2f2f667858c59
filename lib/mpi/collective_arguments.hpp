// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/communicator_table.hpp"
#include "mpi/mpi_call.hpp"

#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Whether the sizes of the other processes decide on the arguments.
bool is_vector_collective(CollectiveKind kind);

/// OTF2's words for the root of an intercommunicator.
inline constexpr u32 kRootSelf = 0xFFFFFFFEU;       ///< the caller: MPI_ROOT
inline constexpr u32 kRootThisGroup = 0xFFFFFFFDU;  ///< in the caller's group: MPI_PROC_NULL

/// How a process sees the communicator of a collective.
struct CollectiveScope {
    u32 rank = 0;      ///< own rank
    u32 size = 1;      ///< processes in the own group
    u32 partners = 1;  ///< processes of the other group; all of the own without one
    bool inter = false;
};

/// Arguments of a collective whose counts are equal for all partners.
struct UniformArguments {
    u64 send = 0;     ///< bytes for one partner, or the own contribution
    u64 receive = 0;  ///< bytes from one partner, or of the result
    bool in_place = false;
};

/// Undoes the sums that a record states: its sizes are those that MPI moves with these arguments.
/// Where the caller may have used MPI_IN_PLACE or not, it is taken not to have.
UniformArguments uniform_arguments(const CollectivePart& part, const CollectiveScope& scope);

/// The sizes that a process recorded for one collective.
struct Contribution {
    u64 sent = 0;
    u64 received = 0;
};

/// Arguments of a collective with a count per partner; empty where MPI ignores them.
struct VectorArguments {
    std::vector<u64> send;
    std::vector<u64> receive;
    u64 own = 0;  ///< what the caller contributes or gets, where that is one number
    bool in_place = false;
};

/// Works out the counts from the records of all: `own_group` are the sizes of the caller's group by
/// rank, `other_group` those of the partners, which without an intercommunicator are the same.
/// All-to-all: each size is spread evenly over the partners, as far as the sums allow, since the
/// record has the sums only. Fills `arguments`, whose memory is used again. Throws Error(corrupt)
/// if the sizes of different processes contradict each other.
void vector_arguments(const CollectivePart& part, const CollectiveScope& scope,
                      std::span<const Contribution> own_group,
                      std::span<const Contribution> other_group, VectorArguments& arguments);

/// How one process sees the communicators of its collectives. Cost: one look-up after the first.
class CollectiveScopes {
  public:
    /// The table must outlive this object.
    explicit CollectiveScopes(const CommunicatorTable& table) : table_(table) {}

    /// Throws Error(corrupt) if the process is no member. References hold for ever.
    const CollectiveScope& of(u64 comm) {
        const auto found = scopes_.find(comm);
        return found != scopes_.end() ? found->second : add(comm);
    }

  private:
    const CollectiveScope& add(u64 comm);

    const CommunicatorTable& table_;
    std::unordered_map<u64, CollectiveScope> scopes_;
};

}  // namespace tracefold
