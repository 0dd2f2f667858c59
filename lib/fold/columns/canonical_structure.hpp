// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/structure.hpp"

namespace tracefold {

/// Maximum number of variants of an alternative encoding of peers. One with more is not used: it
/// has a column for every rank, which would take most of the memory.
inline constexpr std::size_t kMostAlternatives = std::size_t{1} << 16U;

/// Numbers the content of one stream of a complete partial structure by content, independent of the
/// order of merging: scripts by their first participant, symbols by their first appearance in the
/// scripts, columns by a walk over all assignments. Participants become one class column per
/// assignment. Precondition: every location below location_count that has records is a participant
/// of exactly one script per stream. Cost: linear in the content plus locations x columns.
Structure canonical_structure(const PartialStructure& partial, Stream stream, u32 location_count);

/// Replaces nearly irregular folded columns by lists if these are shorter in a file: the context
/// model predicts a number from its predecessors better than a pattern item, whose meaning differs
/// between patterns. Keeps patterns shared by several columns or scripts, and columns of families.
/// Precondition: all columns are used. Cost: linear in the folded size.
void list_irregular_columns(Structure& structure);

}  // namespace tracefold
