// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "model/mpi_function.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// Calls of one function; times in seconds.
struct CallTotals {
    MpiFunction function = MpiFunction::other;
    u64 calls = 0;
    u64 sent = 0;      ///< bytes, as OTF2 counts them
    u64 received = 0;  ///< bytes
    double recorded = 0;
    double replayed = 0;

    static void each_field(auto& self, auto& visit) {
        visit(self.function, self.calls, self.sent, self.received, self.recorded, self.replayed);
    }
};

/// Seconds of one rank from the first to the last call, and how many of them in MPI.
struct RankTimes {
    double wall = 0;
    double communication = 0;

    static void each_field(auto& self, auto& visit) { visit(self.wall, self.communication); }
    [[nodiscard]] double computation() const { return wall - communication; }
};

/// Messages from one rank to another.
struct PeerMessages {
    u64 peer = 0;  ///< world rank
    u64 messages = 0;
    u64 bytes = 0;

    static void each_field(auto& self, auto& visit) { visit(self.peer, self.messages, self.bytes); }
};

/// What one rank did, by itself; times are means over the repetitions.
struct RankDetail {
    /// More partners than these are given as one sum.
    static constexpr std::size_t kMostPeers = 256;

    u64 rank = 0;
    std::string host;  ///< empty unless asked for
    u64 threads = 1;   ///< that called MPI
    RankTimes recorded;
    RankTimes replayed;
    double asked_computation = 0;  ///< seconds that had to pass between calls
    std::vector<CallTotals> calls;
    std::vector<PeerMessages> peers;  ///< those with the most bytes, by rank
    PeerMessages other_peers;         ///< the rest: `peer` says how many

    static void each_field(auto& self, auto& visit) {
        visit(self.rank, self.host, self.threads, self.recorded, self.replayed,
              self.asked_computation, self.calls, self.peers, self.other_peers);
    }
};

/// Some of all ranks: the first ones, and those with the longest wall time. Selections of disjoint
/// ranks can be merged in any order. Memory: twice the number asked for.
class RankSelection {
  public:
    explicit RankSelection(u64 limit = 0) : limit_(limit) {}

    void add(RankDetail detail);
    void merge(const RankSelection& other);
    static void each_field(auto& self, auto& visit) { visit(self.ranks_); }

    /// By rank.
    [[nodiscard]] const std::vector<RankDetail>& ranks() const { return ranks_; }

  private:
    void shorten();

    u64 limit_;
    std::vector<RankDetail> ranks_;
};

}  // namespace tracefold
