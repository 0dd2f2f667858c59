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

/// The correction of an inaccurate clock at each of its times: the controlled logical clock of
/// Becker, Rabenseifner and Wolf. A **corner** is a jump of the clock, where an earlier event had a
/// later time elsewhere. After it the correction fades by a tick in kSlope ticks (forward
/// amortisation). Before it the correction rises by no more than that (backward amortisation), but
/// never lifts a time above a limit, such as that of a message whose receive would precede it.
/// Corrected times keep their order.
///
/// Memory: a corner for every correction that the previous one does not cover, and for limits.
class ClockCorrection {
  public:
    /// Between corners, intervals change by one part in kSlope.
    static constexpr u64 kSlope = 100;

    /// The time with jumps only.
    [[nodiscard]] u64 after_jumps(u64 time) const { return time + jumped(time); }
    /// The corrected time. Cost: logarithmic in the number of corners.
    [[nodiscard]] u64 corrected(u64 time) const;

    /// Makes the clock jump so that `time` becomes `least` or later. False if it is already.
    bool jump(u64 time, u64 least);
    /// Makes the correction rise before all jumps, without limits.
    void spread();
    /// After spread(): keeps `time` at `most` or earlier. Precondition: after_jumps(time) is, too.
    void limit(u64 time, u64 most);

    [[nodiscard]] bool empty() const { return corners_.empty(); }
    [[nodiscard]] std::size_t corner_count() const { return corners_.size(); }

  private:
    /// A time and its correction.
    struct Corner {
        u64 time = 0;
        u64 lift = 0;
    };
    /// The rise to a corner: convex, piecewise linear; the last point is the corner itself.
    using Rise = std::vector<Corner>;

    [[nodiscard]] u64 jumped(u64 time) const;
    [[nodiscard]] static u64 on_line(const Corner& a, const Corner& b, u64 time);
    [[nodiscard]] static u64 on_rise(const Rise& rise, u64 time);
    /// The index of a time's rise; the number of rises if it is on none.
    [[nodiscard]] std::size_t rise_at(u64 time) const;
    [[nodiscard]] u64 begin_of_rise(std::size_t& corner) const;

    std::vector<Corner> corners_;  ///< by time
    std::vector<Rise> rises_;      ///< by time; disjoint
};

/// The clocks of a trace: maps each location's clock to the common one by the recorded offsets,
/// then corrects it. The locations of a process share a correction, which preserves the order
/// between its threads, streams and metrics.
class ProcessClocks {
  public:
    /// The file must outlive this object. Throws Error(corrupt).
    explicit ProcessClocks(TraceFile& file);

    [[nodiscard]] u32 process_of(u32 location) const { return process_of_[location]; }
    /// A location's time on the common clock, uncorrected.
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

/// Counts violations of the order of events: a message and its receive, the begins of a collective
/// operation and the dependent ends. Messages imply the epochs of windows: from MPI_Win_post to
/// MPI_Win_complete, and from there to MPI_Win_wait.
struct ClockOrder {
    u64 messages = 0;     ///< checked, between processes
    u64 collectives = 0;  ///< of several processes
    u64 early_messages = 0;
    u64 early_collectives = 0;  ///< ended on a member before a begin that it needs
    bool agrees = true;         ///< no violation, not even by less than the latency
};

/// Observes a timed walk of all ranks, and corrects or counts violations. Memory: open operations.
class ClockWalk final : public MatchingObserver {
  public:
    enum class Task : u8 {
        correct,  ///< makes clocks jump, and limits their rise before jumps
        count,    ///< counts the violations by corrected clocks
    };

    /// `locations`: of the walkers; both must outlive this object. `latency`: least ticks of a
    /// transfer.
    ClockWalk(ProcessClocks& clocks, const DefinitionIndex& definitions,
              const std::vector<u32>& locations, Task task, u64 latency);

    void began(u32 walker, const MpiCall& call) override;
    void matched(CallPlace sender, CallPlace receiver) override;
    void completed(CallPlace receiver, CallPlace completion) override;
    void matched_collective(const CollectiveInstances::Context& context,
                            const CollectiveInstances::Instance& instance) override;
    void completed_collective(CallPlace post, CallPlace completion) override;
    void synchronised(CallPlace waiting, CallPlace partner) override;

    /// The counts.
    [[nodiscard]] const ClockOrder& order() const { return order_; }
    /// Number of jumps made.
    [[nodiscard]] u64 jumps() const { return jumps_; }

  private:
    /// On the common clock, uncorrected.
    struct TimePoint {
        u32 process = 0;
        u64 time = 0;
    };
    static constexpr u64 kNever = ~u64{0};

    struct Member {
        TimePoint begin;
        u64 needed = 0;    ///< corrected: last begin that it needs; 0: none
        u64 end = kNever;  ///< corrected; kNever until then, or if it needs no other member
        bool needs = false;
        bool is_needed = false;
    };
    /// A collective operation, from the last begin to the last end of its members.
    struct Meeting {
        CollectiveNeed need{};
        u32 root = 0;
        std::vector<Member> members;
        std::size_t missing = 0;  ///< members that have not ended
        bool early = false;
    };
    /// A call that later meets partner calls.
    struct EpochCall {
        TimePoint begin;
        u64 partners = 0;  ///< not yet met
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
    void seat(const CollectiveInstances::Context& context,
              const CollectiveInstances::Instance& instance, const CollectiveNeeds& needs);
    void end(Meeting& meeting, std::size_t member, TimePoint when);
    void close(const Meeting& meeting);

    ProcessClocks& clocks_;
    const DefinitionIndex& definitions_;
    const std::vector<u32>& locations_;
    Task task_;
    u64 latency_;
    std::vector<const MpiCall*> calls_;  ///< by walker: the current or last call
    ByPlace<TimePoint> sent_;            ///< by the place of the send
    ByPlace<TimePoint> travelling_;      ///< by the place that posted the receive
    ByPlace<TimePoint> posted_;          ///< begins of non-blocking collectives
    ByPlace<Seat> seats_;                ///< members of open collectives
    ByPlace<EpochCall> epochs_;          ///< by call
    ClockOrder order_;
    u64 jumps_ = 0;
};

/// By member of a collective operation: the latest begin that it needs, except its own; 0 if there
/// is none. `begins` are in communicator order; a root outside of them needs none and is not
/// needed.
std::vector<u64> latest_needed(CollectiveNeed need, std::span<const u64> begins, u32 root);

/// By member: the earliest end that needs it; ~0 if there is none.
std::vector<u64> earliest_to_need(CollectiveNeed need, std::span<const u64> ends, u32 root);

}  // namespace tracefold
