// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/profile/profile_table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// How the work of a series of runs grows with the number of processes.
enum class Scaling : u8 {
    strong,   ///< the same work in all runs
    weak,     ///< work in proportion to the processes
    neither,  ///< in between: no scaling factors
};
std::string_view scaling_name(Scaling scaling);

/// Efficiency of one run of a series, in the terms of the POP centre of excellence. Times in
/// seconds. Scaling factors are relative to the first run of the series.
struct RunEfficiency {
    std::string name;  ///< file name
    u32 ranks = 0;
    u64 cores = 0;         ///< threads that compute, or ranks
    bool is_part = false;  ///< a part of a run, or measured for a part of it
    double runtime = 0;
    std::vector<EfficiencyFactor> factors;  ///< of this run alone
    double computation = 0;                 ///< useful computation of all cores
    std::optional<double> instructions;     ///< in it
    std::optional<double> ipc;
    std::optional<double> frequency;  ///< Hz
    std::string why_no_counters;      ///< why some of these three are missing

    std::optional<double> global;  ///< outermost factor x computation scaling
    std::optional<double> computation_scaling;
    std::optional<double> instruction_scaling;
    std::optional<double> ipc_scaling;
    std::optional<double> frequency_scaling;
};

struct ScalingEfficiency {
    std::vector<RunEfficiency> runs;  ///< ascending by cores
    Scaling scaling{};
    bool is_inferred = false;  ///< `scaling`, from how `work` grows
    /// The total of what `scaling` was inferred from, as a power of the number of cores.
    double growth = 0;
    bool from_instructions = false;
    std::string why_no_counters;  ///< why scaling has no factors of counters
};

RunEfficiency run_efficiency(const Efficiency& efficiency, const std::string& name);

/// Compares at least two runs. `scaling`: none: inferred.
ScalingEfficiency scaling_efficiency(std::vector<RunEfficiency> runs,
                                     std::optional<Scaling> scaling);

}  // namespace tracefold
