// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace tracefold {

/// What the time on the way to many moments went to. A moment is reached from an earlier one, at a
/// cost; many moments have most of their way in common, which is kept once. Steps are written one
/// after the other, and now and then tidy() throws away those that lead to no moment any more, and
/// adds up those between two branches, so that memory follows the moments and the kinds of costs,
/// not the length of the ways. Cost of a step: constant, and its share of tidying.
class PathHistory {
  public:
    /// A moment; kNone is the beginning.
    using Ref = u32;

    struct Cost {
        u64 key = 0;  ///< what it is for
        i64 time = 0;
    };

    /// The moment that is a cost after `before`.
    Ref add(Ref before, const Cost& cost) {
        if (cost.time == 0) return before;
        steps_.push_back({cost, before});
        return static_cast<Ref>(steps_.size() - 1);
    }

    /// True if there is much to tidy up.
    [[nodiscard]] bool is_untidy() const { return steps_.size() >= tidy_at_; }
    /// Keeps these moments only, and gives them other numbers. Cost: the steps.
    void tidy(std::span<Ref* const> moments);

    /// Appends the costs of both ways since the last moment that they have in common. Cost: the
    /// steps since then.
    void since_common(Ref a, Ref b, std::vector<Cost>& of_a, std::vector<Cost>& of_b) const;

    /// All costs up to a moment, by rising key.
    [[nodiscard]] std::vector<Cost> costs(Ref moment) const;

    /// Steps that are kept.
    [[nodiscard]] std::size_t size() const { return steps_.size(); }

  private:
    static constexpr std::size_t kFewSteps = std::size_t{1} << 13U;

    struct Step {
        Cost cost;
        Ref before = kNone;  ///< an earlier one
    };
    enum class Use : u8 {
        none,
        passed,  ///< one way leads on, and no moment is here
        kept,    ///< as a moment, or as a branch
    };

    static void sum_up(std::vector<Cost>& costs);
    void note_uses(std::span<Ref* const> moments);

    std::vector<Step> steps_;
    std::size_t tidy_at_ = kFewSteps;
    // While tidying up.
    std::vector<Step> tidied_;
    std::vector<Use> uses_;     ///< by step
    std::vector<Ref> renamed_;  ///< by step that is kept
    std::vector<Cost> costs_;   ///< between two of these
};

}  // namespace tracefold
