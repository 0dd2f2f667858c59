// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/steps/loop_steps.hpp"

#include "base/parallel.hpp"
#include "fold/structure_index.hpp"
#include "mpi/main_loop.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kLeastIterations = 3;
/// Fewer iterations may be stretches of steps, as those between two checkpoints.
constexpr u64 kLeastSteps = 5;

/// By location: the node of a loop; kNone: it has none.
struct CommonLoops {
    std::vector<u32> nodes;
    u64 iterations = 0;
};

/// The main loops, or the loops nested in them at a depth; without iterations if the ranks do not
/// agree.
CommonLoops common_loops(const std::vector<MainLoop>& loops, ExecutionCounts& counts,
                         std::size_t locations, const Operations& all, std::size_t depth) {
    CommonLoops common{std::vector<u32>(locations, kNone)};
    std::vector<u64> iterations(locations);
    for (const MainLoop& loop : loops) {
        if (loop.nodes.size() <= depth) continue;
        for (const u32 location : loop.participants.members()) {
            common.nodes[location] = loop.nodes[depth];
            iterations[location] = counts.executions(location, loop.nodes[depth]);
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

/// The iterations of an inner loop as steps, if those of the outer one are stretches that begin
/// with as many of them and end with fewer calls than one has: these belong to the last step. Empty
/// if they are not.
LocationSteps steps_in_stretches(const LocationSteps& outer, const LocationSteps& inner) {
    const u64 each = outer.count() == 0 ? 0 : inner.count() / outer.count();
    if (each < kLeastIterations || inner.count() != each * outer.count()) return {};
    LocationSteps steps;
    for (u64 stretch = 0; stretch < outer.count(); ++stretch) {
        const LocationSteps::Calls whole = outer.calls(stretch);
        const LocationSteps::Calls first = inner.calls(stretch * each);
        u64 rest = whole.end - whole.first;
        for (u64 step = stretch * each; step < (stretch + 1) * each; ++step) {
            const LocationSteps::Calls own = inner.calls(step);
            if (own.first < whole.first || own.end > whole.end) return {};
            steps.begin(own.first);
            rest -= own.end - own.first;
        }
        if (first.first != whole.first || rest >= first.end - first.first) return {};
    }
    steps.end(outer.calls(outer.count() - 1).end);
    return steps;
}

/// So many steps of all ranks, if they have nearly all operations, and nothing crosses from one to
/// another. `steps_of`: those of a location; called by several threads.
std::optional<LoopSteps> place_loop_steps(std::size_t locations, const StepSearch& search,
                                          u64 count, u32 threads,
                                          const std::function<LocationSteps(u32)>& steps_of) {
    const Operations& all = search.operations();
    LoopSteps found;
    found.locations.resize(locations);
    found.cuts.assign(count + 1, Cut(all.ranks.size()));
    std::vector<u64> within(all.ranks.size());
    run_each(threads, all.ranks.size(), [&](std::size_t i) {
        const Operations::Rank& rank = all.ranks[i];
        if (rank.location == kNone || rank.operations.empty()) return;
        LocationSteps steps = steps_of(rank.location);
        if (steps.count() != count) return;
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

}  // namespace

std::optional<LoopSteps> find_loop_steps(TraceFile& file, const StepSearch& search, u32 threads) {
    const std::size_t locations = file.location_count();
    ExecutionCounts counts(file.index());
    const std::vector<MainLoop> loops = main_loops(file.structure(), counts);
    const auto common = [&](std::size_t depth) {
        return common_loops(loops, counts, locations, search.operations(), depth);
    };
    const CommonLoops outer = common(0);
    if (outer.iterations == 0) return std::nullopt;
    const auto of_outer = [&](u32 location) {
        return steps_of_loop(file, location, outer.nodes[location]);
    };
    const CommonLoops inner = outer.iterations < kLeastSteps ? common(1) : CommonLoops();
    if (inner.iterations != 0) {
        const auto in_stretches = [&](u32 location) {
            return steps_in_stretches(of_outer(location),
                                      steps_of_loop(file, location, inner.nodes[location]));
        };
        auto steps = place_loop_steps(locations, search, inner.iterations, threads, in_stretches);
        if (steps) return steps;
    }
    return place_loop_steps(locations, search, outer.iterations, threads, of_outer);
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
