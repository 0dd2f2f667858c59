// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/program_steps.hpp"

#include "core/parallel.hpp"
#include "steps/step_places.hpp"
#include "steps/step_search.hpp"
#include "trace/location_blocks.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr OperationLimits kMost = {64'000'000, 16'000'000};

/// Where a rank is between two operations.
StepBorder border_at(const Operations::Rank& rank, u32 place) {
    const u64 behind = place == 0 ? 0 : u64{rank.operations[place - 1].call} + 1;
    const bool last = place == rank.operations.size();
    return {behind, last ? rank.calls : rank.operations[place].call, false};
}

std::vector<StepBorder> borders_of(const Operations::Rank& own, const std::vector<Cut>& cuts,
                                   u32 rank) {
    std::vector<StepBorder> borders;
    for (const Cut& cut : cuts) borders.push_back(border_at(own, cut[rank]));
    borders.back().ends = true;
    return borders;
}

/// False if most ranks do nothing in the steps.
bool place(TraceFile& file, const Operations& all, const std::vector<Cut>& cuts, u32 threads,
           ProgramSteps& found) {
    found.locations.resize(file.location_count());
    std::vector<u32> busy;
    for (u32 rank = 0; rank < all.ranks.size(); ++rank) {
        const bool idle =
            all.ranks[rank].location == kNone || cuts.front()[rank] == cuts.back()[rank];
        if (!idle) busy.push_back(rank);
    }
    run_each(threads, busy.size(), [&](u32 i) {
        const Operations::Rank& rank = all.ranks[busy[i]];
        found.locations[rank.location] =
            place_steps(file, rank.location, borders_of(rank, cuts, busy[i]));
    });
    return busy.size() * 2 > all.ranks.size();
}

std::optional<StepIterations> iterations_within(TraceFile& file, const StepSearch& search,
                                                const RepeatedSteps& steps) {
    const auto all = search.find_within(steps);
    if (!all) return std::nullopt;
    const Operations::Rank& rank = search.operations().ranks[search.reference()];
    StepIterations found;
    found.location = rank.location;
    found.steps = all->size();
    found.fewest = all->front().begins.size();
    std::vector<StepBorder> borders;
    for (const RepeatedSteps& within : *all) {
        found.fewest = std::min<u64>(found.fewest, within.begins.size());
        found.most = std::max<u64>(found.most, within.begins.size());
        for (const u32 begin : within.begins) {
            borders.push_back(border_at(rank, search.place(begin)));
        }
        borders.push_back(border_at(rank, search.place(within.end)));
        borders.back().ends = true;
    }
    found.iterations = place_steps(file, found.location, borders);
    return found;
}

}  // namespace

std::optional<ProgramSteps> find_program_steps(TraceFile& file, StepLevels levels, u32 threads) {
    auto operations = read_operations(file, kMost, threads);
    if (!operations) return std::nullopt;
    const u32 useful = useful_threads(file.definitions().locations(), threads);
    StepSearch search(std::move(*operations), useful);
    const std::optional<RepeatedSteps> steps = search.find();
    if (!steps) return std::nullopt;
    ProgramSteps found;
    found.count = steps->begins.size();
    const std::vector<Cut> cuts = search.cuts(*steps);
    if (!place(file, search.operations(), cuts, useful, found)) return std::nullopt;
    if (levels == StepLevels::two) found.within = iterations_within(file, search, *steps);
    return found;
}

}  // namespace tracefold
