// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "clocks/clock_correction.hpp"
#include "replay/collective_needs.hpp"
#include "replay/matching_observer.hpp"

#include <memory>
#include <vector>

namespace tracefold {

/// What may not be in the wrong order: a message and its receive, the beginnings of a collective
/// operation and the ends that need them. Epochs of windows are begun and ended by messages:
/// MPI_Win_post tells those who end MPI_Win_complete, and this tells those who end MPI_Win_wait.
struct ClockOrder {
    u64 messages = 0;     ///< that were looked at, between processes
    u64 collectives = 0;  ///< operations of several processes
    u64 early_messages = 0;
    u64 early_collectives = 0;  ///< ended on a member before one began that it needs
    bool agrees = true;         ///< nothing is early, not even by less than the least latency
};

/// Looks on while all ranks are walked with their times, and tells or corrects what the clocks say
/// in the wrong order. Memory: what is outstanding at a time.
class ClockWalk final : public MatchingObserver {
  public:
    enum class Task : u8 {
        correct,  ///< lets clocks jump where they must, and limits how they rise before that
        count,    ///< counts what is in the wrong order by the corrected clocks
    };

    /// `locations` are those of the walkers; both must outlive this object. `latency`: ticks that
    /// everything takes at least.
    ClockWalk(ProcessClocks& clocks, const DefinitionIndex& definitions,
              const std::vector<u32>& locations, Task task, u64 latency);

    void began(u32 walker, const MpiCall& call) override;
    void matched(CallPlace sender, CallPlace receiver) override;
    void completed(CallPlace receiver, CallPlace completion) override;
    void matched_collective(const CollectiveInstances::Context& context,
                            const CollectiveInstances::Instance& instance) override;
    void completed_collective(CallPlace post, CallPlace completion) override;
    void synchronised(CallPlace waiting, CallPlace partner) override;

    /// What was counted.
    [[nodiscard]] const ClockOrder& order() const { return order_; }
    /// How often a clock had to jump to be correct.
    [[nodiscard]] u64 jumps() const { return jumps_; }

  private:
    /// On the common clock, not corrected.
    struct Moment {
        u32 process = 0;
        u64 time = 0;
    };
    static constexpr u64 kNever = ~u64{0};

    struct Member {
        Moment begin;
        u64 needed = 0;    ///< corrected: when the last one began that it needs; 0: nobody
        u64 end = kNever;  ///< corrected; kNever until then, or if it needs nobody
        bool needs = false;
        bool is_needed = false;
    };
    /// A collective operation, from when the last member began to when the last one ended.
    struct Meeting {
        CollectiveNeed need{};
        u32 root = 0;
        std::vector<Member> members;
        std::size_t missing = 0;  ///< members that have not ended
        bool early = false;
    };
    /// A call that calls of others meet, later on.
    struct EpochCall {
        Moment begin;
        u64 partners = 0;  ///< that have not met it
    };
    struct Seat {
        std::shared_ptr<Meeting> meeting;
        std::size_t member = 0;
    };
    static CallPlace call_of(CallPlace place) { return {place.walker, place.index, 0}; }
    [[nodiscard]] Moment moment(u32 walker, u64 time) const;
    [[nodiscard]] Moment moment_of(CallPlace place) const;
    [[nodiscard]] bool is_open(CallPlace place) const;
    [[nodiscard]] u64 compared(Moment moment) const;
    void order(Moment earlier, Moment later);
    bool in_wrong_order(Moment end, u64 begun);
    void jump(Moment end, u64 begun);
    Moment take_begin(CallPlace place);
    bool has_an_order(const CollectiveInstances::Context& context,
                      const CollectiveInstances::Instance& instance) const;
    void seat(const CollectiveInstances::Context& context,
              const CollectiveInstances::Instance& instance);
    void end(Meeting& meeting, std::size_t member, Moment when);
    void close(const Meeting& meeting);

    ProcessClocks& clocks_;
    const DefinitionIndex& definitions_;
    const std::vector<u32>& locations_;
    Task task_;
    u64 latency_;
    std::vector<const MpiCall*> calls_;  ///< by walker: the open one, or the last
    ByPlace<Moment> sent_;               ///< by the place that sends
    ByPlace<Moment> travelling_;         ///< by the place that posted the receive
    ByPlace<Moment> posted_;             ///< beginnings of collectives that do not block
    ByPlace<Seat> seats_;                ///< members of these, until they end
    ByPlace<EpochCall> epochs_;          ///< by call
    ClockOrder order_;
    u64 jumps_ = 0;
};

}  // namespace tracefold
