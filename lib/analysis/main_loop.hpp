// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/findings.hpp"

namespace tracefold {

/// The main loop of a script of events for some of its participants; nothing if the script has no
/// loop. Cost: nodes x participants.
std::optional<MainLoop> find_main_loop(ListingSource& source, u32 script,
                                       const ParticipantList& participants);

/// An outermost loop of a script. `number`: its place among them, from 1; 0: the main loop of all
/// participants. kNone if there is no such loop.
u32 chosen_loop(ListingSource& source, u32 script, u32 number);

}  // namespace tracefold
