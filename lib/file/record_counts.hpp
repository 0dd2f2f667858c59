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

/// How many event records of each type a structure holds, by EventType, counted in folded form.
/// Cost: symbols, plus locations x symbols with requests.
std::vector<u64> record_counts(const Structure& structure, ExecutionCounts& counts);

/// True if any location has a record of one of these types. Cost: the symbols.
bool records_any(const Structure& structure, std::initializer_list<EventType> types);

/// True if this location has. Cost: its symbols.
bool records_any(TraceFile& file, u32 location, std::initializer_list<EventType> types);

/// World rank of `peer`, a rank of a (global) communicator as the process with world rank `me` sees
/// it: of the remote group in an intercommunicator; of another paradigm than MPI, that of the
/// process that the peer belongs to. kNone for special ranks and whatever the
/// definitions do not tell. Cost: O(1), linear in the group for intercommunicators.
u32 world_peer(const DefinitionIndex& definitions, u64 communicator, u32 me, u64 peer);

/// The process of `peer`, a rank of a (global) communicator of MPI or of any other paradigm, as the
/// location sees it. kNone as above.
u32 peer_process(const DefinitionIndex& definitions, u64 communicator, u32 location, u64 peer);

}  // namespace tracefold
