// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/communicator_history.hpp"
#include "replay/replay_patch.hpp"

#include <vector>

namespace tracefold {

/// Which calls without a record made and freed which communicators, and which communicators are in
/// use though no call made them. Histories are those of all ranks;
/// `first_locations` are those that MPI was initialised on. By rising location; those that nothing
/// was inferred for are left out. Memory: linear in these calls and in the communicators.
std::vector<ReplayPatch> infer_communicators(const std::vector<CommunicatorHistory>& histories,
                                             const std::vector<u32>& first_locations);

/// The same of a file. Cost: a walk through all calls. Throws Error(corrupt).
std::vector<ReplayPatch> infer_communicators(TraceFile& file, const FileTable& files,
                                             const std::vector<CommunicatorTable>& tables);

}  // namespace tracefold
