// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/findings.hpp"
#include "pipeline/participant_names.hpp"

#include <map>

namespace tracefold {

/// The time steps of a program whose messages make a stencil: the iterations of a loop in every
/// nest that sends, equal for all locations, in each of which every rank sends often enough to
/// reach all its partners; of a loop within it no rank does, else that might be the steps as well.
/// `fewest_messages`: of every rank that sends, those to the partner to which it sends fewest.
std::optional<u64> find_time_steps(const std::vector<MainLoop>& loops,
                                   const std::map<u32, u64>& fewest_messages,
                                   const ParticipantNames& names);

/// The iterations of the innermost loops that send, if all nests agree.
std::optional<u64> common_exchanges(const std::vector<MainLoop>& loops);

}  // namespace tracefold
