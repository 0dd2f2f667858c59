// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/common_clock.hpp"
#include "mpi/collective_instances.hpp"
#include "mpi/matching_observer.hpp"
#include "questions/profile/detail/measured_time.hpp"
#include "questions/profile/detail/window_waits.hpp"
#include "questions/profile/path_walk.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

/// A time on a network with instantaneous transfer: a range where the record does not say who
/// waited for whom.
struct IdealTime {
    u64 least = 0;  ///< if calls waited only for the members that they certainly need
    u64 most = 0;   ///< if they waited for all that they may have waited for

    void advance(u64 ticks) {
        least += ticks;
        most += ticks;
    }
    void wait_for(const IdealTime& other) {
        least = std::max(least, other.least);
        most = std::max(most, other.most);
    }
    static void each_field(auto& self, auto& visit) { visit(self.least, self.most); }
    bool operator==(const IdealTime&) const = default;
};

/// Times of one rank, or of one of its threads that call MPI, between the end of MPI_Init and the
/// begin of MPI_Finalize, in ticks of the common clock. Without MPI: of a process, with `mpi` as
/// its communication. `ideal`: end time on a network with instantaneous transfer if all ranks begin
/// together.
struct RankEfficiency {
    u32 rank = 0;  ///< number of the rank or process
    u64 begin = 0;
    u64 end = 0;
    MeasuredTime parts = {};  ///< between begin and end; empty: all of it
    u64 computation = 0;
    u64 polling = 0;   ///< part of `computation` between an unsuccessful poll and the next poll
    u64 overhead = 0;  ///< the recorder writes its buffer, outside of MPI
    u64 mpi = 0;
    u64 overhead_in_mpi = 0;  ///< part of `mpi` in which the recorder writes its buffer
    u64 io = 0;               ///< part of `mpi` in file operations, without waits
    IdealTime ideal;
    u64 init = 0;      ///< in MPI_Init, before `begin`
    u64 finalize = 0;  ///< in MPI_Finalize, after `end`
    std::array<u64, kWaitKinds> waits{};

    /// Part of `mpi` that is neither waiting nor in file operations.
    [[nodiscard]] u64 other_mpi() const;
    /// Time between begin and end that is not looked at: the measurement was off, or it belongs to
    /// no piece of the part.
    [[nodiscard]] u64 not_measured() const { return end - begin - time().length(); }
    [[nodiscard]] MeasuredTime time() const {
        return parts.empty() ? MeasuredTime{{{begin, end}}} : parts;
    }

    static void each_field(auto& self, auto& visit) {
        visit(self.rank, self.begin, self.end, self.parts, self.computation, self.polling,
              self.overhead, self.mpi, self.overhead_in_mpi, self.io, self.ideal, self.init,
              self.finalize, self.waits);
    }
    bool operator==(const RankEfficiency&) const = default;
};

/// Which time of a thread that calls MPI is looked at.
struct ThreadWindows {
    MeasuredTime part;      ///< empty: from MPI_Init to MPI_Finalize
    bool is_begun = false;  ///< the thread computes from the begin of the part on, without MPI_Init
    TickWindow focus;       ///< is summed as well; empty: none
    MeasuredTime flushes;   ///< in which the recorder writes its buffer, within the part

    static void each_field(auto& self, auto& visit) {
        visit(self.part, self.is_begun, self.focus, self.flushes);
    }
};

/// Times on the ideal network: of the run, and from the begin of the focus on.
struct IdealTimes {
    IdealTime run;
    IdealTime focus;

    void wait_for(const IdealTimes& other) {
        run.wait_for(other.run);
        focus.wait_for(other.focus);
    }
};

/// Sums the computation and the calls of a thread, which come in order.
class ThreadSums {
  public:
    explicit ThreadSums(ThreadWindows windows);

    /// Restricts a time to the part.
    [[nodiscard]] u64 clip(u64 time) const {
        const MeasuredTime& part = windows_.part;
        return part.empty() ? time : std::clamp(time, part.begin(), part.end());
    }
    /// Adds the computation before a call; returns whether the call counts. `polls`: is_poll().
    bool begin_call(CallFamily family, TickWindow call, bool polls);
    void compute_until(u64 time, bool polls);
    /// Adds a call that counts.
    void add_call(TickWindow call);
    /// `in_vain`: polls_in_vain().
    void end_call(CallFamily family, TickWindow call, bool in_vain);
    void pass(u64 end, bool in_vain);
    /// After the last call.
    void finish();

