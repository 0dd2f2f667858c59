// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/walk_result.hpp"

#include "core/error.hpp"
#include "prediction/network.hpp"

#include <algorithm>

namespace tracefold {

namespace {

void add_up(const UnmodelledByKind& of_rank, UnmodelledByKind& all) {
    for (const auto& [kind, calls] : of_rank) {
        all[kind].calls += calls.calls;
        all[kind].seconds += calls.seconds;
    }
}

void add_programs(std::span<RankOperations* const> programs, TickRate rate, WalkResult& result) {
    u64 begin = ~u64{0};
    u64 end = 0;
    for (RankOperations* const program : programs) {
        begin = std::min(begin, program->recorded_begin());
        end = std::max(end, program->recorded_end());
        result.calls += program->calls();
        add_up(program->unmodelled(), result.unmodelled);
        add_up(program->held_order(), result.held_order);
    }
    result.recorded_seconds = rate.seconds(elapsed(begin, end));
}

/// Of those that end at the same time, the lowest rank is named.
void find_ends(const ScenarioClocks& clocks, u32 ranks, std::vector<WalkResult::End>& ends) {
    ends.resize(clocks.clocks(0).size());
    for (u32 rank = 0; rank < ranks; ++rank) {
        const std::span<const Clock> own = clocks.clocks(rank);
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (own[i].time > ends[i].clock.time) ends[i].rank = rank;
            ends[i].clock = later(ends[i].clock, own[i]);
        }
    }
    if (std::ranges::all_of(ends, [](const auto& end) { return end.clock.time >= 0; })) return;
    throw Error(ErrorKind::unsupported,
                "the run would take longer than 100 days; choose a faster network");
}

}  // namespace

WalkResult walk_result(std::span<RankOperations* const> programs, TickRate rate,
                       ScenarioClocks& clocks) {
    WalkResult result;
    add_programs(programs, rate, result);
    find_ends(clocks, static_cast<u32>(programs.size()), result.ends);
    result.path = clocks.path(result.ends[0].rank);
    result.delays = clocks.delays().costs();
    result.waited = clocks.delays().waited();
    return result;
}

void refuse_stuck_ranks(std::span<const StuckRank> stuck, u64 rendezvous) {
    if (rendezvous == Network::kNever) {
        throw Error(ErrorKind::corrupt, "rank {} waits for a message that nobody sends",
                    stuck.front().rank);
    }
    const auto threaded = std::ranges::find_if(stuck, &StuckRank::has_threads);
    if (threaded != stuck.end()) {
        throw Error(ErrorKind::unsupported,
                    "rank {} would wait for ever: several of its threads call MPI, and the "
                    "model makes their calls one after the other, so that a message of more "
                    "than {} B may wait for a receive of another thread that comes later; "
                    "predict without --rendezvous, or with a larger one",
                    threaded->rank, rendezvous);
    }
    throw Error(ErrorKind::unsupported,
                "rank {} waits for ever: ranks send to each other before they receive, which "
                "goes well only where messages of more than {} B do not wait for their "
                "receives; choose another --rendezvous",
                stuck.front().rank, rendezvous);
}

}  // namespace tracefold
