// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/collective_instances.hpp"
#include "mpi/matching/channels.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/repeated_calls.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Whether the action is a member's part in a collective operation that the call itself ends.
inline bool joins_collective(const Action& action) {
    return action.kind == Action::Kind::collective ||
           (action.kind == Action::Kind::record && action.type == EventType::RmaCollectiveEnd);
}

/// Whether a call may wait for the receivers of messages that it sends.
inline bool may_wait_for_receiver(const MpiCall& call) {
    const bool blocks = call.family == CallFamily::send || call.family == CallFamily::send_receive;
    return blocks && call.function != MpiFunction::Bsend;
}

/// Whether no message of the function is buffered.
inline bool is_synchronous(MpiFunction function) {
    return function == MpiFunction::Ssend || function == MpiFunction::Issend;
}

/// Callbacks of MatchingSimulation. Reports about a call come between its beginning and end.
class MatchingObserver {
  public:
    MatchingObserver() = default;
    MatchingObserver(const MatchingObserver&) = default;
    MatchingObserver& operator=(const MatchingObserver&) = default;
    virtual ~MatchingObserver() = default;

    /// A call begins; it is valid until it ends.
    virtual void began(u32 /*walker*/, const MpiCall& /*call*/) {}
    virtual void ended(u32 /*walker*/, const MpiCall& /*call*/) {}
    /// A message and the call that posted its receive.
    virtual void matched(CallPlace /*sender*/, CallPlace /*receiver*/) {}
    /// A probe found a message and left it in the queue.
    virtual void probed(CallPlace /*sender*/, CallPlace /*probe*/) {}
    /// A receive completes with a message.
    virtual void completed(CallPlace /*receiver*/, CallPlace /*completion*/) {}
    /// All members have joined an instance; the instances of a context come in order.
    virtual void matched_collective(const CollectiveInstances::Context& /*context*/,
                                    const CollectiveInstances::Instance& /*instance*/) {}
    /// A non-blocking collective completes.
    virtual void completed_collective(CallPlace /*post*/, CallPlace /*completion*/) {}
    /// An MPI_Win_complete matches its MPI_Win_post, or an MPI_Win_wait (or a successful
    /// MPI_Win_test) its MPI_Win_complete. Only in the order of times.
    virtual void synchronised(CallPlace /*waiting*/, CallPlace /*partner*/) {}
    /// A call whose message was cancelled.
    virtual void cancelled_send(u32 /*location*/, u64 /*index*/) {}
    /// Each channel once, at the end.
    virtual void channel(const Channels::Key& /*key*/) {}

    /// True if the observer handles repeated iterations by repeat() (IterationMatching).
    [[nodiscard]] virtual bool follows_iterations() const { return false; }
    /// All walkers begin an iteration of `calls` calls, by walker.
    virtual void begin_iteration(const std::vector<std::size_t>& /*calls*/) {}
    /// The iteration has ended, or was aborted. False if its repetitions must not be skipped.
    virtual bool end_iteration() { return false; }
    /// The iteration repeats `times` times at other times, by walker (null: takes no part). The
    /// sources have already skipped these iterations.
    virtual void repeat(const std::vector<IterationSource*>& /*sources*/, u64 /*times*/) {}
};

}  // namespace tracefold