    [[nodiscard]] bool is_inside() const { return inside_; }
    [[nodiscard]] bool is_over() const { return over_; }
    /// End of the last call.
    [[nodiscard]] u64 last() const { return last_; }
    [[nodiscard]] bool is_in_focus(u64 time) const {
        return windows_.focus.begin <= time && time < windows_.focus.end;
    }

    RankEfficiency times;
    RankEfficiency focus;  ///< computation and overhead only
    IdealTimes ideal;

  private:
    ThreadWindows windows_;
    u64 last_ = 0;
    bool inside_ = false;
    bool over_ = false;
    bool polled_ = false;  ///< the last call was a poll in vain
};

/// Observes a simulation of all ranks with their times: sums each rank's computation and waiting
/// times, and its run time on an ideal network. There, computation and I/O take the measured time,
/// and a call ends as soon as its message has been sent or its partners have arrived. Memory:
/// outstanding calls, and the sizes of messages with late receivers.
///
/// A call that completes sends may wait for their receivers. A send that ended before its receive
/// was posted was buffered: messages of up to its size wait for no receiver.
class WaitAnalysis final : public MatchingObserver {
  public:
    /// A thread that calls MPI; a rank has one or several.
    struct Thread {
        u32 rank = 0;
        u32 location = 0;
    };
    /// Where a thread waits, and the kind of wait.
    struct Place {
        u32 node = 0;
        u32 thread = 0;  ///< thread number
        WaitKind kind{};

        auto operator<=>(const Place&) const = default;
    };
    struct Wait {
        u64 count = 0;
        u64 ticks = 0;

        bool operator==(const Wait&) const = default;
    };

    /// `threads`: mpi_threads(), the walkers of the simulation. `windows`: by thread; empty: the
    /// whole run. The file must outlive this object.
    WaitAnalysis(TraceFile& file, const std::vector<Thread>& threads,
                 const std::vector<ThreadWindows>& windows = {});
    ~WaitAnalysis() override;
    WaitAnalysis(const WaitAnalysis&) = delete;
    WaitAnalysis& operator=(const WaitAnalysis&) = delete;

    void began(u32 walker, const MpiCall& mpi_call) override;
    void ended(u32 walker, const MpiCall& mpi_call) override;
    void matched(CallPlace sender, CallPlace receiver) override;
    void probed(CallPlace sender, CallPlace probe) override;
    void completed(CallPlace receiver, CallPlace completion) override;
    void matched_collective(const CollectiveInstances::Context& context,
                            const CollectiveInstances::Instance& instance) override;
    void completed_collective(CallPlace post, CallPlace completion) override;
    void synchronised(CallPlace waiting, CallPlace partner) override;
    [[nodiscard]] bool follows_iterations() const override { return true; }
    void begin_iteration(const std::vector<std::size_t>& calls) override;
    bool end_iteration() override;
    void repeat(const std::vector<IterationSource*>& sources, u64 times) override;
    /// Call after the walk.
    void finish();

    /// By thread.
    [[nodiscard]] std::vector<RankEfficiency> times() const;
    [[nodiscard]] std::vector<RankEfficiency> times_of_focus() const;
    /// Ascending by place. Cost: builds the map.
    [[nodiscard]] std::map<Place, Wait> waits() const;
    [[nodiscard]] const CallTree& tree() const { return tree_; }
    /// Messages received before they were sent: unsynchronised clocks.
    [[nodiscard]] u64 early_messages() const { return early_messages_; }
    /// Calls of collectives that ended before a member that they certainly need had begun.
    [[nodiscard]] u64 early_collectives() const { return early_collectives_; }
    /// Kinds of operations for which the record does not say who waited for whom.
    [[nodiscard]] const std::set<CollectiveKind>& open_kinds() const { return open_kinds_; }
    /// Whether calls wait for partners that the trace does not identify.
    [[nodiscard]] bool has_unknown_waits() const { return has_unknown_waits_; }
    /// Whether any window lock caused waiting.
    [[nodiscard]] bool has_contended_locks() const { return has_contended_locks_; }

