// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "forecast/scaling/place_times.hpp"
#include "forecast/scaling/rank_communicators.hpp"
#include "forecast/scaling/script_tree.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tracefold {

/// The events and definitions of a location. Identical locations share them.
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
    std::shared_ptr<const RankCommunicators> communicators;
    /// By rank and thread.
    std::shared_ptr<const std::vector<std::vector<TransitionTimes>>> times;
    std::vector<std::vector<LocationOf<Sequence>>> locations;  ///< by rank: its threads
};

/// One run of a program, read completely and folded.
using FoldedRun = RunOf<FoldedSequence>;
struct TrainingRun : RunOf<CallSequence> {
    std::string name;     ///< file name
    std::string program;  ///< from the first rank; empty if unknown
    TraceFile* file = nullptr;
};

/// Reads a run. Throws Error: corrupt; unsupported for runs without MPI processes, with locations
/// other than their threads, or with too many distinct events. Memory: the distinct contents of all
/// locations, unfolded, at most 2^24 events.
TrainingRun read_run(TraceFile& file, const std::string& name, CallTypes& kinds);

/// Folds all locations of a run; equal ones once.
FoldedRun fold_run(const TrainingRun& run, const CallTypes& kinds, FoldingView view);

/// The numbers of ranks: "4, 9, 16".
std::string sizes_text(const std::vector<TrainingRun>& runs);

}  // namespace tracefold
