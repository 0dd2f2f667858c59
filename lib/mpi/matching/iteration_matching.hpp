// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/matching/collective_matching.hpp"
#include "mpi/matching/message_matching.hpp"

#include <vector>

namespace tracefold {

/// Matches one iteration and skips all equal ones that follow. Walkers stop before iterations of
/// their loops that differ only in times and request ids (IterationSource). If all have stopped and
/// nothing is outstanding, each walks one iteration. If all stop again with nothing outstanding,
/// the next iterations match in the same way, since the messages of a channel and the collective
/// operations of a communicator are matched in order. The iterations that all ranks have in common
/// are skipped: counts and findings of the first are multiplied, and the observer computes their
/// times. Loops of different ranks may begin at different places of the program; walkers are then
/// told to stop where they do not block others.
class IterationMatching {
  public:
    /// All must outlive this object.
    IterationMatching(MatchingState& state, const MessageMatching& messages,
                      const CollectiveMatching& collectives)
        : state_(state), messages_(messages), collectives_(collectives) {}

    /// A walker has reached equal iterations.
    void stop(u32 walker) { stopped_.push_back(walker); }
    /// Resumes the stopped walkers once no walker can run; false if none has stopped.
    bool resolve();

  private:
    /// A snapshot of the findings and the progress of all walkers.
    struct Found {
        FindingList findings;
        MatchingState::Counts counts;
        std::size_t patches = 0;                 ///< entries
        std::vector<u64> calls;                  ///< by walker
        std::vector<std::size_t> of_iterations;  ///< calls per iteration, by walker; 0: not
                                                 ///< included
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
    bool looks_ = false;       ///< all walkers walk one iteration
    Found before_;             ///< state before that iteration
    std::vector<u64> begins_;  ///< by walker: the first call with the requested begin
    u64 failures_ = 0;         ///< since the last skip
    u64 pause_ = 1;            ///< iterations walked before another begin is tried
};

}  // namespace tracefold
