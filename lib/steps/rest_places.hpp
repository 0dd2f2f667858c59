// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "steps/operations.hpp"

#include <vector>

namespace tracefold {

/// Where the ranks are at rest: before their first operation, behind those that say so, and behind
/// their last one. Memory: a bit per operation, so that walks that go from one such place to
/// another do not read the operations themselves.
class RestPlaces {
  public:
    RestPlaces() = default;
    /// Later changes of `all` are not noticed. Cost: linear in the operations, which `threads`
    /// share out.
    explicit RestPlaces(const Operations& all, u32 threads = 1);

    [[nodiscard]] u32 ranks() const { return static_cast<u32>(ranks_.size()); }
    /// The number of operations of a rank.
    [[nodiscard]] u32 operations(u32 rank) const { return ranks_[rank].operations; }
    /// The same of all ranks.
    [[nodiscard]] u64 operations() const;
    /// The first one that is not before `place`, which is at most the number of operations.
    [[nodiscard]] u32 from(u32 rank, u32 place) const;
    /// The last one that is not behind `place`.
    [[nodiscard]] u32 up_to(u32 rank, u32 place) const;

  private:
    struct Rank {
        u32 operations = 0;
        std::vector<u64> bits;  ///< one per place
    };

    static Rank read(const std::vector<Operation>& operations);

    std::vector<Rank> ranks_;
};

}  // namespace tracefold
