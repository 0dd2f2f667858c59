// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call.hpp"

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace tracefold::inline proxy {

/// Calls in a row that complete some of several requests, whichever are ready: MPI_Waitany and its
/// like. Which of them completes what is chance, what all of them complete is not.
struct CompletionRun {
    MpiFunction function{};  ///< of the first call
    u64 calls = 0;
    std::vector<u64> requests;
};

/// Reads the calls of a rank and looks ahead to the end of such runs. Memory: a few thousand calls;
/// a run that is longer is taken for several.
class CompletionRuns {
  public:
    /// Reads the next call; false after the last. Actions are valid until the one after.
    using Source = std::function<bool(MpiCall&)>;

    /// `functions`: those that runs consist of.
    CompletionRuns(Source source, std::set<MpiFunction> functions)
        : source_(std::move(source)), functions_(std::move(functions)) {}

    /// The same calls in the same order, but those of a run have no actions.
    bool next(MpiCall& call);
    /// The run that begins with the call just read; null if none does.
    [[nodiscard]] const CompletionRun* begun() const { return begins_ ? &run_ : nullptr; }

  private:
    [[nodiscard]] bool may_be_in_run(const MpiCall& call) const;
    void read_run(MpiCall& first);
    void add(MpiCall& call);

    Source source_;
    std::set<MpiFunction> functions_;
    CompletionRun run_;
    bool begins_ = false;
    std::deque<MpiCall> ahead_;    ///< the rest of the run
    std::optional<MpiCall> held_;  ///< the call that ended it
    std::vector<Action> held_actions_;
};

}  // namespace tracefold::inline proxy
