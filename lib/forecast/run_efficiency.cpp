// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/run_efficiency.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tracefold {

namespace {

/// Counters of a smaller share of the computation say too little about all of it.
constexpr double kEnoughCounted = 0.99;

/// Powers of the number of cores that are taken for a constant, and for proportional growth.
constexpr double kConstant = 0.25;
constexpr double kProportional = 0.75;

bool counts_enough(const Efficiency& efficiency) {
    return efficiency.has_counters() && !efficiency.has_threads &&
           efficiency.counters->total.coverage() >= kEnoughCounted &&
           std::ranges::all_of(efficiency.counters->ranks, &ComputationCounters::is_known);
}

/// Growth between the smallest and the largest run as a power of the cores; 0 for equal sizes.
double power_of(const std::vector<RunEfficiency>& runs, double first, double last) {
    const double cores =
        static_cast<double>(runs.back().cores) / static_cast<double>(runs.front().cores);
    return cores == 1 || first <= 0 || last <= 0 ? 0 : std::log(last / first) / std::log(cores);
}

std::optional<double> quotient(const std::optional<double>& a, const std::optional<double>& b) {
    if (!a || !b || *b == 0) return {};
    return *a / *b;
}

void infer_scaling(ScalingEfficiency& result) {
    const RunEfficiency& first = result.runs.front();
    const RunEfficiency& last = result.runs.back();
    result.is_inferred = true;
    result.from_instructions = first.instructions && last.instructions;
    result.growth = result.from_instructions
                        ? power_of(result.runs, *first.instructions, *last.instructions)
                        : power_of(result.runs, first.computation, last.computation);
    result.scaling = result.growth < kConstant       ? Scaling::strong
                     : result.growth > kProportional ? Scaling::weak
                                                     : Scaling::neither;
}

/// Why the series lacks factors of counters.
std::string why_no_counters(const std::vector<RunEfficiency>& runs) {
    const auto lacks = std::ranges::find_if(
        runs, [](const RunEfficiency& run) { return !run.why_no_counters.empty(); });
    return lacks == runs.end() ? "" : lacks->name + ": " + lacks->why_no_counters;
}

void add_scaling(const RunEfficiency& first, Scaling scaling, RunEfficiency& run) {
    if (scaling == Scaling::neither || run.computation == 0) return;
    const double cores = static_cast<double>(run.cores) / static_cast<double>(first.cores);
    const double work = scaling == Scaling::weak ? cores : 1;
    run.computation_scaling = work * first.computation / run.computation;
    if (const auto fewer = quotient(first.instructions, run.instructions)) {
        run.instruction_scaling = work * *fewer;
    }
    run.ipc_scaling = quotient(run.ipc, first.ipc);
    run.frequency_scaling = quotient(run.frequency, first.frequency);
    if (run.factors.empty() || !run.factors.front().value) return;
    run.global = *run.factors.front().value * *run.computation_scaling;
}

}  // namespace

std::string_view scaling_name(Scaling scaling) {
    switch (scaling) {
        case Scaling::strong:
            return "strong";
        case Scaling::weak:
            return "weak";
        default:
            return "neither";
    }
}

RunEfficiency run_efficiency(const Efficiency& efficiency, const std::string& name) {
    RunEfficiency run;
    run.name = name;
    run.ranks = static_cast<u32>(efficiency.ranks.size());
    run.is_part = efficiency.is_part;
    run.runtime = efficiency.seconds(efficiency.runtime);
    run.factors = factors(efficiency);
    if (efficiency.has_threads) {
        run.cores = efficiency.threads.threads.size();
        for (const ThreadTimes& thread : efficiency.threads.threads) {
            run.computation += efficiency.seconds(thread.of(ThreadUse::work));
        }
    } else {
        run.cores = run.ranks;
        for (const RankEfficiency& rank : efficiency.ranks) {
            run.computation += efficiency.seconds(rank.computation);
        }
    }
    if (!efficiency.counters) {
        run.why_no_counters = "instructions were not recorded";
    } else if (!efficiency.has_counters()) {
        run.why_no_counters = efficiency.counters->why_not;
    } else if (efficiency.has_threads) {
        run.why_no_counters = "counters are known for one thread of a rank only";
    } else if (!counts_enough(efficiency)) {
        run.why_no_counters = "counters lack values in more than 1 % of the computation";
    } else {
        const ComputationCounters& total = efficiency.counters->total;
        run.instructions = total.value(HardwareCounter::instructions);
        run.ipc = total.ipc();
        if (const auto frequency = total.frequency()) {
            run.frequency = *frequency / efficiency.seconds(1);
        }
        if (!run.instructions) run.why_no_counters = "instructions were not recorded";
        if (!run.frequency) run.why_no_counters = "cycles were not recorded";
    }
    return run;
}

ScalingEfficiency scaling_efficiency(std::vector<RunEfficiency> runs,
                                     std::optional<Scaling> scaling) {
    ScalingEfficiency result;
    result.runs = std::move(runs);
    std::ranges::stable_sort(result.runs, {}, &RunEfficiency::cores);
    result.why_no_counters = why_no_counters(result.runs);
    if (scaling) {
        result.scaling = *scaling;
    } else {
        infer_scaling(result);
    }
    const RunEfficiency first = result.runs.front();
    for (RunEfficiency& run : result.runs) add_scaling(first, result.scaling, run);
    return result;
}

}  // namespace tracefold
