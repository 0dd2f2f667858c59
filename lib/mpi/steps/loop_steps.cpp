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
/// Fewer iterations may be stretches of steps, as those between two checkpoints.
constexpr u64 kLeastSteps = 5;

/// By location: the node of a loop; kNone: it has none.
struct CommonLoops {
    std::vector<u32> nodes;
    u64 iterations = 0;
};

/// The main loops, or the loops nested in them at a depth; without iterations if the ranks do not
/// agree.
CommonLoops common_loops(TraceFile& file, const Operations& all, std::size_t depth) {
    ExecutionCounts counts(file.index());
    CommonLoops common{std::vector<u32>(file.location_count(), kNone)};
    std::vector<u64> iterations(file.location_count());
    for (const MainLoop& loop : main_loops(file.structure(), counts)) {
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

/// The iterations of an inner loop as steps, if those of the outer one are stretches of as many of
/// them, with fewer calls at the end of a stretch than in one iteration: these belong to the last
/// step. Nullopt if they are not.
std::optional<LocationSteps> steps_in_stretches(const LocationSteps& outer,
                                                const LocationSteps& inner) {
    const u64 each = inner.count() / outer.count();
    if (each < kLeastIterations || inner.count() != each * outer.count()) return std::nullopt;
    LocationSteps steps;
    for (u64 stretch = 0; stretch < outer.count(); ++stretch) {
        const LocationSteps::Calls whole = outer.calls(stretch);
        u64 between = whole.end - whole.first;
        for (u64 step = stretch * each; step < (stretch + 1) * each; ++step) {
            const LocationSteps::Calls own = inner.calls(step);
            if (own.first < whole.first || own.end > whole.end) return std::nullopt;
            steps.begin(own.first);
            between -= own.end - own.first;
        }
        const LocationSteps::Calls first = inner.calls(stretch * each);
        const bool ends_stretch = first.first == whole.first;
        if (!ends_stretch || between >= first.end - first.first) return std::nullopt;
    }
    steps.end(outer.calls(outer.count() - 1).end);
    return steps;
}

class LoopSearch {
  public:
    LoopSearch(TraceFile& file, const StepSearch& search, u32 threads)
        : file_(file), search_(search), all_(search.operations()), threads_(threads) {}

    [[nodiscard]] std::optional<LoopSteps> run() const {
        const CommonLoops outer = common_loops(file_, all_, 0);
        if (outer.iterations == 0) return std::nullopt;
        if (outer.iterations < kLeastSteps) {
            const CommonLoops inner = common_loops(file_, all_, 1);
            auto steps = inner.iterations == 0 ? std::nullopt : steps_of(outer, &inner);
            if (steps) return steps;
        }
        return steps_of(outer, nullptr);
    }

  private:
    [[nodiscard]] LocationSteps own_steps(u32 location, const CommonLoops& outer,
                                          const CommonLoops* inner) const {
        LocationSteps steps = steps_of_loop(file_, location, outer.nodes[location]);
        if (steps.count() != outer.iterations || inner == nullptr) return steps;
        return steps_in_stretches(steps, steps_of_loop(file_, location, inner->nodes[location]))
            .value_or(LocationSteps());
    }

    [[nodiscard]] std::optional<LoopSteps> steps_of(const CommonLoops& outer,
                                                    const CommonLoops* inner) const {
        const u64 count = inner == nullptr ? outer.iterations : inner->iterations;
        LoopSteps found;
        found.locations.resize(file_.location_count());
        found.cuts.assign(count + 1, Cut(all_.ranks.size()));
        std::vector<u64> within(all_.ranks.size());
        run_each(threads_, all_.ranks.size(), [&](std::size_t i) {
            const Operations::Rank& rank = all_.ranks[i];
            if (rank.location == kNone || rank.operations.empty()) return;
            LocationSteps steps = own_steps(rank.location, outer, inner);
            if (steps.count() != count) return;
            const std::vector<u32> places = places_of(rank, steps);
            for (std::size_t step = 0; step < places.size(); ++step) {
                found.cuts[step][i] = places[step];
            }
            within[i] = places.back() - places.front();
            found.locations[rank.location] = std::move(steps);
        });
        for (std::size_t i = 0; i < all_.ranks.size(); ++i) {
            if (!is_nearly_all(within[i], all_.ranks[i].operations.size())) return std::nullopt;
        }
        if (!search_.are_consistent(found.cuts)) return std::nullopt;
        return found;
    }

    TraceFile& file_;
    const StepSearch& search_;
    const Operations& all_;
    u32 threads_;
};

}  // namespace

std::optional<LoopSteps> find_loop_steps(TraceFile& file, const StepSearch& search, u32 threads) {
    return LoopSearch(file, search, threads).run();
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