  private:
    /// Of messages of a size, whose send a call ends.
    struct Receiver {
        u64 bytes = 0;
        u64 posted = 0;  ///< when the last receive was posted; 0: none

        auto operator<=>(const Receiver&) const = default;
    };
    using Receivers = std::vector<Receiver>;
    /// A call that is open or still has unmatched partners.
    struct Call {
        u64 index = 0;
        u64 begin = 0;
        u64 end = 0;
        IdealTimes ideal{};  ///< begin on the ideal network
        u32 node = kNone;
        bool counts = false;      ///< between MPI_Init and MPI_Finalize
        bool ends_sends = false;  ///< a blocking send, or the completion of sends
        bool closed = false;      ///< its waits are booked
        bool exposes = false;     ///< an MPI_Win_post
        bool in_file = false;     ///< a call of MPI-IO
        bool polls = false;       ///< MPI_Test, MPI_Iprobe and the like
        bool in_vain = false;     ///< a poll that completes nothing
        bool takes = false;       ///< an MPI_Mprobe that takes a message
        u32 sends = 0;            ///< messages that it sends
        u32 unmatched = 0;        ///< of them, without a receive yet
        u32 completion = 0;       ///< calls up to the one that completes its sends; 0: none yet
        u32 probe = 0;            ///< calls since the MPI_Probe for what it receives; 0: none
        u32 more_receivers = 0;   ///< of smaller messages: place in receiver_lists_ + 1; 0: none
        i64 partners = 0;         ///< not yet arrived
        u64 window = kNone;       ///< window whose epoch it begins or ends
        u64 bytes = 0;            ///< of the largest message that it sends
        u64 receiver = 0;         ///< when the last receive of these messages was posted
        u64 booked = 0;           ///< end of the booked waits, apart from those for receivers
        Receiver largest_receiver = {};  ///< of the largest messages, posted meanwhile

        /// Forgets what happened in an earlier iteration.
        void restart() {
            closed = false;
            unmatched = sends;
            completion = 0;
            receiver = booked = 0;
            largest_receiver = {};
        }
    };
    /// A wait for a sender.
    struct Late {
        u64 sent = 0;  ///< begin of the send
        u32 node = 0;
        u64 ticks = 0;
    };
    /// Waits for receivers in a call path, by the size of the message.
    struct Rendezvous {
        u32 node = 0;
        u64 bytes = 0;

        auto operator<=>(const Rendezvous&) const = default;
    };
    /// Fields that other ranks' messages access come first, adjacent in memory.
    struct Walker {
        Walker(TraceFile& file, const Thread& thread, u32 number, const CommonClock& common,
               CallTree& tree, TraceThreads& threads, ThreadWindows windows)
            : rank(thread.rank),
              path(file, thread.location, number, tree, threads),
              clock(common.map(thread.location)),
              sums(std::move(windows)) {}

        void set_times(Call& of_call, u64 begin, u64 end) const {
            of_call.begin = sums.clip(clock.common(begin));
            of_call.end = std::max(of_call.begin, sums.clip(clock.common(end)));
        }

        Call call;
        FlatMap<u64, Call, NumberHash> open;  ///< ended calls with missing partners
        u32 rank;
        MpiCallPaths path;
        ClockMap clock;
        AccessEpochs access;
        FlatMap<u64, u64, NumberHash> requests;  ///< of sends: the call that posts them
        std::map<Rendezvous, Wait> rendezvous;
        u64 probe = kNoCall;  ///< MPI_Probe without a record, for the message received next
        Call finalize;
        ThreadSums sums;
        IdealTimes ready_ideal;                 ///< when the open call's inputs are available
        std::array<u64, kWaitKinds> waits{};    ///< of the open call: end of each kind of wait
        FlatMap<u64, Wait, NumberHash> booked;  ///< by node and kind
        std::vector<Late> late;                 ///< the last ones, rising by time of the send
    };
    struct Sent {
        IdealTimes ideal;
        u64 begin = 0;
    };
    /// Members of a collective that another one may wait for, in the order of their begin.
    struct Arrivals {
        std::vector<u64> real;
        std::vector<IdealTimes> ideal;  ///< of this member and those before
    };
    struct Ready {
        IdealTimes ideal;
        u64 real = 0;
        WaitKind kind{};
        NeedBasis basis{};
        /// Unless the basis is `semantics`: decides when the call has ended. Null: all or none.
        std::shared_ptr<const Arrivals> arrivals = nullptr;
    };
    /// An instance of a collective operation, with the dependencies of its members.
    struct Collective {
        WaitKind kind{};
        CollectiveNeeds needs;
        std::vector<std::size_t> seats;  ///< member numbers of the arrived calls
    };
    class Iteration;
    static constexpr u64 kNoCall = ~u64{0};
    static constexpr std::size_t kMostLate = 1000;
    static constexpr u64 kSynchronous = ~u64{0};  ///< bytes of a send that always waits

