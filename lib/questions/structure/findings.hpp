// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/call_names.hpp"
#include "model/participants.hpp"
#include "mpi/main_loop.hpp"
#include "mpi/program_steps.hpp"
#include "questions/structure/call_places.hpp"
#include "questions/structure/structure_listing.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// A grid of ranks in which every rank sends to the same relative neighbours, as far as they exist.
/// Ranks are numbered in row-major order (last dimension fastest).
struct Stencil {
    static constexpr std::size_t kMostDimensions = 4;
    using Offset = std::array<int, kMostDimensions>;

    std::vector<u32> grid;  ///< ranks by dimension
    /// By dimension. Both directions of a dimension of two ranks lead to one rank: whether it is
    /// periodic is known only if the program defined it, or from the number of messages.
    std::vector<std::optional<bool>> periodic;
    std::vector<Offset> offsets;  ///< of the neighbours, ascending
    bool complete = false;        ///< all-to-all: other grids may fit as well
    u64 most_neighbours = 0;      ///< of a rank

    [[nodiscard]] std::size_t dimensions() const { return grid.size(); }
    /// Number of dimensions in which an offset moves: 1 over a face, 2 over an edge.
    static int moves(const Offset& offset);
    /// Offset between two ranks, the shorter way around.
    [[nodiscard]] Offset offset(u32 from, u32 to) const;
};

/// Sender and receiver ranks, without messages to self.
using RankPairs = std::vector<std::pair<u32, u32>>;

/// The stencil with the fewest neighbours that reproduces `pairs` exactly; none if there is none
/// with a reach of two ranks per dimension. Cost: pairs x factorisations of `ranks` into up to four
/// factors, most of which fail early.
std::optional<Stencil> find_stencil(u32 ranks, const RankPairs& pairs);
/// The stencil on a given grid that reproduces `pairs`. Cost: linear.
std::optional<Stencil> fit_stencil(const std::vector<u32>& grid, const RankPairs& pairs);

/// A collective operation.
struct CollectivePhase {
    std::string name;
    u64 ranks = 0;         ///< participating ranks
    Extremes calls;        ///< per location
    bool in_loop = false;  ///< all calls are in the main loops
    /// Relative to the steps, if all these locations have the same places.
    std::optional<CallPlaces> places;
};

/// A Cartesian topology of MPI ranks, as defined in the trace.
struct CartGrid {
    std::string name;
    std::vector<u64> sizes;
    std::vector<bool> periodic;
};

/// Point-to-point neighbours: the number of senders and of partners per sender.
struct Neighbourhood {
    u64 ranks = 0;  ///< of the program
    u64 senders = 0;
    u64 pairs = 0;
    Extremes partners;  ///< per sending rank
    std::optional<Stencil> stencil;
    /// If ranks exchange one message in turn with their rank XOR each of these powers of two, over
    /// and over, in the order of recursive doubling or halving.
    std::vector<u32> doubling;
    /// From each of these exchanges to the next, the size of messages doubles, or it halves. If so,
    /// or if there are three exchanges or more, no stencil is searched: a grid of 2 x 2 x ... ranks
    /// has the same partners.
    bool sizes_double = false;
    /// Message size by the number of dimensions that separate the neighbours, from 1. Empty without
    /// a stencil or if sizes within a class differ.
    std::vector<u64> bytes_by_moves;
};

/// Accesses to windows.
struct OneSided {
    u64 windows = 0;   ///< that are defined
    u64 accesses = 0;  ///< puts, gets and atomics, of ranks to known ones, themselves included
    u64 bytes = 0;
    Neighbourhood targets;               ///< as of messages
    std::vector<CollectivePhase> calls;  ///< of MPI functions for windows, most calls first
};

/// Facts about the program that the folded form shows. All are counted; none is derived from region
/// names.
struct Findings {
    std::vector<MainLoop> loops;  ///< by script; scripts without loops are omitted
    /// Steps that all ranks take together (find_program_steps()), inferred from the order of
    /// messages and collectives.
    std::optional<u64> steps;
    StepsMissing no_steps;    ///< the reason, if there are none
    u64 steps_otherwise = 0;  ///< see ProgramSteps
    u64 exchange_every = 1;
    std::vector<u64> phases;
    std::optional<StepRegion> step_region;  ///< name of the steps, if a region shows it
    /// A repetition within steps: steps that have it, repetitions, and the region that names it.
    struct Within {
        u64 steps = 0;
        u64 fewest = 0;
        u64 most = 0;
        std::optional<StepRegion> region;
    };
    std::optional<Within> within_step;
    Neighbourhood neighbourhood;
    std::vector<CollectivePhase> collectives;  ///< most calls first
    std::optional<OneSided> one_sided;         ///< if windows are accessed
    std::vector<CartGrid> grids;
    std::optional<double> mpi_share;  ///< of the time, if times and ranks are known
};

/// Summarises a program. `times` may be null. Cost: visit_transfers() + find_stencil() +
/// find_program_steps() + locations x loops.
Findings summarise(TraceFile& file, ListingSource& source, FoundSteps& steps,
                   const CallTimes* times);

}  // namespace tracefold
