// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "proxy/vector_sizes.hpp"
#include "replay/communicator_table.hpp"
#include "replay/mpi_call.hpp"

#include <set>
#include <vector>

namespace tracefold {

/// What has to be known about a rank's whole program before its first call is translated.
class RankSurvey {
  public:
    /// The sizes of its collectives with a count per partner go to `sizes`. Both must outlive this
    /// object.
    RankSurvey(const CommunicatorTable& table, VectorSizes& sizes) : table_(table), sizes_(sizes) {}

    /// For every call of the rank in order.
    void add(const MpiCall& call);

    /// Communicators that are used though no call makes them, by rising id.
    [[nodiscard]] std::vector<u64> made_at_start() const;
    /// True if the rank called MPI_Init_thread.
    [[nodiscard]] bool starts_threads() const { return starts_threads_; }
    [[nodiscard]] u64 largest() const { return largest_; }  ///< bytes of a message

  private:
    void add_creation(const MpiCall& call);
    void use(u64 comm);

    const CommunicatorTable& table_;
    VectorSizes& sizes_;
    std::set<u64> used_;
    std::set<u64> made_;
    bool starts_threads_ = false;
    u64 largest_ = 0;
};

}  // namespace tracefold
