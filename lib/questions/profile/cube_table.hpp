// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/profile/cube_profile.hpp"
#include "questions/profile/trace_profile.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tracefold {

/// Removes metrics without values that can be shown: derived ones, and those of unknown types.
/// Returns a sentence for each.
std::vector<std::string> remove_unsupported(CubeProfile& profile);

struct CubeTableRequest {
    std::function<bool(u64 rank)> selects = {};  ///< processes; empty: all
    ProfileGroups by = ProfileGroups::none;
    u32 group_depth = kNone;
};

/// All metrics, as columns of a profile. Precondition: remove_unsupported(). Throws
/// Error(unsupported) if metrics times call paths or locations are more than 16 million. Cost: for
/// every call path the numbers of all metrics and locations. Memory: figures per call path and
/// metric; rows for the depth of the call tree.
TraceProfile cube_table(const CubeProfile& profile, const CubeTableRequest& request);

}  // namespace tracefold
