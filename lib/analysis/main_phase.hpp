// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/script_outline.hpp"
#include "analysis/transfer_recipe.hpp"

#include <array>
#include <set>

namespace tracefold {

/// The loop in which a location has most of its transfers between processes.
struct MainPhase {
    u64 iterations = 0;
    /// Those of them that it takes until peers and sizes of all messages return; nothing if they
    /// do not.
    std::optional<u64> period;
    /// How often an iteration sends the same messages, to as many as the location has partners.
    u64 repeats = 1;
    /// Iterations that stand directly before and after the loop, or a part of one before it and the
    /// rest behind it.
    u64 beside = 0;
    /// A loop within sends in every iteration as many messages as the location has partners.
    bool doubtful = false;
};

/// Finds the main phases of locations. Cost: the folded size of scripts and columns where they
/// repeat; once for all locations with the same. Memory: an outline for every different script.
class MainPhaseFinder {
  public:
    /// `barriers`: symbols of collective operations that move no data. The references must outlive
    /// this object.
    MainPhaseFinder(const Structure& structure, StructureIndex& index, ExecutionCounts& counts,
                    const std::set<u32>& barriers)
        : structure_(structure), index_(index), counts_(counts), barriers_(barriers) {}

    /// If the location talks to others at all.
    [[nodiscard]] bool has_transfers(u32 location);
    /// `partners`: to which the location sends. Nothing unless at least half of the transfers are
    /// in one loop of three iterations or more that are all as long. Throws Error(corrupt).
    std::optional<MainPhase> find(u32 location, u64 partners);

  private:
    struct LeafKind {
        bool message = false;
        bool sends = false;
        bool transfers = false;
        bool barrier = false;
    };

    /// A loop of a location.
    struct Loop {
        u32 location;
        const ScriptOutline& outline;
        const ScriptOutline::Part& part;
        std::vector<u64> counted;  ///< by leaf: 1 for calls that an iteration is made of
        u64 partners;
    };

    [[nodiscard]] std::vector<LeafKind> kinds(u32 script) const;
    const std::vector<LeafKind>& kinds_of(u32 location);
    /// Null if it would be too long.
    const ScriptOutline* outline(u32 location, const std::vector<u64>& weights);
    std::optional<MainPhase> describe(const Loop& loop);
    void find_period(const Loop& loop, MainPhase& phase);
    /// Of the arguments of a symbol behind the first `before`; 0: it is not known.
    u64 arguments_period(u32 symbol, u32 location, u64 before, u64 inside);
    u64 values_period(const ExecutionCounts::Use& use, u64 before, u64 inside);

    const Structure& structure_;
    StructureIndex& index_;
    ExecutionCounts& counts_;
    const std::set<u32>& barriers_;
    std::map<u32, std::vector<LeafKind>> kinds_;  ///< by script
    /// By script, counts and weights, and by column and place.
    std::map<std::vector<u64>, std::optional<ScriptOutline>> outlines_;
    std::map<std::array<u64, 3>, u64> periods_;
};

}  // namespace tracefold
