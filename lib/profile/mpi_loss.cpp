// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/mpi_loss.hpp"

#include "profile/thread_states.hpp"
#include "profile/time_sweep.hpp"

#include <algorithm>

namespace tracefold::inline profile {

u64 mpi_loss(TraceFile& file, const ProcessSpan& process) {
    CallTree tree;
    TraceThreads threads(file);
    TimeSweep<ThreadStates> sweep;
    for (const u32 location : process.locations) {
        sweep.add(file, location, location == process.locations.front(), tree, threads);
    }
    u64 last = process.begin;
    u64 lost = 0;
    i64 in_mpi = 0;
    i64 waiting = 0;
    const auto until = [&](u64 time) {
        const u64 end = std::min(time, process.end);
        if (end <= last) return;
        if (in_mpi > 0) lost += (end - last) * static_cast<u64>(in_mpi + waiting);
        last = end;
    };
    sweep.run(until, [&](const ThreadStates::State& state, int change) {
        if (state.mpi) {
            in_mpi += change;
        } else if (state.use != ThreadUse::work && !is_of_device(state.use)) {
            waiting += change;
        }
    });
    until(process.end);
    return lost;
}

}  // namespace tracefold::inline profile
