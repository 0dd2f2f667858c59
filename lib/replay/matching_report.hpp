// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/collective_matching.hpp"
#include "replay/message_matching.hpp"
#include "replay/window_cut.hpp"

namespace tracefold {

/// Tells what is left when all calls of a simulation were walked.
class MatchingReport {
  public:
    /// All must outlive this object. `cut` (null: none) takes a part out of the program.
    MatchingReport(MatchingState& state, MessageMatching& messages, WindowCut* cut)
        : state_(state), messages_(messages), cut_(cut) {}

    /// Adds findings about requests, messages and communicators.
    void add_leftovers();
    /// True if communicators are in use that no call makes.
    [[nodiscard]] bool misses_communicators() const;
    /// The findings and patches. Call once.
    CheckResult result(CollectiveMatching& collectives);

  private:
    void add_requests(u32 rank);
    void add_request(const MatchingState::Request& request);
    void add_communicators();
    [[nodiscard]] std::vector<u64> unmade(u32 rank) const;
    void take_patches(CollectiveMatching& collectives, CheckResult& result);

    MatchingState& state_;
    MessageMatching& messages_;
    WindowCut* cut_;
};

}  // namespace tracefold
