// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/mpi_call.hpp"

#include <deque>
#include <functional>
#include <vector>

namespace tracefold {

/// The requests of non-blocking collectives that left no record, and so no request either. Each
/// gets one of its own, and is taken to complete in the next call that waits: MPI_Wait and
/// MPI_Waitany without a record complete the oldest one, MPI_Waitall and MPI_Waitsome all of them.
/// What nobody waits for completes at the end. Of one location. Memory: what is outstanding.
class UnrecordedRequests {
  public:
    /// True if apply() would change the call.
    [[nodiscard]] bool concerns(const MpiCall& call, std::span<const Action> actions) const;
    /// For every call in order that is concerned.
    void apply(const MpiCall& call, std::vector<Action>& actions);

  private:
    struct Outstanding {
        u64 request = kNoRequest;
        CollectivePart part;
    };

    [[nodiscard]] static bool posts(std::span<const Action> actions);
    void complete(u64 time, std::vector<Action>& actions);

    std::deque<Outstanding> outstanding_;
    u64 next_ = kFirstUnrecordedRequest;
};

/// Finds out what probes of a location were about: the next receive there. It runs ahead in a
/// program of its own, as far as the next receive. A probe that polls had found its message if the
/// receive comes before any other probe of its kind.
class ProbeDetector {
  public:
    /// `program` reads the same calls from the start.
    explicit ProbeDetector(std::function<bool(MpiCall&)> program) : program_(std::move(program)) {}

    /// Fills in `inferred`, `found` and `treatment` of a probe. Call for rising indices.
    void look(MpiCall& probe);

  private:
    /// A receive ahead.
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
    u64 last_probe_[2] = {~u64{0}, ~u64{0}};  ///< of either kind
    bool at_end_ = false;
};

}  // namespace tracefold
