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

/// Numbers the places of a pattern: items of its root, then of the body of each loop.
class PlaceNumbers {
  public:
    explicit PlaceNumbers(const Pattern& pattern);

    /// Of the first item.
    [[nodiscard]] u32 first(BodyId body) const { return first_[body]; }
    [[nodiscard]] u32 size() const { return first_.back(); }

  private:
    std::vector<u32> first_;
};

/// Walks through a union of scripts as a rank of one of them does, call by call, and tells the
/// place of each, so that a leaf which stands in several places can have arguments of its own in
/// each. Throws Error(corrupt) when a count is 0 or the script ends early.
class PlaceWalk {
  public:
    struct Step {
        u32 place = 0;
        bool is_call = false;
        bool is_new = true;  ///< the walk comes to the place; else it repeats the call
        u64 count = 0;       ///< of a new place: times that the item follows; 0: not on this rank
    };

    /// What a rank runs: a pattern with its counts, whose places in the union are known.
    struct Script {
        const Pattern& pattern;
        const std::vector<NodeCount>& counts;
        const ScriptPlaces& places;
    };

    /// All must outlive the walk.
    PlaceWalk(const FoldedSource& source, const Script& script, const Pattern& whole);

    /// The next item that is entered or passed over, or the next call.
    Step next();
    /// After the last call: whether next() still has an item that is passed over.
    [[nodiscard]] bool passes_over();

  private:
    struct Frame {
        BodyId own;
        BodyId whole;
        const std::vector<u32>* items;  ///< of the own body by item of the whole one
        std::size_t next;
        u64 trips_left;
    };

    /// Goes on to the next item; false at the end of the script.
    bool advance();
    void enter(BodyId own, BodyId whole, u64 trips);

    const Script script_;
    const Pattern& whole_;
    PlaceNumbers numbers_;
    std::vector<Frame> frames_;
    NodeCounts counts_;
    u32 place_ = 0;  ///< of the running run
    u64 left_ = 0;   ///< calls of it
};

}  // namespace tracefold
