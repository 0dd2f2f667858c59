// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/findings.hpp"

namespace tracefold {

/// The main loop of a script of events for some of its participants; nothing if the script has no
/// loop. Cost: nodes x participants.
std::optional<MainLoop> find_main_loop(ListingSource& source, u32 script,
                                       const ParticipantList& participants);

}  // namespace tracefold
