// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/hash.hpp"
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

}  // namespace tracefold
