// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/epoch_matching.hpp"
#include "mpi/file_uses.hpp"
#include "mpi/matching/collective_matching.hpp"
#include "mpi/matching/iteration_matching.hpp"
#include "mpi/matching/matching_report.hpp"
#include "mpi/matching/matching_state.hpp"
#include "mpi/matching/message_matching.hpp"
#include "mpi/matching/request_matching.hpp"

#include <map>
#include <optional>

namespace tracefold {

/// Reads the calls of a matching simulation. In the order of times, a thread of a rank begins a
/// call only after the earlier calls of the other threads: messages sent by different threads then
/// match the recorded receives.
class ThreadTurns {
  public:
    /// The state must outlive this object.
    explicit ThreadTurns(MatchingState& state) : state_(state) {}

    /// Reads the walker's next call; false at the end.
    bool read(u32 walker);
    /// False if the walker has to wait before the call just read.
    bool may_begin(u32 walker);
    /// A call of the walker has begun or ended: wakes other threads.
    void moved(u32 walker);
    /// If no walker can run: lets the first one that waits for a thread begin. False if there is
    /// none.
    bool release();

  private:
    [[nodiscard]] bool is_ordered(u32 walker) const;
    [[nodiscard]] bool comes_before(u32 other, u32 walker);

    MatchingState& state_;
};

/// Resolves a stall: all walkers of a simulation wait.
class StallResolution {
  public:
    /// All must outlive this object.
    StallResolution(MatchingState& state, MessageMatching& messages,
                    CollectiveMatching& collectives)
        : state_(state), messages_(messages), collectives_(collectives) {}

    /// Walkers whose partners have ended continue without them. If there are none, a surplus
    /// receive without a record is taken to have received nothing. Otherwise the stall is a
    /// deadlock.
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
    bool reported_ = false;  ///< a deadlock was reported
};

/// Simulates the calls of all ranks: messages are buffered without limit, a receive waits for its
/// message, a collective call for all members. Runnable walkers take turns of a bounded number of
/// calls; those far ahead of their receivers run last. On a stall, IterationMatching skips repeated
/// iterations, or StallResolution selects walkers to resume.
class MatchingSimulation {
  public:
    using Walker = MatchingState::Walker;

    /// `tables`: one per rank; both must outlive this object.
    MatchingSimulation(const DefinitionIndex& definitions,
                       const std::vector<CommunicatorTable>& tables)
        : state_(definitions, tables) {}
    MatchingSimulation(const MatchingSimulation&) = delete;
    MatchingSimulation& operator=(const MatchingSimulation&) = delete;
    ~MatchingSimulation() = default;

    /// Only for traces with receives without a record, before walk(): counts the messages that
    /// these may receive, i.e. those without a recorded receive.
    void count_surplus(std::vector<Walker> walkers);

    /// Call first: sets the result of infer_communicators(), which the walkers apply.
    void begin_with(std::vector<ReplayPatch> communicators, FileTable files);

    /// Before walk(): cuts a part out of all programs, by walker.
    void cut(std::vector<LocationWindow> windows);

    /// Before walk(), instead of cut(): sets the observer, which must outlive the walk.
    void watch(MatchingObserver& observer) { state_.observer = &observer; }

    /// Before walk(): receives get the size of their messages instead of the recorded one.
    void take_sizes_of_senders() { state_.sizes_of_senders = true; }

    /// Before walk(): the completion of a send waits for its receive, as that of a large message
    /// may.
    void let_sends_wait() { state_.sends_wait = true; }

    /// Before walk(), if calls have times: threads of a rank call in the recorded order, and epochs
    /// of windows wait for each other.
    void walk_in_order_of_times() { state_.in_order_of_times = true; }

    /// Walks all programs to their ends. Call once.
    void walk(std::vector<Walker> walkers);
    /// After walk(): true if communicators are in use that no call makes.
    [[nodiscard]] bool misses_communicators();
    /// The findings and patches. Call once, after walk().
    CheckResult report();

  private:
    void begin(std::vector<Walker> walkers);
    void run(u32 walker);
    bool step(u32 walker);
    bool next_call(u32 walker);
    void begin_call(u32 walker);
    void note_comm_call(u32 walker);
    void note_not_issued(u32 walker);
    FileUses& uses_of(u32 walker);
    void add_disagreements();
    bool take(u32 walker, const Action& action);
    bool take_collective(u32 walker, const Action& action);
    bool take_record(u32 walker, const Action& action);
    bool take_epoch(u32 walker, const Action& action);
    void create_communicator(u32 walker, u64 comm);
    void note_object(u32 walker, const Action& action);
    void end(u32 walker);
    [[nodiscard]] WindowCut* window_cut() { return cut_ ? &*cut_ : nullptr; }

    MatchingState state_;
    ThreadTurns threads_{state_};
    EpochMatching epochs_{state_};
    MessageMatching messages_{state_};
    CollectiveMatching collectives_{state_};
    RequestMatching requests_{state_, messages_, collectives_};
    IterationMatching iterations_{state_, messages_, collectives_};
    StallResolution stalls_{state_, messages_, collectives_};
    std::deque<u32> ahead_;  ///< ready, but far ahead of their receivers
    FileTable files_;
    std::map<u32, FileUses> file_uses_;      ///< by rank
    std::map<u32, RecentFiles> open_files_;  ///< by walker
    std::map<u32, ReplayPatch> known_;       ///< set before the walk, by location
    std::optional<WindowCut> cut_;
};

}  // namespace tracefold
