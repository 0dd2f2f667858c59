// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/inferences.hpp"

#include <mutex>
#include <unordered_map>

#include <mpi.h>

namespace tracefold {

class Communicators;

/// The recorded data of a call that made a communicator.
struct Creation {
    MpiFunction function = MpiFunction::other;
    u64 parent = kNone;                      ///< kNone: not recorded
    const CommunicatorView* view = nullptr;  ///< null if the process got MPI_COMM_NULL
};

/// Issues the calls that make communicators. Arguments missing in the trace (colours, keys, groups,
/// leaders, tags) follow from the definitions, equally on all processes and without communication.
class CommunicatorMaker {
  public:
    /// Neighbours of each process in a communicator with a graph.
    static constexpr std::size_t kRingNeighbours = 2;

    /// Both must outlive this object.
    CommunicatorMaker(const Communicators& communicators, Inferences& inferences)
        : communicators_(communicators), inferences_(inferences) {}

    /// MPI_COMM_NULL if the process gets none. Throws Error: io, corrupt.
    MPI_Comm make(const Creation& creation);
    /// Call before the program starts again.
    void reset() { nulls_.clear(); }

  private:
    [[nodiscard]] const CommunicatorTable& table() const;
    [[nodiscard]] MPI_Comm parent_of(const Creation& creation) const;
    [[nodiscard]] MPI_Comm without_parent(const Creation& creation) const;
    [[nodiscard]] MPI_Comm split(const Creation& creation) const;
    [[nodiscard]] MPI_Comm from_group(const Creation& creation) const;
    [[nodiscard]] MPI_Comm from_own_group(const Creation& creation) const;
    [[nodiscard]] MPI_Comm cart(const Creation& creation);
    [[nodiscard]] MPI_Comm split_by_type(const Creation& creation);
    [[nodiscard]] MPI_Comm graph(const Creation& creation) const;
    [[nodiscard]] MPI_Comm cart_part(const Creation& creation) const;
    [[nodiscard]] const CommunicatorView* next_cart_without_me(u64 parent);
    [[nodiscard]] int colour_of(const CommunicatorView& view) const;
    [[nodiscard]] int rank_in(const CommunicatorView& view) const;

    const Communicators& communicators_;
    Inferences& inferences_;
    std::mutex mutex_;
    std::unordered_map<u64, std::size_t> nulls_;  ///< next MPI_Cart_create without this process, by
                                                  ///< parent
};

class Communicators;

/// MPI_Comm_create_group over the members of `view`, from `parent` or, if that is MPI_COMM_NULL,
/// from replay_world(). Throws Error(io).
MPI_Comm make_of_group(MPI_Comm parent, const CommunicatorView& view);

/// MPI_Intercomm_create. Leaders are the first processes of both sides; they use the recorded peer
/// communicator if both are members, otherwise replay_world(). The local communicator is the first
/// existing one with these members. Throws Error: io, corrupt.
MPI_Comm connect_sides(const CommunicatorView* inter, const Communicators& communicators,
                       Inferences& inferences);

/// MPI_Intercomm_merge of the intercommunicator `parent`: the order of the members shows the high
/// side. Throws Error: io, corrupt.
MPI_Comm merge_sides(const CommunicatorView* merged, u64 parent,
                     const Communicators& communicators);

}  // namespace tracefold
