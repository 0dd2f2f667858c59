// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/scaling/call_sequence.hpp"

#include <memory>
#include <vector>

namespace tracefold {

/// The loops and calls of a sequence as a tree: each place at which a call stands has a node of its
/// own, and so has each loop around it. A call is repeated as often as its count says.
struct ScriptTree {
    struct Place {
        u32 call = kNone;       ///< kind; kNone: a loop
        u64 variant = 0;        ///< which sizes or peers it has, if calls are told apart by them
        std::vector<u32> body;  ///< of a loop: places

        bool operator==(const Place&) const = default;
    };

    std::vector<Place> places;  ///< each after the loop that it is in
    std::vector<u32> root;

    bool operator==(const ScriptTree&) const = default;
};

/// A sequence along its tree.
struct FoldedSequence {
    std::shared_ptr<const CallSequence> sequence;
    ScriptTree tree;
    std::vector<std::vector<u64>> counts;              ///< by place: of each visit, in order
    std::vector<std::vector<std::size_t>> first_call;  ///< by place of a call: of each visit
};

/// What calls and loops are told apart by, besides what is called.
struct FoldingView {
    bool sizes = false;  ///< how many bytes it is about: the location's first size, the second, ...
    bool periods = false;  ///< a loop in which everything comes again becomes two loops
    bool peers = false;    ///< whom it is about: the location's first peer, the second, ...
};

/// Folds the calls of a sequence; the same calls give the same tree. Throws Error(unsupported) if
/// it has too many places or loops within loops. Cost: linear in the calls.
FoldedSequence fold_sequence(std::shared_ptr<const CallSequence> sequence, const CallTypes& kinds,
                             FoldingView view);

}  // namespace tracefold
