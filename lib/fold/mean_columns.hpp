// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/timing_model.hpp"

namespace tracefold {

/// Folds the means of single locations over the ranks, next to the structure's columns: where ranks
/// differ in time as they differ in what they do, their means need little more than their values.
/// Precondition: the structure is one that refold_families() gave. Cost: linear in the structure,
/// and in the locations for each set of durations.
FoldedDurations fold_means(TimingModel model, const Structure& structure);

/// The inverse. `limit` bounds the runs of equal means. Throws Error(corrupt) for columns that hold
/// no means, or more.
TimingModel unfold_means(FoldedDurations folded, u32 location_count, u64 limit);

}  // namespace tracefold
