// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/partial_structure.hpp"

namespace tracefold {

/// Numbers the content of one stream of a complete partial structure by what it is, not by how it
/// was united: scripts by their first participant, symbols by their first appearance in the
/// scripts, columns by a walk over all assignments. Participants become one class column per
/// assignment. Precondition: every location below location_count that has records is a participant
/// of exactly one script per stream. Cost: linear in the content plus locations x columns.
Structure canonical_structure(const PartialStructure& partial, Stream stream, u32 location_count);

}  // namespace tracefold
