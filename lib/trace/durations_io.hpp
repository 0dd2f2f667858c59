// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/timing_store.hpp"
#include "format/container.hpp"

namespace tracefold::inline trace {

/// The durations section for these locations. Precondition: the structure has all their symbols.
StoredSection pack_timings(const TimingStore& timings, const Structure& structure,
                           const Packing& packing);

/// The durations of a file with this structure, whose families are not unfolded yet. Throws
/// Error(corrupt).
FoldedDurations read_folded_durations(const ContainerReader& file, const Structure& structure);

}  // namespace tracefold::inline trace
