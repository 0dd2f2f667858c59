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

/// The durations of any number of locations, by the content of the call symbols they belong to: a
/// TimingModel whose symbols are addresses. Uniting is commutative and associative, so the shape of
/// a reduction tree does not matter. Memory: distinct edges, times locations where means differ.
class TimingStore {
  public:
    /// Precondition: no location is in both.
    void merge(const PartialTimings& other);

    /// The content in transferable form.
    [[nodiscard]] PartialTimings partial() const;

    /// The model in the symbol numbers of the structure. Precondition: it has all symbols.
    [[nodiscard]] TimingModel finish(const Structure& structure) const;

  private:
    struct NodeContent {
        Durations durations;
        std::vector<TimingModel::Step> steps;
    };

    std::map<ContentHash, NodeContent> nodes_;
    std::map<std::pair<ContentHash, ContentHash>, Durations> edges_;  ///< by to, from
};

/// The addresses of symbols.
std::vector<ContentHash> symbol_addresses(const std::vector<Symbol>& symbols);

/// Folds the means of single locations over the ranks, next to the structure's columns: where ranks
/// differ in time as they differ in what they do, their means need little more than their values.
/// Precondition: the structure is one that refold_families() gave. Cost: linear in the structure,
/// and in the locations for each set of durations.
FoldedDurations fold_means(TimingModel model, const Structure& structure);

/// The inverse. `limit` bounds the runs of equal means. Throws Error(corrupt) for columns that hold
/// no means, or more.
TimingModel unfold_means(FoldedDurations folded, u32 location_count, u64 limit);

}  // namespace tracefold
