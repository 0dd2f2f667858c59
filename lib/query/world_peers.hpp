// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"

namespace tracefold {

/// World rank of `peer`, a rank of a (global) communicator as the process with world rank `me` sees
/// it: of the remote group in an intercommunicator; of another paradigm than MPI, that of the
/// process that the peer belongs to. kNone for special ranks and whatever the
/// definitions do not tell. Cost: O(1), linear in the group for intercommunicators.
u32 world_peer(const DefinitionIndex& definitions, u64 communicator, u32 me, u64 peer);

/// The process of `peer`, a rank of a (global) communicator of MPI or of any other paradigm, as the
/// location sees it. kNone as above.
u32 peer_process(const DefinitionIndex& definitions, u64 communicator, u32 location, u64 peer);

}  // namespace tracefold
