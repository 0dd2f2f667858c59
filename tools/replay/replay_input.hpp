// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/error.hpp"
#include "common/trace_input.hpp"

#include <memory>
#include <optional>

namespace tracefold {

/// The trace to be replayed. It decides on the level of thread support, so each process looks at it
/// before MPI is initialised: a folded file is opened, of an archive the definitions are read.
class ReplayInput {
  public:
    /// Errors wait for check(), since the other processes may not have them. `input` must outlive
    /// this object.
    ReplayInput(const TraceInput& input, Console& console);

    /// Throws what went wrong: Error as TraceInput::open(), unsupported if there is no MPI program.
    void check() const;

    /// Precondition of these: check() passed.
    [[nodiscard]] u32 ranks() const { return ranks_; }
    /// The trace; all processes fold an archive together. Collective.
    TraceFile& open(Communicator& comm, Console& console);

    /// True if MPI may be called from several threads.
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
