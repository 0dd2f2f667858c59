// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"
#include "model/structure.hpp"

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

/// A body of a pattern: 0 is the root, 1 + k the body of loop k.
using BodyId = u32;
const std::vector<u32>& body_of(const Pattern& pattern, BodyId body);

/// Maps the items of a union of scripts to those of one script: for a pair of bodies (script,
/// union), the script's item of each item of the union, or kNone.
using ScriptPlaces = std::map<std::pair<BodyId, BodyId>, std::vector<u32>>;

/// Merges several scripts into one that has a place for every item of each, in order: ranks skip
/// items that they lack. Leaves have the same numbers in all.
class ScriptUnion {
  public:
    explicit ScriptUnion(Pattern first);

    /// The share of leaves in common with the union: 1 if equal, 0 if nothing is alike or the
    /// comparison would take too long. Cost: the product of the lengths of their bodies, up to a
    /// limit.
    [[nodiscard]] double likeness(const Pattern& script) const;
    /// Precondition: likeness() is not 0, or the script is short.
    void add(const Pattern& script);

    [[nodiscard]] const Pattern& pattern() const { return pattern_; }
    /// In the order of add().
    [[nodiscard]] const ScriptPlaces& places(std::size_t script) const { return places_[script]; }

  private:
    Pattern pattern_;
    std::vector<ScriptPlaces> places_;
};

/// Numbers the places of a pattern: items of its root, then of the body of each loop.
class PlaceNumbers {
  public:
    explicit PlaceNumbers(const Pattern& pattern);

    /// Number of the body's first item.
    [[nodiscard]] u32 first(BodyId body) const { return first_[body]; }
    [[nodiscard]] u32 size() const { return first_.back(); }

  private:
    std::vector<u32> first_;
};

/// Walks through a union of scripts like a rank of one of them, call by call, and gives the place
/// of each: a leaf at several places can have different arguments at each. Throws Error(corrupt)
/// when a count is 0 or the script ends early.
class PlaceWalk {
  public:
    struct Step {
        u32 place = 0;
        bool is_call = false;
        bool is_new = true;  ///< the walk reaches the place; false: it repeats the call
        u64 count = 0;       ///< at a new place: repetitions of the item; 0: not on this rank
    };

    /// The program of a rank: a pattern with its counts, and its places in the union.
    struct Script {
        const Pattern& pattern;
        const std::vector<NodeCount>& counts;
        const ScriptPlaces& places;
    };

    /// All must outlive the walk.
    PlaceWalk(const FoldedSource& source, const Script& script, const Pattern& whole);

    /// The next item entered or skipped, or the next call.
    Step next();
    /// After the last call: true if next() still skips an item.
    [[nodiscard]] bool passes_over();

  private:
    struct Frame {
        BodyId own;
        BodyId whole;
        const std::vector<u32>* items;  ///< own items by item of the whole body
        std::size_t next;
        u64 trips_left;
    };

    /// Advances to the next item; false at the end of the script.
    bool advance();
    void enter(BodyId own, BodyId whole, u64 trips);

    const Script script_;
    const Pattern& whole_;
    PlaceNumbers numbers_;
    std::vector<Frame> frames_;
    NodeCounts counts_;
    u32 place_ = 0;  ///< of the current run of calls
    u64 left_ = 0;   ///< remaining calls of the run
};

}  // namespace tracefold
