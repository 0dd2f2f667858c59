// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/mpi_call.hpp"

#include <deque>
#include <functional>
#include <list>
#include <vector>

namespace tracefold {

/// Assigns requests to the non-blocking collectives of one location that have no record. Each
/// completes in the next call that waits: MPI_Wait and MPI_Waitany without a record complete the
/// oldest one, MPI_Waitall and MPI_Waitsome all; the rest complete at the end. Memory: these
/// requests.
class UnrecordedRequests {
  public:
    /// True if apply() would change the call.
    [[nodiscard]] bool concerns(const MpiCall& call, std::span<const Action> actions) const;
    /// Call for every concerned call in order.
    void apply(const MpiCall& call, std::vector<Action>& actions);

  private:
    struct Outstanding {
        u64 request = kNoRequest;
        CollectivePart part;
    };

    [[nodiscard]] static bool posts(std::span<const Action> actions);
    void complete(u64 time, std::vector<Action>& actions);

    std::list<Outstanding> outstanding_;  ///< an empty deque would have half a kilobyte
    u64 next_ = kFirstUnrecordedRequest;
};

/// Infers the message of each probe of a location: the next receive there. Reads ahead in its own
/// copy of the program, up to the next receive. A polling probe found its message if the receive
/// precedes any other probe of its kind.
class ProbeDetector {
  public:
    /// `program` reads the same calls from the start.
    explicit ProbeDetector(std::function<bool(MpiCall&)> program) : program_(std::move(program)) {}

    /// Fills in `inferred`, `found` and `treatment` of a probe. Call in rising order of indices.
    void look(MpiCall& probe);

  private:
    /// A later receive.
    struct Receive {
        u64 index = 0;
        bool matched = false;  ///< MPI_Mrecv, MPI_Imrecv
        bool claimed = false;  ///< by an earlier MPI_Mprobe or MPI_Improbe
        u64 last_probe = 0;    ///< the last probe of its kind before it
        Envelope envelope;
    };

    Receive* next_receive(u64 after, bool matched);
    bool read();

    std::function<bool(MpiCall&)> program_;
    std::deque<Receive> ahead_;
    u64 last_probe_[2] = {~u64{0}, ~u64{0}};  ///< of each kind
    bool at_end_ = false;
};

}  // namespace tracefold
