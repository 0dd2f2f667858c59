// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/matching/collective_matching.hpp"
#include "mpi/matching/message_matching.hpp"

#include <vector>

namespace tracefold {

/// Matches one iteration for all that are alike. Walkers stop where iterations of their loops come
/// that differ in times and request ids only (IterationSource). If all have stopped and nothing is
/// outstanding, each walks one iteration. If all stop again with nothing outstanding, the
/// iterations that follow are matched in the same way, since messages of a channel are matched in
/// order, and so are the collective operations of a communicator. As many of them as all ranks have
/// are left out: what was counted and found in the first is multiplied, and the observer works out
/// their times. Loops of different ranks may begin at different places of the program; walkers are
/// then made to stop where they do not keep others waiting.
class IterationMatching {
  public:
    /// All must outlive this object.
    IterationMatching(MatchingState& state, const MessageMatching& messages,
                      const CollectiveMatching& collectives)
        : state_(state), messages_(messages), collectives_(collectives) {}

    /// A walker has come to iterations that are alike.
    void stop(u32 walker) { stopped_.push_back(walker); }
    /// If nobody can go on: those who have stopped do. False if nobody has.
    bool resolve();

  private:
    /// What was found so far, and how far everybody is.
    struct Found {
        FindingList findings;
        MatchingState::Counts counts;
        std::size_t patches = 0;                 ///< entries
        std::vector<u64> calls;                  ///< by walker
        std::vector<std::size_t> of_iterations;  ///< by walker; 0: it takes no part
    };

    [[nodiscard]] bool is_together() const;
    [[nodiscard]] bool is_at_rest() const;
    [[nodiscard]] Found found() const;
    [[nodiscard]] bool comes_again() const;
    void fail();
    void let_last_go_on();
    void begin_where_all_are();
    [[nodiscard]] bool begin_as_asked();
    void look();
    void leave_out();
    void go_on(u64 iterations);

    MatchingState& state_;
    const MessageMatching& messages_;
    const CollectiveMatching& collectives_;
    std::vector<u32> stopped_;
    bool looks_ = false;       ///< all walk one iteration
    Found before_;             ///< that iteration
    std::vector<u64> begins_;  ///< by walker: from which call on iterations begin as asked
    u64 failures_ = 0;         ///< since something was left out
    u64 pause_ = 1;            ///< iterations that are walked before other places are tried
};

}  // namespace tracefold
