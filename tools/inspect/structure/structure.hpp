// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "model/participant_names.hpp"
#include "questions/structure/structure_document.hpp"
#include "questions/structure/structure_listing.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// Limits of a listing.
struct ListingLimits {
    u64 depth = 0;         ///< levels of loops and regions; 0: all
    u64 width = 30;        ///< shown items of a body or region that is too wide; 0: all
    u64 wide = 60;         ///< items above which a body or region is too wide
    bool repeats = false;  ///< repeats earlier parts in full, even in long listings
};

/// A script as an indented listing.
struct ScriptText {
    struct Line {
        std::string name;   ///< of the call, record or region; "loop"; empty for several
        std::string text;   ///< with its indentation
        std::string share;  ///< of the script's time; empty without times
        double ticks = 0;   ///< of all participants; 0 without times
    };

    std::string who;   ///< participants
    u64 calls = 0;     ///< over all participants
    double ticks = 0;  ///< over all participants; 0 without times
    std::vector<Line> lines;
    u64 left_out = 0;  ///< omitted items of wide bodies
};

/// Formats a script, with each line's share of its time if there are times. Of wide bodies, shows
/// the items with most time, without times with most calls.
ScriptText script_text(const ListedScript& script, const ParticipantNames& participants,
                       const std::optional<LineTimes>& times, const ListingLimits& limits,
                       const Console& console);

/// Scripts shown in full, to abbreviate similar ones, e.g. of ranks at a domain's border.
class AlikeScripts {
  public:
    void add(const ScriptText& told) { told_.push_back(told); }

    /// "as rank 0 but for 3 of 20 lines: MPI_Send, MPI_Recv"; none if less than half of the lines
    /// match any added script. Cost: align() with each of them.
    [[nodiscard]] std::optional<std::string> difference(const ScriptText& script) const;

  private:
    std::vector<ScriptText> told_;
};

}  // namespace tracefold
