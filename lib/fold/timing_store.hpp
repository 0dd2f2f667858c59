// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "model/structure.hpp"
#include "model/timing_model.hpp"

#include <map>
#include <utility>
#include <vector>

namespace tracefold {

/// The durations of any number of locations, by the content of the call symbols: a TimingModel
/// whose symbols are addresses. Merging is commutative and associative, so the shape of a reduction
/// tree does not matter. Memory: distinct edges, times locations where means differ.
class TimingStore {
  public:
    /// Precondition: no location is in both.
    void merge(const PartialTimings& other);

    /// The content in serialisable form.
    [[nodiscard]] PartialTimings partial() const;

    /// The model with the symbol numbers of the structure, which must have all symbols.
    [[nodiscard]] TimingModel finish(const Structure& structure) const;

  private:
    struct NodeContent {
        Durations durations;
        std::vector<TimingModel::Step> steps;
    };

    std::map<ContentHash, NodeContent> nodes_;
    std::map<std::pair<ContentHash, ContentHash>, Durations> edges_;  ///< by to, from
};

std::vector<ContentHash> symbol_addresses(const std::vector<Symbol>& symbols);

/// Folds the means of single locations over the ranks, reusing the structure's columns: where time
/// varies over ranks like the calls do, means need little more than their values. Precondition: the
/// structure is a result of refold_families(). Cost: linear in the structure, and in the locations
/// for each set of durations.
FoldedDurations fold_means(TimingModel model, const Structure& structure);

/// The inverse of fold_means(). `limit` bounds the runs of equal means. Throws Error(corrupt) for
/// invalid columns or too many runs.
TimingModel unfold_means(FoldedDurations folded, u32 location_count, u64 limit);

}  // namespace tracefold
