// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/collective_kind.hpp"
#include "replay/collective_instances.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Whom the members of a collective operation need to have begun before they can end.
enum class CollectiveNeed : u8 {
    everybody,  ///< all need all
    root,       ///< all need the root: broadcast, scatter
    members,    ///< the root needs all: reduction, gather
    lower,      ///< all need those of lower rank: scan
};

CollectiveNeed collective_need(CollectiveKind kind);

/// Whoever moves no data needs nobody, but in a barrier and where communicators are made.
bool needs_others(const CollectiveInstances::Instance& instance);

/// When each member of a collective operation has what it needs from the others, if data travels in
/// no time: `arrivals` are in the order of the communicator; `root` is a place among them, kNone if
/// there is none, and then everybody waits for everybody.
std::vector<u64> ready_times(CollectiveNeed need, std::span<const u64> arrivals, u32 root);

}  // namespace tracefold
