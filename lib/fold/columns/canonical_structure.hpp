// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/structure.hpp"

namespace tracefold {

/// Numbers the content of one stream of a complete partial structure by what it is, not by how it
/// was united: scripts by their first participant, symbols by their first appearance in the
/// scripts, columns by a walk over all assignments. Participants become one class column per
/// assignment. Precondition: every location below location_count that has records is a participant
/// of exactly one script per stream. Cost: linear in the content plus locations x columns.
Structure canonical_structure(const PartialStructure& partial, Stream stream, u32 location_count);

/// Replaces folded columns that hardly repeat anything by lists, where these take less in a file: a
/// model predicts a number from those before it better than an item of a pattern, which stands for
/// something else in each pattern. Patterns that several columns or scripts share stay, and so do
/// columns of families. Precondition: all columns are used. Cost: linear in the folded size.
void list_irregular_columns(Structure& structure);

}  // namespace tracefold
