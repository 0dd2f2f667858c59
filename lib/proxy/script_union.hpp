// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/structure.hpp"

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

/// A body of a pattern: 0 is the root, 1 + k the body of loop k.
using BodyId = u32;
const std::vector<u32>& body_of(const Pattern& pattern, BodyId body);

/// Where the items of a script are in a union of scripts: for a body of the script that stands for
/// one of the union, the item of the script's body for each item of the other, or kNone.
using ScriptPlaces = std::map<std::pair<BodyId, BodyId>, std::vector<u32>>;

/// Several scripts as one, in which every item of each has its place, in the same order: ranks that
/// have no counterpart of an item pass it over. Leaves are the same numbers in all.
class ScriptUnion {
  public:
    explicit ScriptUnion(Pattern first);

    /// Leaves that the script has in common with the union, as a part of all of both: 1 if it is
    /// the same, 0 if nothing is alike or it would take too long to tell. Cost: the product of the
    /// lengths of their bodies, up to a limit.
    [[nodiscard]] double likeness(const Pattern& script) const;
    /// Precondition: likeness() is not 0, or the script is short.
    void add(const Pattern& script);

    [[nodiscard]] const Pattern& pattern() const { return pattern_; }
    /// By the order in which the scripts were added.
    [[nodiscard]] const ScriptPlaces& places(std::size_t script) const { return places_[script]; }

  private:
    Pattern pattern_;
    std::vector<ScriptPlaces> places_;
};

}  // namespace tracefold
