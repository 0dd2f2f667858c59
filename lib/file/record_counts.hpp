// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "fold/structure_index.hpp"
#include "model/definition_index.hpp"
#include "model/event_table.hpp"

#include <initializer_list>
#include <vector>

namespace tracefold {

/// Counts the event records of a structure by EventType, in folded form. Cost: symbols, plus
/// some nanoseconds per location and symbol with requests.
std::vector<u64> record_counts(const Structure& structure, ExecutionCounts& counts);

/// True if any location has a record of one of these types. Cost: the symbols.
bool records_any(const Structure& structure, std::initializer_list<EventType> types);

/// True if this location has such a record. Cost: its symbols.
bool records_any(TraceFile& file, u32 location, std::initializer_list<EventType> types);

/// Returns the world rank of `peer`, a rank of a (global) communicator, for the process with world
/// rank `me`: of the remote group in an intercommunicator; for another paradigm than MPI, the rank
/// of the peer's process. kNone for special ranks and if the definitions do not tell. Cost: O(1),
/// linear in the group for intercommunicators.
u32 world_peer(const DefinitionIndex& definitions, u64 communicator, u32 me, u64 peer);

/// Returns the process of `peer`, a rank of a (global) communicator of any paradigm, for the
/// location. kNone as in world_peer().
u32 peer_process(const DefinitionIndex& definitions, u64 communicator, u32 location, u64 peer);

}  // namespace tracefold
