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

/// How much of a script is told.
struct ListingLimits {
    u64 depth = 0;         ///< levels of loops and regions; 0: all
    u64 width = 30;        ///< items of one body or region that is too wide; 0: all of any
    u64 wide = 60;         ///< items of one that is not yet too wide
    bool repeats = false;  ///< what was told before is told again, even in long listings
};

/// A script as an indented listing.
struct ScriptText {
    struct Line {
        std::string name;   ///< of the call, record or region; "loop"; empty where several are told
        std::string text;   ///< with its indentation
        std::string share;  ///< in the script's time; empty without times
    };

    std::string who;  ///< the participants
    u64 calls = 0;    ///< of all of them
    std::vector<Line> lines;
    u64 left_out = 0;  ///< items of bodies that were too wide
};

/// With the share of each line in the script's time if there are times. Of bodies that are too
/// wide, the items with most time are told, without times those with most calls.
ScriptText script_text(const ListedScript& script, const ParticipantNames& participants,
                       const std::optional<LineTimes>& times, const ListingLimits& limits,
                       const Console& console);

/// Scripts that were told in full, and others that need not be since they are much like one of
/// them: as of ranks at the border of a domain.
class AlikeScripts {
  public:
    void add(const ScriptText& told) { told_.push_back(told); }

    /// "as rank 0 but for 3 of 20 lines: MPI_Send, MPI_Recv"; nothing if less than half of the
    /// lines are those of any script that was added. Cost: see align(), for each of these.
    [[nodiscard]] std::optional<std::string> difference(const ScriptText& script) const;

  private:
    std::vector<ScriptText> told_;
};

}  // namespace tracefold
