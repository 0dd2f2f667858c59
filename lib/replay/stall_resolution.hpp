// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/collective_matching.hpp"
#include "replay/message_matching.hpp"

namespace tracefold {

/// Decides who goes on when all walkers of a simulation wait.
class StallResolution {
  public:
    /// All must outlive this object.
    StallResolution(MatchingState& state, MessageMatching& messages,
                    CollectiveMatching& collectives)
        : state_(state), messages_(messages), collectives_(collectives) {}

    /// Those whose partners have ended go on without them. If there are none, a receive without a
    /// record that is one too many has received no message at all. Otherwise it is a deadlock.
    void resolve();

  private:
    [[nodiscard]] std::vector<u32> choose();
    [[nodiscard]] bool is_hopeless(u32 walker);
    [[nodiscard]] bool is_spare(u32 walker);
    [[nodiscard]] std::vector<u32> guessed_waits() const;
    [[nodiscard]] bool waits_by_guess(u32 walker) const;
    void give_up(u32 walker);
    void report_deadlock();
    [[nodiscard]] std::string wait_text(u32 walker);

    MatchingState& state_;
    MessageMatching& messages_;
    CollectiveMatching& collectives_;
    bool reported_ = false;  ///< a deadlock was
};

}  // namespace tracefold
