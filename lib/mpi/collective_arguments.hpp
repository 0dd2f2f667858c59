// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/communicator_table.hpp"
#include "mpi/mpi_call.hpp"

#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// True if the arguments depend on the sizes of the other processes.
bool is_vector_collective(CollectiveKind kind);

/// True if members have a size per partner, of which the sums are recorded.
constexpr bool is_matrix(CollectiveKind kind) {
    return kind == CollectiveKind::alltoallv || kind == CollectiveKind::alltoallw;
}

/// OTF2's root values for an intercommunicator.
inline constexpr u32 kRootSelf = 0xFFFFFFFEU;       ///< the caller: MPI_ROOT
inline constexpr u32 kRootThisGroup = 0xFFFFFFFDU;  ///< in the caller's group: MPI_PROC_NULL

/// The communicator of a collective from the view of one process.
struct CollectiveScope {
    u32 rank = 0;      ///< own rank
    u32 size = 1;      ///< processes in the own group
    u32 partners = 1;  ///< processes of the other group; of the own group in an intracommunicator
    bool inter = false;
};

/// Arguments of a collective whose counts are equal for all partners.
struct UniformArguments {
    u64 send = 0;     ///< bytes for each partner, or the own contribution
    u64 receive = 0;  ///< bytes from each partner, or of the result
    bool in_place = false;
};

/// Computes the arguments from the recorded sums: MPI moves the recorded sizes with these
/// arguments. Where MPI_IN_PLACE is ambiguous, it is assumed not to be used.
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
    u64 own = 0;  ///< the caller's contribution or result, where it is one number
    bool in_place = false;
};

/// Computes the counts from the records of all: `own_group` are the sizes of the caller's group by
/// rank, `other_group` those of the partners (the same without an intercommunicator). All-to-all:
/// records have the sums only, so each size is spread evenly over the partners, as far as the sums
/// allow. Reuses the memory of `arguments`. Throws Error(corrupt) if the sizes of different
/// processes contradict each other.
void vector_arguments(const CollectivePart& part, const CollectiveScope& scope,
                      std::span<const Contribution> own_group,
                      std::span<const Contribution> other_group, VectorArguments& arguments);

/// The communicators of all collectives from the view of one process. Cost: a cached look-up.
class CollectiveScopes {
  public:
    /// The table must outlive this object.
    explicit CollectiveScopes(const CommunicatorTable& table) : table_(table) {}

    /// Throws Error(corrupt) if the process is no member. References stay valid.
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
