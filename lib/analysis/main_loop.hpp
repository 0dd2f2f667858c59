// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/findings.hpp"

#include <map>

namespace tracefold {

/// The main loop of a script of events for some of its participants; nothing if the script has no
/// loop. Cost: nodes x participants.
std::optional<MainLoop> find_main_loop(ListingSource& source, u32 script,
                                       const ParticipantList& participants);

/// One outermost loop of every script, for all that run it. The source must outlive this object.
class ChosenLoops {
  public:
    /// `number`: the loop's place among the outermost loops of a script, from 1; 0: the main loop.
    explicit ChosenLoops(ListingSource& source, u32 number = 0)
        : source_(source), number_(number) {}

    /// The node of the loop in a location's script; kNone if the script has no such loop or the
    /// location no events. Cost: that of find_main_loop(), once per script.
    u32 of(u32 location);

    /// Iterations in all of a location's run; 0 without the loop.
    u64 iterations(u32 location);

  private:
    [[nodiscard]] u32 find(u32 script);

    ListingSource& source_;
    u32 number_;
    std::map<u32, u32> known_;  ///< by script
};

}  // namespace tracefold
