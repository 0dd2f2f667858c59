// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/collective_instances.hpp"
#include "mpi/matching/channels.hpp"
#include "mpi/repeated_calls.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Is told what MatchingSimulation finds out about a call between the call's beginning and end.
class MatchingObserver {
  public:
    MatchingObserver() = default;
    MatchingObserver(const MatchingObserver&) = default;
    MatchingObserver& operator=(const MatchingObserver&) = default;
    virtual ~MatchingObserver() = default;

    /// A call, which is valid until it has ended.
    virtual void began(u32 /*walker*/, const MpiCall& /*call*/) {}
    virtual void ended(u32 /*walker*/, const MpiCall& /*call*/) {}
    /// A message and the call that posted its receive.
    virtual void matched(CallPlace /*sender*/, CallPlace /*receiver*/) {}
    /// A probe found a message and left it where it is.
    virtual void probed(CallPlace /*sender*/, CallPlace /*probe*/) {}
    /// A receive with a message is complete.
    virtual void completed(CallPlace /*receiver*/, CallPlace /*completion*/) {}
    /// All members take part in an instance; those of a context come in order.
    virtual void matched_collective(const CollectiveInstances::Context& /*context*/,
                                    const CollectiveInstances::Instance& /*instance*/) {}
    /// A non-blocking collective that was posted is complete.
    virtual void completed_collective(CallPlace /*post*/, CallPlace /*completion*/) {}
    /// An MPI_Win_complete met the MPI_Win_post that it needs, or an MPI_Win_wait (or a successful
    /// MPI_Win_test) the MPI_Win_complete. Only if calls are walked in the order of times.
    virtual void synchronised(CallPlace /*waiting*/, CallPlace /*partner*/) {}
    /// A call whose message was cancelled.
    virtual void cancelled_send(u32 /*location*/, u64 /*index*/) {}
    /// Once for each, at the end.
    virtual void channel(const Channels::Key& /*key*/) {}

    /// True if it need not be told of iterations that come again one by one (IterationMatching).
    [[nodiscard]] virtual bool follows_iterations() const { return false; }
    /// From here on all walkers make so many calls each, by walker.
    virtual void begin_iteration(const std::vector<std::size_t>& /*calls*/) {}
    /// They have made them, or not after all. False if the same must not be left out when it comes
    /// again.
    virtual bool end_iteration() { return false; }
    /// The same happens so many times again at other times, by walker (null: takes no part). The
    /// sources have been told so.
    virtual void repeat(const std::vector<IterationSource*>& /*sources*/, u64 /*times*/) {}
};

}  // namespace tracefold
