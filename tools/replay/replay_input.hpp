// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/error.hpp"
#include "common/trace_input.hpp"

#include <memory>
#include <optional>

namespace tracefold {

/// The trace to replay. It determines the MPI thread level, so each process examines it before MPI
/// is initialised: opens a folded file, reads the definitions of an archive.
class ReplayInput {
  public:
    /// Defers errors to check(): other processes may not have them. `input` must outlive this
    /// object.
    ReplayInput(const TraceInput& input, Console& console);

    /// Throws a deferred error: Error as TraceInput::open(), unsupported without an MPI program.
    void check() const;

    /// Throws Error(io) on all processes unless all see the same trace. Collective.
    void expect_alike(Communicator& comm) const;

    /// Precondition of these functions: check() passed.
    [[nodiscard]] u32 ranks() const { return ranks_; }
    /// Opens the trace; all processes fold an archive together. Collective.
    TraceFile& open(Communicator& comm, Console& console);

    /// True if several threads may call MPI.
    [[nodiscard]] bool may_have_threads() const { return threads_; }

  private:
    void look(Console& console);

    const TraceInput& input_;
    std::unique_ptr<FoldedInput> opened_;
    u32 ranks_ = 0;
    bool threads_ = false;
    std::optional<Error> failure_;
};

}  // namespace tracefold
