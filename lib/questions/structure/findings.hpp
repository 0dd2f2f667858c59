// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/call_names.hpp"
#include "model/participants.hpp"
#include "mpi/program_steps.hpp"
#include "questions/structure/structure_listing.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// A grid of ranks in which every rank sends to the same neighbours, as far as they exist: rank r
/// stands at the coordinates of row-major order, the last dimension being the fastest.
struct Stencil {
    static constexpr std::size_t kMostDimensions = 4;
    using Offset = std::array<int, kMostDimensions>;

    std::vector<u32> grid;        ///< ranks by dimension
    std::vector<bool> periodic;   ///< by dimension; not known for two ranks or less
    std::vector<Offset> offsets;  ///< of the neighbours, in rising order
    bool complete = false;        ///< all ranks send to all others: other grids may do as well

    [[nodiscard]] std::size_t dimensions() const { return grid.size(); }
    /// In how many dimensions an offset moves: 1 over a face, 2 over an edge.
    static int moves(const Offset& offset);
    /// From a rank to another one, the shorter way round.
    [[nodiscard]] Offset offset(u32 from, u32 to) const;
};

/// Who sends to whom, without ranks that send to themselves.
using RankPairs = std::vector<std::pair<u32, u32>>;

/// The stencil that `pairs` are exactly, with the fewest neighbours; nothing if there is none
/// within two ranks in every dimension. Cost: pairs x ways to write `ranks` as a product of up to
/// four factors, most of which fail at once.
std::optional<Stencil> find_stencil(u32 ranks, const RankPairs& pairs);
/// The same on a given grid. Cost: linear.
std::optional<Stencil> fit_stencil(const std::vector<u32>& grid, const RankPairs& pairs);

/// Numbers of several locations.
struct Extremes {
    u64 least = ~u64{0};
    u64 most = 0;

    void add(u64 number) {
        least = number < least ? number : least;
        most = number > most ? number : most;
    }
    [[nodiscard]] bool agree() const { return least == most; }
    bool operator==(const Extremes&) const = default;
};

/// The loop in which the locations of a script make most of their calls, and those within it that
/// hold nearly all of what it does, outermost first.
struct MainLoop {
    u32 node = kNone;  ///< of the script's pattern
    ParticipantList participants;
    std::vector<Extremes> iterations;  ///< of each loop, in all of a location's run
    double share = 0;                  ///< of the calls
    std::vector<u32> symbols;          ///< that are executed in this loop and nowhere else, rising
};

/// A collective operation.
struct CollectivePhase {
    std::string name;
    u64 ranks = 0;         ///< that take part
    Extremes calls;        ///< of a location
    bool in_loop = false;  ///< all of them are in the main loops
};

/// A Cartesian topology of MPI ranks as it was defined.
struct CartGrid {
    std::string name;
    std::vector<u64> sizes;
    std::vector<bool> periodic;
};

/// Who sends messages to how many others.
struct Neighbourhood {
    u64 senders = 0;
    u64 pairs = 0;
    Extremes partners;  ///< of a rank that sends
    std::optional<Stencil> stencil;
    /// By the number of dimensions that a neighbour is away in, from 1: the size of its messages,
    /// if they are all alike. Empty unless there is a stencil and its messages have a size each.
    std::vector<u64> bytes_by_moves;
};

/// What the folded form tells about the program. Everything here is counted, nothing follows from
/// what regions are called.
struct Findings {
    std::vector<MainLoop> loops;  ///< by script; those without loops are left out
    /// Steps that all ranks take together (find_program_steps()), inferred from the order of their
    /// messages and collectives.
    std::optional<u64> steps;
    std::optional<StepRegion> step_region;  ///< what they are, if a region tells
    /// What repeats itself within steps: in how many of them, how often, and the region that tells
    /// what it is.
    struct Within {
        u64 steps = 0;
        u64 fewest = 0;
        u64 most = 0;
        std::optional<StepRegion> region;
    };
    std::optional<Within> within_step;
    Neighbourhood neighbourhood;
    std::vector<CollectivePhase> collectives;  ///< most calls first
    std::vector<CartGrid> grids;
    std::optional<double> mpi_share;  ///< of the time, if there are times and ranks
};

/// `times` may be null. Cost: that of visit_transfers(), find_stencil(),
/// find_program_steps() and locations x loops.
Findings summarise(TraceFile& file, ListingSource& source, FoundSteps& steps,
                   const CallTimes* times);

}  // namespace tracefold
