// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/rank_walk.hpp"

#include "replay/check.hpp"

#include <utility>

namespace tracefold {

ReceiveClues::ReceiveClues(TraceFile& file, u32 threads) {
    if (!has_matched_receives(file) && !calls_mpi_from_threads(file) &&
        !may_lack_collectives(file)) {
        return;
    }
    for (ReplayPatch& found : check_replay(file, threads).patches) {
        ReplayPatch clues;
        clues.location = found.location;
        clues.renames = std::move(found.renames);
        clues.receives = std::move(found.receives);
        clues.unposted = std::move(found.unposted);
        clues.collectives = std::move(found.collectives);
        if (!clues.empty()) by_location_.emplace(clues.location, std::move(clues));
    }
}

const ReplayPatch* ReceiveClues::of(u32 location) const {
    const auto found = by_location_.find(location);
    return found == by_location_.end() ? nullptr : &found->second;
}

RankWalk::RankWalk(TraceFile& file, const TraceClocks& clocks, const ReceiveClues& clues, u32 rank)
    : has_times_(file.summary().timing != TimingLevel::none) {
    for (const u32 location : mpi_locations(file, rank)) {
        const auto number = static_cast<u32>(threads_.size());
        threads_.push_back(
            {{number, location, MpiCallReader(file, location)}, clocks.of(location)});
        if (const ReplayPatch* known = clues.of(location)) threads_.back().reader.infer(known);
    }
    for (Thread& thread : threads_) thread.read();
}

const RankWalk::Thread* RankWalk::next() {
    if (last_ != nullptr) last_->read();
    // Without times, or other threads, the first one that has calls left is next.
    const bool in_order = has_times_ && threads_.size() > 1;
    last_ = next_thread(threads_, [in_order](const Thread& thread) {
        return in_order ? thread.clock.at(thread.call.begin) : 0;
    });
    return last_;
}

}  // namespace tracefold
