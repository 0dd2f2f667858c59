// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/receive_clues.hpp"

#include "replay/check.hpp"
#include "replay/mpi_call_reader.hpp"

#include <algorithm>
#include <utility>

namespace tracefold::inline exporters {

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
        count_ += static_cast<u64>(std::ranges::count_if(
            clues.receives, [](const auto& receive) { return receive.envelope.comm != kNone; }));
        if (!clues.empty()) by_location_.emplace(clues.location, std::move(clues));
    }
}

const ReplayPatch* ReceiveClues::of(u32 location) const {
    const auto found = by_location_.find(location);
    return found == by_location_.end() ? nullptr : &found->second;
}

}  // namespace tracefold::inline exporters
