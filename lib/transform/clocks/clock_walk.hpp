// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/common_clock.hpp"
#include "mpi/collective_instances.hpp"
#include "mpi/matching_observer.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace tracefold {

/// What a clock that may be wrong is put forward by at each of its times: the controlled logical
/// clock of Becker, Rabenseifner and Wolf. A **corner** is where the clock jumps ahead, since
/// something that took place before had a later time elsewhere. From there on the correction fades
/// by a tick in kSlope ticks (forward amortisation). Before a corner it rises by no more than that
/// (backward amortisation), but never lifts a time above a limit, such as that of a message whose
/// receive would come before it. Corrected times rise where times do.
///
/// Memory: a corner for every correction that the one before does not make already, and the corners
/// of the limits in force.
class ClockCorrection {
  public:
    /// Between corners, intervals change by one part in so many.
    static constexpr u64 kSlope = 100;

    /// The time as the jumps alone correct it.
    [[nodiscard]] u64 after_jumps(u64 time) const { return time + jumped(time); }
    /// The corrected time. Cost: logarithmic in the number of corners.
    [[nodiscard]] u64 corrected(u64 time) const;

    /// Lets the clock jump so that `time` becomes `least` or later. False if it is already.
    bool jump(u64 time, u64 least);
    /// Lets the correction rise before the jumps made so far, without limits.
    void spread();
    /// After spread(): `time` is not to become later than `most`. Precondition: after_jumps(time)
    /// is not later.
    void limit(u64 time, u64 most);

    [[nodiscard]] bool empty() const { return corners_.empty(); }
    [[nodiscard]] std::size_t corner_count() const { return corners_.size(); }

  private:
    /// A time, and how much is added to it.
    struct Corner {
        u64 time = 0;
        u64 lift = 0;
    };
    /// The way up to a corner: convex, and linear between its own corners, the last of which is the
    /// corner itself.
    using Rise = std::vector<Corner>;

    [[nodiscard]] u64 jumped(u64 time) const;
    [[nodiscard]] static u64 on_line(const Corner& a, const Corner& b, u64 time);
    [[nodiscard]] static u64 on_rise(const Rise& rise, u64 time);
    /// The number of the rise that a time is on; that of all if there is none.
    [[nodiscard]] std::size_t rise_at(u64 time) const;
    [[nodiscard]] u64 begin_of_rise(std::size_t& corner) const;

    std::vector<Corner> corners_;  ///< by time
    std::vector<Rise> rises_;      ///< by time; they do not overlap
};

/// The clocks of a trace: each location's own, from there the common one by the recorded offsets,
/// and what that is corrected by. The locations of a process are corrected alike, so that what its
/// threads, streams and metrics say about each other stays.
class ProcessClocks {
  public:
    /// The file must outlive this object. Throws Error(corrupt).
    explicit ProcessClocks(TraceFile& file);

    [[nodiscard]] u32 process_of(u32 location) const { return process_of_[location]; }
    /// A location's time on the common clock, not corrected.
    [[nodiscard]] u64 common(u32 location, u64 time) const { return maps_[location].common(time); }
    [[nodiscard]] u64 corrected(u32 location, u64 common) const {
        return corrections_[process_of_[location]].corrected(common);
    }
    /// By process.
    [[nodiscard]] std::vector<ClockCorrection>& corrections() { return corrections_; }
    [[nodiscard]] const std::vector<ClockCorrection>& corrections() const { return corrections_; }

  private:
    std::vector<u32> process_of_;  ///< by location
    std::vector<ClockMap> maps_;   ///< by location
    std::vector<ClockCorrection> corrections_;
};

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
    struct TimePoint {
        u32 process = 0;
        u64 time = 0;
    };
    static constexpr u64 kNever = ~u64{0};

    struct Member {
        TimePoint begin;
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
        TimePoint begin;
        u64 partners = 0;  ///< that have not met it
    };
    struct Seat {
        std::shared_ptr<Meeting> meeting;
        std::size_t member = 0;
    };
    static CallPlace call_of(CallPlace place) { return {place.walker, place.index, 0}; }
    [[nodiscard]] TimePoint moment(u32 walker, u64 time) const;
    [[nodiscard]] TimePoint moment_of(CallPlace place) const;
    [[nodiscard]] bool is_open(CallPlace place) const;
    [[nodiscard]] u64 compared(TimePoint moment) const;
    void order(TimePoint earlier, TimePoint later);
    bool in_wrong_order(TimePoint end, u64 begun);
    void jump(TimePoint end, u64 begun);
    TimePoint take_begin(CallPlace place);
    bool has_an_order(const CollectiveInstances::Context& context,
                      const CollectiveInstances::Instance& instance) const;
    void seat(const CollectiveInstances::Context& context,
              const CollectiveInstances::Instance& instance);
    void end(Meeting& meeting, std::size_t member, TimePoint when);
    void close(const Meeting& meeting);

    ProcessClocks& clocks_;
    const DefinitionIndex& definitions_;
    const std::vector<u32>& locations_;
    Task task_;
    u64 latency_;
    std::vector<const MpiCall*> calls_;  ///< by walker: the open one, or the last
    ByPlace<TimePoint> sent_;            ///< by the place that sends
    ByPlace<TimePoint> travelling_;      ///< by the place that posted the receive
    ByPlace<TimePoint> posted_;          ///< beginnings of collectives that do not block
    ByPlace<Seat> seats_;                ///< members of these, until they end
    ByPlace<EpochCall> epochs_;          ///< by call
    ClockOrder order_;
    u64 jumps_ = 0;
};

/// By member of a collective operation, when the last of those began that it needs besides itself;
/// 0 if it needs nobody. `begins` are in the order of the communicator; a root that is none of them
/// needs nobody and nobody needs it.
std::vector<u64> latest_needed(CollectiveNeed need, std::span<const u64> begins, u32 root);

/// By member, when the first of those ended that need it; ~0 if nobody does.
std::vector<u64> earliest_to_need(CollectiveNeed need, std::span<const u64> ends, u32 root);

}  // namespace tracefold
