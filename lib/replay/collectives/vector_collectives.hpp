// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "mpi/collective_arguments.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/inferences.hpp"
#include "replay/communicators/communicators.hpp"
#include "replay/detail/buffers.hpp"

#include <deque>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// Exchanges the sizes of collectives with a count per partner: the counts of one member follow
/// from the sizes of the others. Every process folds its own sizes during preparation; the folded
/// sequences are exchanged once and unwound during the run. Memory: the distinct folded sequences,
/// and one number per member.
class SizeExchange {
  public:
    /// The table must outlive this object.
    explicit SizeExchange(const CommunicatorTable& table) : table_(table) {}

    /// Adds the own sizes of the next collective on a communicator.
    void record(u64 comm, const Contribution& sizes);

    /// Call after the last record(). Collective over `world`, all ranks. Throws Error(io).
    void exchange(MPI_Comm world);
    /// Rewinds the received sequences. Throws Error(corrupt) if their lengths differ.
    void rewind();

    struct Sizes {
        std::span<const Contribution> own_group;
        std::span<const Contribution> other_group;  ///< own_group without an intercommunicator
    };
    /// The sizes of the next collective on a communicator, valid until the next invocation. Threads
    /// may use different communicators at once. Throws Error(corrupt) after the last one.
    Sizes next(u64 comm);

  private:
    struct Recorded {
        u64 count = 0;
        ColumnBuilder sent;
        ColumnBuilder received;
    };
    /// One sequence of sizes, shared by all members that recorded it.
    struct Sequence {
        std::vector<Pattern> patterns;
        std::vector<Column> columns;
        u32 sent = 0;
        u32 received = 0;
        u64 count = 0;
        std::vector<ColumnCursor> cursors;  ///< sent, received
        Contribution now;
    };
    struct Group {
        std::vector<std::string> encoded;  ///< by member: own group, then the other one
        std::size_t own = 0;               ///< members of the own group
        std::deque<Sequence> sequences;
        std::vector<u32> sequence_of;  ///< by member
        u64 left = 0;
        std::vector<Contribution> sizes;  ///< by member
    };

    [[nodiscard]] std::vector<u64> communicators_in_use(MPI_Comm world) const;
    std::string encode(u64 comm);
    void gather(const CommunicatorView& view, std::string_view mine, MPI_Comm world, Group& group);
    static void decode(const std::string& bytes, Sequence& sequence);
    static void prepare(u64 comm, Group& group);

    const CommunicatorTable& table_;
    std::unordered_map<u64, Recorded> recorded_;
    std::unordered_map<u64, Group> groups_;
};

/// Converts a recorded root to MPI's.
int mpi_root(u32 root);

/// Issues the collectives with a count per partner: Gatherv, Scatterv, Allgatherv, Alltoallv,
/// Alltoallw, Reduce_scatter, blocking or not.
class VectorCollectives {
  public:
    /// All must outlive this object.
    VectorCollectives(Communicators& communicators, CollectiveScopes& scopes, SizeExchange& sizes,
                      Inferences& inferences, Amounts& amounts, Buffers& buffers)
        : communicators_(communicators),
          scopes_(scopes),
          sizes_(sizes),
          inferences_(inferences),
          amounts_(amounts),
          buffers_(buffers) {}

    /// Call before the replay, for every such collective in order.
    void prepare(const CollectivePart& part);
    /// `request` is null for a blocking call; otherwise `id` identifies it. Throws Error: io;
    /// unsupported for more than 2 GiB in one call.
    void issue(const CollectivePart& part, u64 id, MPI_Request* request);
    /// Releases the arguments of a completed request.
    void complete(u64 id);

  private:
    /// Arguments that MPI reads until the call completes.
    struct Arrays {
        bool in_use = false;
        u64 id = 0;
        std::vector<int> send_counts;
        std::vector<int> send_places;
        std::vector<int> receive_counts;
        std::vector<int> receive_places;
        std::vector<MPI_Datatype> types;
    };

    Arrays& free_arrays();
    u64 lay_out(const std::vector<u64>& sizes, std::vector<int>& counts, std::vector<int>& places);
    void issue(CollectiveKind kind, const CollectivePart& part, Arrays& arrays,
               MPI_Request* request);

    Communicators& communicators_;
    CollectiveScopes& scopes_;
    SizeExchange& sizes_;
    Inferences& inferences_;
    Amounts& amounts_;
    Buffers& buffers_;
    VectorArguments arguments_;
    std::deque<Arrays> arrays_;
};

}  // namespace tracefold
