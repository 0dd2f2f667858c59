// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/collective_arguments.hpp"
#include "replay/inferences.hpp"
#include "replay_mpi/amounts.hpp"
#include "replay_mpi/buffers.hpp"
#include "replay_mpi/collectives/size_exchange.hpp"
#include "replay_mpi/communicators/communicators.hpp"

#include <deque>
#include <vector>

namespace tracefold {

/// MPI's word for a recorded root.
int mpi_root(u32 root);

/// Issues the collectives that take a count per partner: Gatherv, Scatterv, Allgatherv, Alltoallv,
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

    /// Before the replay, for every such collective in order.
    void prepare(const CollectivePart& part);
    /// `request` is null for a blocking one, else `id` is its name. Throws Error: io; unsupported
    /// for more than 2 GiB in one call.
    void issue(const CollectivePart& part, u64 id, MPI_Request* request);
    /// The request is complete: its arguments are not needed any more.
    void complete(u64 id);

  private:
    /// The arguments that MPI reads until the call is complete.
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
