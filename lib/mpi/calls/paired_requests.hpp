// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/mpi_call.hpp"

#include <deque>
#include <functional>
#include <vector>

namespace tracefold {

/// Pairs non-blocking messages without requests with the calls that complete them. Recorders such
/// as TAU write MPI_Isend as a send, MPI_Irecv as nothing, and its message where it completes.
/// Receives complete in the order in which they were posted. A send completes in the next waiting
/// call that names nothing else: MPI_Wait, MPI_Waitany and MPI_Waitsome the oldest, MPI_Waitall all
/// of them; if there is none before the next send, in the MPI_Waitall (or successful MPI_Testall)
/// that also completed receives. Reads ahead in its own copy of the program. Memory: calls up to
/// the completion of the oldest outstanding one.
class PairedRequests {
  public:
    /// `program` reads the same calls from the start. `drops`: the location posts receives that
    /// never get a message (MPI_PROC_NULL): those outstanding at an MPI_Waitall end there, once
    /// others are posted.
    PairedRequests(std::function<bool(MpiCall&)> program, bool drops)
        : program_(std::move(program)), drops_(drops) {}

    /// True if the call gets requests, and may need changes.
    static bool concerns(const MpiCall& call, std::span<const Action> actions);
    /// Adds the requests of a concerned call. Call in rising order of indices for all of them.
    void apply(const MpiCall& call, std::vector<Action>& actions);

  private:
    /// A concerned call.
    struct Entry {
        bool decided = false;
        u64 request = kNoRequest;   ///< of a post; kNoRequest: unknown
        Envelope envelope;          ///< of a posted receive
        std::vector<u64> sends;     ///< requests that a call completes
        std::vector<u64> receives;  ///< by recorded receive; kNoRequest: posted by no call
    };
    /// A post without a completion: the number of its entry.
    using Posts = std::deque<u64>;
    static constexpr u64 kNoEntry = ~u64{0};

    bool read();
    void post(bool sends);
    void complete(const MpiCall& call);
    void finish_receives(const MpiCall& call);
    Entry& end_receive();
    void finish_sends(const MpiCall& call);
    void take_sends(u64 number, std::size_t count);
    void end_claim();
    void drop_receives();
    void give_up_oldest();
    Entry& entry(u64 number) { return entries_[number - first_]; }

    std::function<bool(MpiCall&)> program_;
    bool drops_;
    bool at_end_ = false;
    std::deque<Entry> entries_;
    u64 first_ = 0;  ///< number of the first entry
    u64 next_ = 0;   ///< number of the next entry
    u64 request_ = kFirstPairedRequest;
    Posts sends_;
    Posts receives_;
    u64 claim_ = kNoEntry;   ///< a call that completes sends_ unless a later one does
    std::size_t ended_ = 0;  ///< of receives_: outstanding at the last MPI_Waitall
};

/// Whether a location leaves requests out, and posts receives that never get a message.
struct UnpairedRequests {
    bool any = false;
    bool drops = false;
};
/// Cost: a walk through the calls, which `program` reads.
UnpairedRequests find_unpaired_requests(const std::function<bool(MpiCall&)>& program);

}  // namespace tracefold
