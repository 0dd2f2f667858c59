// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_names.hpp"
#include "file/call_reader.hpp"
#include "file/common_clock.hpp"
#include "file/region_stack.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/replay_patch.hpp"
#include "questions/calls/tick_window.hpp"

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// Converts times of a location to nanoseconds from the begin of the trace.
class TraceClock {
  public:
    /// `map` must outlive the clock.
    TraceClock(const ClockMap& map, const Nanoseconds& nanoseconds)
        : map_(&map), nanoseconds_(nanoseconds) {}

    [[nodiscard]] u64 at(u64 ticks) const { return nanoseconds_.at(map_->common(ticks)); }

  private:
    const ClockMap* map_;
    Nanoseconds nanoseconds_;
};

/// Clocks of all locations: common time since the first event.
class TraceClocks {
  public:
    /// Cost: that of common_clock(). Throws Error(corrupt).
    explicit TraceClocks(TraceFile& file)
        : clock_(common_clock(file)), nanoseconds_(file.definitions(), clock_.start()) {}

    /// Valid as long as this object.
    [[nodiscard]] TraceClock of(u32 location) const { return {clock_.map(location), nanoseconds_}; }

  private:
    CommonClock clock_;
    Nanoseconds nanoseconds_;
};

/// Inferences from all ranks about receives with incomplete records: those of MPI_Mrecv and
/// MPI_Imrecv, which have no record, and those completed by another thread than the posting one.
/// Cost: none without such receives; otherwise a check_replay(). Memory: the inferences.
class ReceiveClues {
  public:
    /// `threads`: see check_replay(). Throws Error(corrupt).
    ReceiveClues(TraceFile& file, u32 threads);

    /// Null if the location's records are complete. Messages and collective operations without a
    /// partner stay: they happened.
    [[nodiscard]] const ReplayPatch* of(u32 location) const;

  private:
    std::unordered_map<u32, ReplayPatch> by_location_;
};

/// The MPI calls of a rank by begin; without times, thread after thread. Memory: thread readers.
class RankWalk {
  public:
    struct Thread : MpiThread {
        TraceClock clock;
    };

    /// All must outlive the walk. Throws Error(corrupt).
    RankWalk(TraceFile& file, const TraceClocks& clocks, const ReceiveClues& clues, u32 rank);

    [[nodiscard]] std::size_t thread_count() const { return threads_.size(); }
    /// By number.
    [[nodiscard]] const Thread& thread(u32 number) const { return threads_[number]; }
    /// The thread of the next call, valid until the next invocation; null at the end. Throws
    /// Error(corrupt).
    const Thread* next();

  private:
    std::vector<Thread> threads_;
    Thread* last_ = nullptr;  ///< thread of the current call
    bool has_times_;
};

/// A region that a visitor of walk_regions() leaves.
struct VisitedRegion {
    u64 region = 0;        ///< global id
    u64 mark = 0;          ///< returned by enter()
    u32 depth = 0;         ///< enclosing regions; 0 on an accelerator stream
    bool resumed = false;  ///< the rest of a visit whose task was suspended
};

/// Walks the records of a location as nested regions, like RegionStack. `visitor` has
///   u64 enter(u64 region, u64 ticks)      a region (global id) begins
///   leave(const VisitedRegion&, ticks)    a region ends: the innermost, on accelerator streams any
///   record(records, head, tables)         any other record
/// An explicit task runs within the regions of the implicit one. Its regions are left when it is
/// suspended, and entered again when it resumes. Regions open at the end are left at the time of
/// the last record. Calling contexts count as their regions. Returns the number of regions entered
/// again. Memory: open regions and the events. Throws Error(corrupt).
template <class Visitor>
u64 walk_regions(TraceFile& file, u32 location, Visitor& visitor) {
    CallReader calls(file, location);
    RegionStack<VisitedRegion> open(file.definitions().locations()[location].is_stream());
    u64 last = 0;
    u64 again = 0;
    const auto leave = [&visitor](std::span<const VisitedRegion> ended, u64 ticks) {
        for (std::size_t i = ended.size(); i-- > 0;) visitor.leave(ended[i], ticks);
    };
    const auto enter = [&](const CallReader::Region& region, bool resumed) {
        const std::size_t depth = open.overlaps() ? 0 : open.with_suspended().size();
        const u64 mark = visitor.enter(region.id, last);
        open.enter({region.id, mark, static_cast<u32>(depth), resumed}, region.is_mpi);
    };
    while (calls.next()) {
        const RecordSpan records = calls.records();
        for (std::size_t i = 0; i < records.size(); ++i) {
            const RecordBatch::Head& head = records[i];
            last = head.time;
            if (is_enter(head.type)) {
                enter(calls.region(i), false);
            } else if (is_leave(head.type)) {
                leave(open.leave(calls.region(i).id), last);
            } else {
                if (const TaskChange* const change = calls.task_change(i)) {
                    if (change->from_task) leave(std::as_const(open).open(), last);
                    again += change->resumed.size();
                    change_task(open, *change, [&](const OpenVisit& visit) {
                        enter({visit.region, visit.is_mpi}, true);
                    });
                }
                visitor.record(records, head, calls.tables());
            }
        }
    }
    leave(open.with_suspended(), last);
    return again;
}

