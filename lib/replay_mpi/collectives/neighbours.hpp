// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/inferences.hpp"
#include "replay/mpi_call.hpp"
#include "replay_mpi/amounts.hpp"
#include "replay_mpi/buffers.hpp"
#include "replay_mpi/communicators/communicators.hpp"

#include <map>
#include <optional>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// Issues neighbourhood collectives, of which a trace has nothing but their names: on the
/// communicator with neighbours that was made last and is not freed, if all its members call the
/// same ones in the same order on it, with a number of bytes per neighbour that the user chooses.
/// Others are left out on all members. Of one location.
class Neighbours {
  public:
    /// All must outlive this object.
    Neighbours(Communicators& communicators, Inferences& inferences, Amounts& amounts,
               Buffers& buffers)
        : communicators_(communicators),
          inferences_(inferences),
          amounts_(amounts),
          buffers_(buffers) {}

    /// Issue them with so many bytes. Call before prepare().
    void choose(u64 bytes) { bytes_ = bytes; }
    [[nodiscard]] bool are_chosen() const { return bytes_.has_value(); }

    /// Before the replay, for every call in order.
    void prepare(const MpiCall& call);
    /// After that: finds out where the members agree. Collective over `world`, a duplicate of
    /// MPI_COMM_WORLD.
    void agree(MPI_Comm world);

    /// For every call that makes or frees communicators, in order.
    void note(const MpiCall& call);
    /// A call of the family neighbour. Throws Error(io).
    void execute(const MpiCall& call);
    /// Waits for those that do not block: the calls that completed them left no record either.
    void complete();
    /// Before the program starts again.
    void reset() { live_.clear(); }

  private:
    /// Arrays of a call with one entry per neighbour; they stay where they are until it completes.
    struct Shape {
        int neighbours = 0;
        std::vector<int> counts;
        std::vector<int> places;
        std::vector<MPI_Aint> addresses;
        std::vector<MPI_Datatype> types;
    };

    void issue(MpiFunction function, MPI_Comm comm, MPI_Request* request);
    const Shape& shape_for(MPI_Comm comm, const Amount& amount);

    Communicators& communicators_;
    Inferences& inferences_;
    Amounts& amounts_;
    Buffers& buffers_;
    std::optional<u64> bytes_;
    std::vector<u64> live_;         ///< communicators with neighbours, the one made last at the end
    std::map<u64, u64> sequences_;  ///< by communicator: a hash of the calls on it
    std::map<u64, bool> agreed_;
    std::vector<MPI_Request> pending_;
    std::map<std::size_t, Shape> shapes_;  ///< by number of neighbours
};

}  // namespace tracefold
