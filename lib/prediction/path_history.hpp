// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// What the time on the way to many moments went to. A moment is reached from an earlier one, at
/// certain costs; many moments have most of their way in common, which is kept once. Where a way
/// has no branch any more, its parts become one, so that memory follows the moments that are held
/// and the kinds of costs, not the length of the ways. Cost of an operation: constant but for the
/// costs that come with it, each of which is moved a logarithmic number of times.
class PathHistory {
  public:
    /// A moment; kNone is the beginning.
    using Ref = u32;

    struct Cost {
        u64 key = 0;  ///< what it is for
        i64 time = 0;
    };

    /// The moment that is `costs` after `base`, whose holder holds it in place of `base`.
    Ref extend(Ref base, std::span<const Cost> costs);
    /// One more holds the moment.
    void hold(Ref moment) {
        if (moment != kNone) ++nodes_[moment].holders;
    }
    /// One fewer holds it.
    void release(Ref moment);

    /// Appends the costs of both ways since the last moment that they have in common. Cost: the
    /// parts of ways since then.
    void since_common(Ref a, Ref b, std::vector<Cost>& of_a, std::vector<Cost>& of_b) const;

    /// All costs up to a moment, by rising key.
    [[nodiscard]] std::vector<Cost> costs(Ref moment) const;

    /// Parts of ways that are kept.
    [[nodiscard]] std::size_t size() const { return live_; }

  private:
    struct Node {
        Ref before = kNone;
        u32 holders = 0;  ///< moments and nodes
        u64 depth = 0;    ///< above that of `before`
        std::size_t summed = 0;
        std::vector<Cost> costs;
    };

    [[nodiscard]] u64 depth_of(Ref node) const { return node == kNone ? 0 : nodes_[node].depth; }
    void step_back(Ref& node, std::vector<Cost>& costs) const;
    static void sum_up(std::vector<Cost>& costs);
    static void append(Node& node, std::span<const Cost> costs);
    void free(Ref node);
    void join_unbranched();

    std::vector<Node> nodes_;
    std::vector<Ref> free_;
    std::size_t live_ = 0;
    std::size_t join_at_ = 1024;
};

}  // namespace tracefold
