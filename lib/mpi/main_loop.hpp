// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "fold/structure_index.hpp"
#include "model/participants.hpp"
#include "model/structure.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Extremes of a number over locations.
struct Extremes {
    u64 least = ~u64{0};
    u64 most = 0;

    void add(u64 number) {
        least = number < least ? number : least;
        most = number > most ? number : most;
    }
    [[nodiscard]] bool agree() const { return least == most; }
    bool operator==(const Extremes&) const = default;
};

/// The loop in which the locations of a script make most of their calls, followed by the nested
/// loops that hold nearly all of its calls, outermost first.
struct MainLoop {
    std::vector<u32> nodes;  ///< of each loop, in the script's pattern
    ParticipantList participants;
    std::vector<Extremes> iterations;  ///< of each loop, over a location's whole run
    double share = 0;                  ///< of the calls
    std::vector<u32> symbols;          ///< executed only in this loop, ascending
};

/// The main loop of a script for some participants, if any. Cost: nodes x participants.
std::optional<MainLoop> find_main_loop(const Structure& structure, ExecutionCounts& counts,
                                       u32 script, const ParticipantList& participants);

/// The main loops of all participants, by script; scripts without loops are omitted.
std::vector<MainLoop> main_loops(const Structure& structure, ExecutionCounts& counts);

}  // namespace tracefold
