// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/walk_request.hpp"
#include "prediction/walk_result.hpp"

namespace tracefold {

/// Walks the operations of all ranks forward, each as soon as what it needs is there. Messages and
/// their receives go together as they were recorded. The survey must be that of the file; the tree
/// gets its call paths. Throws Error: corrupt; unsupported if ranks wait for each other because
/// large messages wait for their receives. Cost: two readings of all records, and for each message
/// the scenarios. Memory: what is outstanding.
WalkResult walk_timing(TraceFile& file, const CommunicationSurvey& survey,
                       const WalkRequest& request, CallTree& tree);

}  // namespace tracefold