    void find_forks(TraceFile& file, const std::vector<Thread>& threads);
    Call* find(CallPlace place);
    /// `call`: result of find() for the place.
    void partner_came(CallPlace place, Call* call);
    void release(CallPlace place) { partner_came(place, find(place)); }
    void note_actions(u32 walker, const MpiCall& mpi_call);
    void end_sends(u32 walker, const MpiCall& mpi_call);
    static void open(Walker& walker, Call& call);
    void close(u32 walker, Call& call);
    /// A message and the calls concerned, null if unknown: those that post it, the one that
    /// completes the send, and the probe for the message.
    struct Meeting {
        u32 sender = 0;
        u32 receiver = 0;
        Call* from = nullptr;
        Call* to = nullptr;
        Call* completion = nullptr;
        Call* probe = nullptr;
    };
    Sent match(const Meeting& meeting);
    bool complete_send(u32 walker, Call& completion, Call& post);
    void meet_receiver(u32 walker, Call& call, u64 bytes, u64 posted);
    void add_receiver(Call& call, Receiver added);
    void forget_receivers(Call& call);
    void book_receivers(u32 walker, const Call& call, bool take_back);
    void book_finalize();
    void complete(Walker& walker, const Call& call, const Sent& sent);
    static void book_wrong_order(Walker& walker, u64 sent);
    static Collective collective_of(const CollectiveInstances::Context& context,
                                    const CollectiveInstances::Instance& instance);
    static std::array<std::shared_ptr<const Arrivals>, 3> arrivals_of(
        const CollectiveNeeds& needs, std::span<const IdealTimes> ideal, std::span<const u64> real);
    [[nodiscard]] std::vector<Ready> ready_of(const Collective& collective,
                                              std::span<const Call* const> calls) const;
    static void wait_until(Walker& walker, WaitKind kind, u64 time);
    static u64 wait_until(Call& call, u64 until);
    static void take(Walker& walker, const Sent& sent);
    void take(Walker& walker, const Call& call, const Ready& ready);
    u64 book(u32 walker, Call& call, WaitKind kind, u64 until);
    static void add(Walker& walker, u32 node, WaitKind kind, u64 ticks);
    void book(const WindowCall& call, WaitKind kind, u64 until);
    void begin_epoch_call(u32 walker, const MpiCall& mpi_call);
    void note_window_actions(u32 walker, const MpiCall& mpi_call);
    void settle_locks();
    [[nodiscard]] WindowCall window_call(u32 walker, u32 target) const;
    [[nodiscard]] u32 target_of(u32 rank, const Action& action) const;
    [[nodiscard]] i64 partners_of(const Action& action, const MpiCall& mpi_call) const;

    const DefinitionIndex& definitions_;
    CallTree tree_;
    TraceThreads threads_;
    std::vector<std::unique_ptr<Walker>> walkers_;
    ByPlace<Sent> messages_;  ///< by the place that posts the receive
    ByPlace<Ready> ready_;    ///< by a member's part in a collective
    WindowLocks locks_;
    std::size_t settle_at_;  ///< number of lock epochs
    u64 early_messages_ = 0;
    u64 early_collectives_ = 0;
    std::set<CollectiveKind> open_kinds_;
    std::vector<Receivers> receiver_lists_;  ///< of calls, by Call::more_receivers
    std::vector<u32> free_lists_;            ///< those of no call
    u64 buffered_ = 0;  ///< size of the largest message that waited for no receiver
    bool has_unknown_waits_ = false;
    bool has_contended_locks_ = false;
    bool has_focus_ = false;
    std::unique_ptr<Iteration> iteration_;  ///< being recorded
};

}  // namespace tracefold
