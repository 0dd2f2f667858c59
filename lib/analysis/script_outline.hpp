// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "query/execution_counts.hpp"

#include <map>
#include <optional>
#include <vector>

namespace tracefold {

/// What a location executes, in order, with what repeats walked through once or twice.
struct ScriptOutline {
    struct Run {
        u32 leaf = 0;
        u64 count = 0;
        u64 times = 1;  ///< more: what was not walked through is counted here
    };
    /// An item of the root's body.
    struct Part {
        u32 node = 0;
        u64 iterations = 0;  ///< of a loop
        std::size_t begin = 0;
        std::size_t end = 0;              ///< of its runs
        std::vector<std::size_t> starts;  ///< of the iterations that were walked through
        /// Of the loops within, by their number: the least weight of an iteration.
        std::map<u32, u64> inner;
        /// All iterations but the first and the last weigh the same.
        bool even = true;

        /// Runs of the iteration before the last, which stand for no other iterations.
        [[nodiscard]] std::size_t middle() const {
            return starts.size() < 2 ? begin : starts[starts.size() - 2];
        }
        [[nodiscard]] std::size_t last() const { return starts.empty() ? end : starts.back(); }
    };

    /// By leaf, of the runs from `begin` on, before `end`.
    [[nodiscard]] std::vector<u64> executions(std::size_t begin, std::size_t end) const;

    u32 leaves = 0;
    std::vector<Run> runs;
    std::vector<Part> parts;
};

/// `numbers` by leaf, as much as each of them weighs.
u64 weigh(const std::vector<u64>& numbers, const std::vector<u64>& weights);

/// `weights`: by leaf, of one execution. Nothing if there are too many runs that do not repeat.
/// Cost: the folded size where counts repeat, else the number of runs. Throws Error(corrupt).
std::optional<ScriptOutline> outline_script(StructureIndex& index, ExecutionCounts& counts,
                                            u32 location, const std::vector<u64>& weights);

}  // namespace tracefold
