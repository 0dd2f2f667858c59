// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/rank_walk.hpp"

namespace tracefold {

RankWalk::RankWalk(TraceFile& file, const TraceClocks& clocks, const ReceiveClues& clues, u32 rank)
    : has_times_(file.summary().timing != TimingLevel::none) {
    for (const u32 location : mpi_locations(file, rank)) {
        Thread& thread =
            threads_.emplace_back(Thread{static_cast<u32>(threads_.size()), location,
                                         clocks.of(location), RankProgram(file, location)});
        if (const ReplayPatch* known = clues.of(location)) thread.program.infer(known);
    }
    for (Thread& thread : threads_) thread.at_end = !thread.program.next(thread.call);
}

const RankWalk::Thread* RankWalk::next() {
    if (last_ != nullptr) last_->at_end = !last_->program.next(last_->call);
    last_ = nullptr;
    u64 earliest = 0;
    for (Thread& thread : threads_) {
        if (thread.at_end) continue;
        // Without times, or other threads, the first one that has calls left is next.
        const bool in_order = has_times_ && threads_.size() > 1;
        const u64 begin = in_order ? thread.clock.at(thread.call.begin) : 0;
        if (last_ != nullptr && begin >= earliest) continue;
        last_ = &thread;
        earliest = begin;
    }
    return last_;
}

}  // namespace tracefold
