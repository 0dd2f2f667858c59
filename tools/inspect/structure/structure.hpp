// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/line_times.hpp"
#include "analysis/structure_document.hpp"
#include "analysis/structure_listing.hpp"
#include "common/console.hpp"
#include "names/participant_names.hpp"

#include <optional>

namespace tracefold {

/// How much of a script is printed.
struct ListingLimits {
    u64 depth = 0;         ///< levels of loops and regions; 0: all
    u64 width = 30;        ///< items of one body or region that is too wide; 0: all of any
    u64 wide = 60;         ///< items of one that is not yet too wide
    bool repeats = false;  ///< what was printed before is printed again, even in long listings
};

struct ListingSize {
    u64 lines = 0;
    u64 left_out = 0;  ///< items of bodies that were too wide
};

/// Prints a script as an indented listing, with the share of each line in the script's time if
/// there are times. Of bodies that are too wide, the items with most time are shown, without times
/// those with most calls.
ListingSize print_script(const ListedScript& script, const ParticipantNames& participants,
                         const std::optional<LineTimes>& times, const ListingLimits& limits,
                         Console& console);

}  // namespace tracefold
