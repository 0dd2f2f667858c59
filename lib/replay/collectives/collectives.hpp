// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/mpi.hpp"
#include "mpi/collective_arguments.hpp"
#include "mpi/inferences.hpp"
#include "mpi/mpi_call.hpp"
#include "replay/collectives/vector_collectives.hpp"
#include "replay/communicators/communicators.hpp"
#include "replay/detail/buffers.hpp"
#include "replay/proof/watched.hpp"
#include "replay/requests/requests.hpp"

#include <array>
#include <map>
#include <optional>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// Issues the collectives of one location, blocking or not, with arguments that move the recorded
/// bytes. Data is MPI_BYTE; reductions use the exclusive or.
class Collectives {
  public:
    /// All must outlive this object.
    Collectives(Communicators& communicators, SizeExchange& sizes, Inferences& inferences,
                Amounts& amounts, Buffers& buffers)
        : communicators_(communicators),
          inferences_(inferences),
          amounts_(amounts),
          buffers_(buffers),
          scopes_(communicators.table()),
          vectors_(communicators, scopes_, sizes, inferences, amounts, buffers) {}
    Collectives(const Collectives&) = delete;
    Collectives& operator=(const Collectives&) = delete;

    /// Call before the replay, for every call in order.
    void prepare(const MpiCall& mpi_call);
    /// Throws Error(io).
    void execute(const MpiCall& mpi_call, Requests& requests);
    /// Call after a call that completed requests.
    void complete(const MpiCall& mpi_call);
    /// Call after the completion of a request.
    void complete(u64 request) { vectors_.complete(request); }

  private:
    /// MPI arguments of one call.
    struct Call {
        MPI_Comm comm = MPI_COMM_NULL;
        int root = 0;
        Amount send;
        Amount receive;
        const void* out = nullptr;
        void* in = nullptr;
        MPI_Request* request = nullptr;  ///< null: blocking
    };

    /// Cached arguments of a part.
    struct Prepared {
        CollectivePart part;
        Call call;
        u64 send_bytes = 0;  ///< of all pieces
        u64 receive_bytes = 0;
        bool in_place = false;
    };
    static constexpr std::size_t kPrepared = 16;

    const Prepared& prepare_uniform(const CollectivePart& part);
    void count(const Action& action);
    void issue(const Action& action, MPI_Request* request);
    static void issue_uniform(CollectiveKind kind, const Call& call);

    Communicators& communicators_;
    Inferences& inferences_;
    Amounts& amounts_;
    Buffers& buffers_;
    CollectiveScopes scopes_;
    VectorCollectives vectors_;
    std::array<Prepared, kPrepared> prepared_;  ///< by operation
};

}  // namespace tracefold

/// Issues the blocking function if the local variable `request` is null, otherwise the non-blocking
/// one: TRACEFOLD_ISSUE(Bcast, Ibcast, arguments...). The two differ only in the last argument.
#define TRACEFOLD_ISSUE(blocking, nonblocking, ...)                            \
    check_mpi(request == nullptr ? watched::blocking(__VA_ARGS__)              \
                                 : watched::nonblocking(__VA_ARGS__, request), \
              request == nullptr ? "MPI_" #blocking : "MPI_" #nonblocking)

namespace tracefold {

/// Issues the neighbourhood collectives of one location. The trace has only their names: they use
/// the last communicator with neighbours that was made and not freed, if all its members call the
/// same ones in the same order, with a number of bytes per neighbour that the user chooses. All
/// other such calls are left out on all members.
class Neighbours {
  public:
    /// All must outlive this object.
    Neighbours(Communicators& communicators, Inferences& inferences, Amounts& amounts,
               Buffers& buffers)
        : communicators_(communicators),
          inferences_(inferences),
          amounts_(amounts),
          buffers_(buffers) {}

    /// Issue them with `bytes` bytes per neighbour. Call before prepare().
    void choose(u64 bytes) { bytes_ = bytes; }
    [[nodiscard]] bool are_chosen() const { return bytes_.has_value(); }

    /// Call before the replay, for every call in order.
    void prepare(const MpiCall& call);
    /// Call after prepare(): finds the calls that members agree on. Collective over `world`, a
    /// duplicate of MPI_COMM_WORLD.
    void agree(MPI_Comm world);

    /// Call for every call that makes or frees communicators, in order.
    void note(const MpiCall& call);
    /// A call of the family neighbour. Throws Error(io).
    void execute(const MpiCall& call);
    /// Waits for the non-blocking ones: the calls that completed them have no record either.
    void complete();
    /// Call before the program starts again.
    void reset() { live_.clear(); }

  private:
    /// Arrays with one entry per neighbour; they do not move until the call completes.
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
    std::vector<u64> live_;         ///< communicators with neighbours, the latest one last
    std::map<u64, u64> sequences_;  ///< by communicator: a hash of the calls on it
    std::map<u64, bool> agreed_;
    std::vector<MPI_Request> pending_;
    std::map<std::size_t, Shape> shapes_;  ///< by number of neighbours
};

}  // namespace tracefold
