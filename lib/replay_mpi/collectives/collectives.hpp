// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/collective_arguments.hpp"
#include "replay_mpi/amounts.hpp"
#include "replay_mpi/buffers.hpp"
#include "replay_mpi/collectives/vector_collectives.hpp"
#include "replay_mpi/communicators/communicators.hpp"
#include "replay_mpi/requests/requests.hpp"

#include <array>

namespace tracefold {

/// Issues the collectives of one location, blocking or not, with arguments that move as many bytes
/// as recorded. Data is MPI_BYTE, reductions take the exclusive or.
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

    /// Before the replay, for every call in order.
    void prepare(const MpiCall& mpi_call);
    /// Throws Error(io).
    void execute(const MpiCall& mpi_call, Requests& requests);
    /// After a call that completed requests.
    void complete(const MpiCall& mpi_call);
    /// After the completion of one.
    void complete(u64 request) { vectors_.complete(request); }

  private:
    /// Amounts and memory of one call.
    struct Call {
        MPI_Comm comm = MPI_COMM_NULL;
        int root = 0;
        Amount send;
        Amount receive;
        const void* out = nullptr;
        void* in = nullptr;
        MPI_Request* request = nullptr;  ///< null: blocking
    };

    /// What is the same whenever a part comes again.
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
