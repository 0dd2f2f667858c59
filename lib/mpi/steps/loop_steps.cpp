// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/steps/loop_steps.hpp"

#include "base/parallel.hpp"
#include "fold/structure_index.hpp"
#include "mpi/main_loop.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kLeastIterations = 3;

/// By location: the node of its main loop; kNone: it has none.
struct CommonLoops {
    std::vector<u32> nodes;
    u64 iterations = 0;
};

/// Without iterations if the ranks do not agree.
CommonLoops common_loops(TraceFile& file, const Operations& all) {
    ExecutionCounts counts(file.index());
    CommonLoops common{std::vector<u32>(file.location_count(), kNone)};
    std::vector<u64> iterations(file.location_count());
    for (const MainLoop& loop : main_loops(file.structure(), counts)) {
        for (const u32 location : loop.participants.members()) {
            common.nodes[location] = loop.node;
            iterations[location] = counts.executions(location, loop.node);
        }
    }
    for (const Operations::Rank& rank : all.ranks) {
        if (rank.location == kNone || rank.operations.empty()) continue;
        const u64 own = iterations[rank.location];
        if (own < kLeastIterations || (common.iterations != 0 && common.iterations != own)) {
            return {};
        }
        common.iterations = own;
    }
    return common;
}

/// Completions and receives may be spread in another way in each step.
bool is_started(const Operation& one) {
    return one.kind != Operation::Kind::receive && one.kind != Operation::Kind::completion;
}

/// The places of a rank's operations at which steps begin, and the end of the last one.
std::vector<u32> places_of(const Operations::Rank& rank, const LocationSteps& steps) {
    const auto place = [&](u64 call) {
        const auto found = std::ranges::lower_bound(rank.operations, call, {}, &Operation::call);
        return static_cast<u32>(found - rank.operations.begin());
    };
    std::vector<u32> places;
    for (u64 step = 0; step < steps.count(); ++step) {
        places.push_back(place(steps.calls(step).first));
    }
    places.push_back(place(steps.calls(steps.count() - 1).end));
    return places;
}

}  // namespace

std::optional<LoopSteps> find_loop_steps(TraceFile& file, const StepSearch& search, u32 threads) {
    const Operations& all = search.operations();
    const CommonLoops common = common_loops(file, all);
    if (common.iterations == 0) return std::nullopt;
    LoopSteps found;
    found.locations.resize(file.location_count());
    found.cuts.assign(common.iterations + 1, Cut(all.ranks.size()));
    std::vector<u64> within(all.ranks.size());
    run_each(threads, all.ranks.size(), [&](std::size_t i) {
        const Operations::Rank& rank = all.ranks[i];
        if (rank.location == kNone || rank.operations.empty()) return;
        LocationSteps steps = steps_of_loop(file, rank.location, common.nodes[rank.location]);
        if (steps.count() != common.iterations) return;
        const std::vector<u32> places = places_of(rank, steps);
        for (std::size_t step = 0; step < places.size(); ++step) found.cuts[step][i] = places[step];
        within[i] = places.back() - places.front();
        found.locations[rank.location] = std::move(steps);
    });
    for (std::size_t i = 0; i < all.ranks.size(); ++i) {
        if (!is_nearly_all(within[i], all.ranks[i].operations.size())) return std::nullopt;
    }
    if (!search.are_consistent(found.cuts)) return std::nullopt;
    return found;
}

bool are_regular(const Operations& all, const std::vector<Cut>& cuts) {
    u64 usual = 0;
    u64 steps = 0;
    for (std::size_t rank = 0; rank < all.ranks.size(); ++rank) {
        const std::vector<Operation>& operations = all.ranks[rank].operations;
        std::vector<u64> numbers;
        for (std::size_t step = 1; step < cuts.size(); ++step) {
            const auto within =
                std::span(operations)
                    .subspan(cuts[step - 1][rank], cuts[step][rank] - cuts[step - 1][rank]);
            numbers.push_back(static_cast<u64>(std::ranges::count_if(within, is_started)));
        }
        const u64 median = UsualNumber(numbers).median();
        usual += static_cast<u64>(std::ranges::count(numbers, median));
        steps += numbers.size();
    }
    return usual * 4 >= steps * 3;
}

}  // namespace tracefold
