// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/findings.hpp"
#include "analysis/main_phase.hpp"
#include "names/participant_names.hpp"

#include <map>

namespace tracefold {

/// What every rank that sends sends.
struct SentMessages {
    u64 partners = 0;
    u64 fewest = 0;  ///< messages to the partner to which it sends fewest
};

/// The time steps of a program whose messages make a stencil: the iterations of a loop in every
/// nest that sends, equal for all locations, in each of which every rank sends often enough to
/// reach all its partners; of a loop within it no rank does, else that might be the steps as well.
std::optional<u64> find_stencil_steps(const std::vector<MainLoop>& loops,
                                      const std::map<u32, SentMessages>& sent,
                                      const ParticipantNames& names);

/// Of all locations that transfer something; nothing if one of them has no main phase.
std::vector<MainPhase> find_main_phases(MainPhaseFinder& finder, u32 locations,
                                        const std::map<u32, SentMessages>& sent,
                                        const ParticipantNames& names);

/// The steps of a stencil, if there are any, else what the main phases have in common. Iterations
/// that come back to the same messages only after a few of them are one step together.
std::optional<TimeSteps> choose_steps(const std::optional<u64>& of_stencil,
                                      const std::vector<MainPhase>& phases);

/// The iterations of the innermost loops that send, if all nests agree.
std::optional<u64> common_exchanges(const std::vector<MainLoop>& loops);

}  // namespace tracefold
