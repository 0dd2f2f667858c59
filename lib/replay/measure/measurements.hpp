// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/types.hpp"
#include "replay/rank_detail.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// The processors that a process may use on its node.
struct ProcessorSet {
    std::string node;
    std::vector<u64> words;  ///< bit i % 64 of word i / 64 is set for processor i
    u64 online = 0;          ///< processors of the node

    [[nodiscard]] u64 size() const;
    static void each_field(auto& self, auto& visit) { visit(self.node, self.words, self.online); }
    auto operator<=>(const ProcessorSet&) const = default;
};

/// The processors of the calling thread; empty if unknown.
ProcessorSet own_processors();

/// Ranks with more threads than processors.
struct Oversubscription {
    u64 nodes = 0;                 ///< of all ranks
    u64 oversubscribed_nodes = 0;  ///< with oversubscribed ranks
    /// The most crowded set:
    u64 ranks = 0;
    u64 threads = 0;     ///< of these ranks that call MPI
    u64 processors = 0;  ///< shared by these ranks
};

/// Ranks and threads by processor set. Memory: one entry per set of processors, a number per rank.
class Occupancy {
  public:
    struct Users {
        std::vector<u64> ranks;
        u64 threads = 0;

        Users& operator+=(const Users& other);
        static void each_field(auto& self, auto& visit) { visit(self.ranks, self.threads); }
    };
    using UsersOf = std::map<ProcessorSet, Users>;

    void add(const ProcessorSet& processors, u64 rank, u64 threads);
    void merge(const Occupancy& other);
    static void each_field(auto& self, auto& visit) { visit(self.users_); }

    /// Nullopt if the sets allow a processor for every thread: for each set, the ranks confined to
    /// it have at most as many threads as it has processors, and so have all ranks of a node. Cost
    /// per node: the square of its sets.
    [[nodiscard]] std::optional<Oversubscription> oversubscription() const;
    [[nodiscard]] const UsersOf& users() const { return users_; }

  private:
    /// Ranks and threads confined to these processors.
    [[nodiscard]] Users users_within(const ProcessorSet& set) const;
    /// By node; the union of all its processors last.
    [[nodiscard]] std::map<std::string, std::vector<ProcessorSet>> sets_of_nodes() const;

    UsersOf users_;
};

class TraceFile;
}  // namespace tracefold

namespace tracefold {

class RankReplay;
struct ReplayOptions;

/// Data of a report beyond sums; of one rank, or of many after gathering.
struct Measurements {
    explicit Measurements(u64 detailed_ranks = 0) : ranks(detailed_ranks) {}

    MeasuredSizes messages;     ///< between two ranks
    MeasuredSizes collectives;  ///< bytes sent per call, summed over all partners
    RankSelection ranks;
    Occupancy occupancy;

    static void each_field(auto& self, auto& visit) {
        visit(self.messages, self.collectives, self.ranks, self.occupancy);
    }
};

/// The calls of the last repetition on all ranks, on rank 0; elsewhere a part. Collective. Throws
/// Error(io).
std::vector<MeasuredCalls> gather_calls(Communicator& world, RankReplay& rank);

/// Gathers the measurements of all ranks along a tree; complete on rank 0. Collective. Throws
/// Error(io). Memory: that of the detailed ranks.
Measurements gather_measurements(Communicator& world, const TraceFile& file, const RankReplay& rank,
                                 const ReplayOptions& options);

}  // namespace tracefold
