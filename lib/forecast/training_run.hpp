// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "forecast/scaling/script_tree.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tracefold {

/// What a location of a run does and defines. Locations that do the same share it.
template <class Sequence>
struct LocationOf {
    std::shared_ptr<const Sequence> events;
    std::shared_ptr<const Sequence> definitions;
};

template <class Sequence>
struct RunOf {
    u32 ranks = 0;
    bool has_times = false;
    double seconds_per_tick = 0;
    std::shared_ptr<const Sequence> global_definitions;
    std::vector<std::vector<LocationOf<Sequence>>> locations;  ///< by rank: its threads
};

/// One run of a program, read completely, and folded.
using FoldedRun = RunOf<FoldedSequence>;
struct TrainingRun : RunOf<CallSequence> {
    std::string name;     ///< of the file
    std::string program;  ///< as the first rank calls it; empty if it does not tell
    TraceFile* file = nullptr;
};

/// Reads a run. Throws Error: corrupt; unsupported if it is no run of MPI processes, or has other
/// locations than their threads, or more different events than there is room for. Memory: the
/// different contents of all locations, unfolded, which are at most 2^24 events.
TrainingRun read_run(TraceFile& file, const std::string& name, CallTypes& kinds);

/// Folds all locations of a run; equal ones once.
FoldedRun fold_run(const TrainingRun& run, const CallTypes& kinds, FoldingView view);

/// The numbers of ranks: "4, 9, 16".
std::string sizes_text(const std::vector<TrainingRun>& runs);

}  // namespace tracefold
