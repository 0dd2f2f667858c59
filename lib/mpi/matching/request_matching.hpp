// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/matching/collective_matching.hpp"
#include "mpi/matching/message_matching.hpp"

namespace tracefold {

/// Matches completions with the requests of a simulation.
class RequestMatching {
  public:
    /// All must outlive this object.
    RequestMatching(MatchingState& state, MessageMatching& messages,
                    CollectiveMatching& collectives)
        : state_(state), messages_(messages), collectives_(collectives) {}

    /// False if the walker has to wait.
    bool complete(u32 walker, const Action& action);
    void cancel(u32 walker, const Action& action);

  private:
    using Request = MatchingState::Request;

    [[nodiscard]] u64 own_request(u32 walker, const Action& action);
    bool wait(u32 walker, const Action& action, u64 id, const Request& request);
    bool complete_late(u32 walker, const Action& action, u64 id, const Request& request);
    bool complete_unknown(u32 walker, const Action& action);
    void note_unknown(u32 walker, const Action& action);
    void note_crossed(u32 walker, const Action& action, u64 id, const Request& request);

    MatchingState& state_;
    MessageMatching& messages_;
    CollectiveMatching& collectives_;
};

}  // namespace tracefold