/// A message of a rank, and the call that sends it or posts its receive.
struct TrackedMessage {
    bool sends = false;
    u32 peer = 0;  ///< world rank
    Envelope envelope;
    u64 number = 0;  ///< index among messages of its communicator and tag to, or from, this rank
    u32 thread = 0;  ///< of the call
    u64 call = 0;
    u64 begin = 0;  ///< ticks
};

/// The end of a rank's part in a message: in this call, or in the one that completes its request.
struct MessageEnd {
    u32 thread = 0;
    u64 time = 0;  ///< ticks of the record; without one, a time in the call
    u64 end = 0;   ///< ticks; end of the call
};

/// World rank of a message's other end; the recorded rank if the definitions lack it.
u32 world_rank_of(const Envelope& envelope, const CommunicatorTable& table);

/// Tracks the messages of a rank from the call that sends or posts them, or probes and takes them,
/// to their end, and numbers them: both ends get the same number. Memory: outstanding messages, and
/// a number for each peer and tag.
class TransferTracker {
  public:
    /// The end of a non-blocking send on its rank.
    enum class SendEnd : u8 { at_call, at_completion };

    TransferTracker(SendEnd send_end, std::size_t threads)
        : send_end_(send_end), has_threads_(threads > 1) {}

    /// Calls done(message, end) for each message whose part in this rank the call ends. Pass the
    /// calls of a RankWalk in order, with their `thread`.
    template <class Done>
    void follow(u32 thread, const MpiCall& mpi_call, const CommunicatorTable& table,
                const Done& done) {
        const bool receives_unrecorded =
            mpi_call.family == CallFamily::matched_receive && mpi_call.inferred.comm != kNone;
        if (receives_unrecorded) {
            ++unrecorded_;
            done(begin(false, thread, mpi_call, mpi_call.inferred, table),
                 MessageEnd{thread, middle_of(mpi_call), mpi_call.end});
        }
        for (const Action& action : mpi_call.actions) {
            follow(thread, mpi_call, action, table, done);
        }
    }

    /// Messages without an end, by call.
    [[nodiscard]] std::vector<TrackedMessage> outstanding() const;
    /// Receives without a record, with the message from ReceiveClues.
    [[nodiscard]] u64 unrecorded() const { return unrecorded_; }

  private:
    struct Channel {
        bool sends;
        u32 peer;
        u32 tag;
        u64 comm;

        bool operator==(const Channel&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Channel& channel) const;
    };

    template <class Done>
    void follow(u32 thread, const MpiCall& mpi_call, const Action& action,
                const CommunicatorTable& table, const Done& done) {
        const MessageEnd end{thread, action.time, mpi_call.end};
        const auto message = [&](bool sends) {
            return begin(sends, thread, mpi_call, action.envelope, table);
        };
        switch (action.kind) {
            case Action::Kind::send:
                if (action.request == kNoRequest || send_end_ == SendEnd::at_call) {
                    done(message(true), end);
                } else {
                    post(action.request, message(true), done);
                }
                break;
            case Action::Kind::probe:
                if (action.message != kNoMessage && action.known) {
                    taken_.insert_or_assign(action.message, message(false));
                }
                break;
            case Action::Kind::receive:
                done(action.message == kNoMessage ? message(false) : taken(action, message), end);
                break;
            case Action::Kind::post_receive:
                if (!action.known) break;
                post(action.request,
                     action.message == kNoMessage ? message(false) : taken(action, message), done);
                break;
            case Action::Kind::complete_send:
                if (send_end_ == SendEnd::at_completion) complete(action.request, end, done);
                break;
            case Action::Kind::complete_receive:
                if (complete(action.request, end, done) || has_threads_) break;
                // Never posted.
                done(message(false), end);
                break;
            default:
                break;
        }
    }

    /// A message by its id. A probe by another thread may not be known yet.
    template <class Begin>
    TrackedMessage taken(const Action& action, const Begin& message) {
        const auto found = taken_.find(action.message);
        if (found == taken_.end()) return message(false);
        const TrackedMessage tracked = found->second;
        taken_.erase(found);
        return tracked;
    }

    /// Another thread may have completed it in an earlier call.
    template <class Done>
    void post(u64 request, const TrackedMessage& message, const Done& done) {
        const auto found = early_.find(request);
        if (found == early_.end()) {
            outstanding_.insert_or_assign(request, message);
            return;
        }
        done(message, found->second);
        early_.erase(found);
    }

    /// False if it is not outstanding.
    template <class Done>
    bool complete(u64 request, const MessageEnd& end, const Done& done) {
        const auto found = outstanding_.find(request);
        if (found == outstanding_.end()) {
            if (has_threads_) early_.insert_or_assign(request, end);
            return false;
        }
        done(found->second, end);
        outstanding_.erase(found);
        return true;
    }

    TrackedMessage begin(bool sends, u32 thread, const MpiCall& mpi_call, const Envelope& envelope,
                         const CommunicatorTable& table);
    static u64 middle_of(const MpiCall& mpi_call);

    SendEnd send_end_;
    bool has_threads_;
    std::unordered_map<Channel, u64, Hash> numbers_;
    std::unordered_map<u64, TrackedMessage> outstanding_;
    std::unordered_map<u64, MessageEnd> early_;      ///< completed before posted
    std::unordered_map<u64, TrackedMessage> taken_;  ///< by probes, by message id
    u64 unrecorded_ = 0;
};

}  // namespace tracefold
