// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/explain/run_graph.hpp"
#include "forecast/explain/step_matrix.hpp"
#include "forecast/explanation.hpp"

#include <functional>
#include <vector>

namespace tracefold {

/// Calls that wait are in a row if the computation after them is so many times that between them.
inline constexpr double kInRow = 20;

/// What the rules look at: the recorded run, its walk and its computation by step.
struct RunEvidence {
    RunEvidence(TraceFile& file, const Efficiency& efficiency, RunGraph graph);

    [[nodiscard]] double seconds(double ticks) const { return efficiency.rate.seconds(ticks); }
    [[nodiscard]] double share(double ticks) const {
        return ticks / static_cast<double>(base.runtime);
    }

    TraceFile& file;
    const Efficiency& efficiency;
    RunGraph graph;
    RunDurations recorded;
    RunWalk base;
    std::vector<PathPart> path;  ///< critical path
    std::vector<u32> columns;    ///< by call
    std::vector<u64> pauses;     ///< by call: part of the computation before it, between polls
    StepMatrix computation;      ///< within steps, without pauses
    /// By call: computation of its rank since the last call that waited, and from its end to the
    /// next call that waits after some computation.
    std::vector<u64> since_wait;
    std::vector<u64> until_wait;
    std::vector<double> usual;   ///< computation of a rank in a step: median
    std::vector<double> before;  ///< computation by rank before the first step
    std::vector<double> after;   ///< and after the last one
};

/// A possible cause and the run without it.
struct Candidate {
    ExplainedCause cause;
    /// Ticks: a larger gain alone has other reasons; 0: any gain.
    double most = 0;
    /// Changes durations, which may be changed already, to those without the cause.
    std::function<void(const RunGraph&, RunDurations&)> remove;
};

// The rules, by what they look at; each adds candidates. Cost: linear in the calls.
void find_computation_causes(const RunEvidence& evidence, std::vector<Candidate>& found);
void find_order_causes(const RunEvidence& evidence, std::vector<Candidate>& found);
void find_growth_causes(const RunEvidence& evidence, std::vector<Candidate>& found);
void find_message_causes(const RunEvidence& evidence, std::vector<Candidate>& found);
void find_resource_causes(const RunEvidence& evidence, std::vector<Candidate>& found);

/// Everything that the rules find. Cost: linear in the calls per rule.
std::vector<Candidate> candidates(const RunEvidence& evidence);

}  // namespace tracefold
