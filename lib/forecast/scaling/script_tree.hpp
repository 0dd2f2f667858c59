// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/scaling/call_sequence.hpp"

#include <memory>
#include <vector>

namespace tracefold {

/// The loops and calls of a sequence as a tree: each place of a call has its own node, as has each
/// loop. A call has a repetition count.
struct ScriptTree {
    struct Place {
        u32 call = kNone;       ///< kind of call; kNone: a loop
        u64 variant = 0;        ///< number of its sizes or peers, if they distinguish calls
        std::vector<u32> body;  ///< of a loop: places

        bool operator==(const Place&) const = default;
    };

    std::vector<Place> places;  ///< parents before children
    std::vector<u32> root;

    bool operator==(const ScriptTree&) const = default;
};

struct FoldedSequence {
    std::shared_ptr<const CallSequence> sequence;
    ScriptTree tree;
    std::vector<std::vector<u64>> counts;              ///< by place: of each visit, in order
    std::vector<std::vector<std::size_t>> first_call;  ///< by place of a call: of each visit
};

/// Criteria that distinguish calls and loops besides the kind.
struct FoldingView {
    bool sizes = false;    ///< sizes, numbered by first appearance on the location
    bool periods = false;  ///< splits a loop with a period into two nested loops
    bool peers = false;    ///< peers, numbered by first appearance on the location
    bool groups = false;   ///< length and step of their members, numbered likewise: rows, columns
};

/// Folds the calls of a sequence; equal calls yield equal trees. Throws Error(unsupported) for too
/// many places or nested loops. Cost: linear in the calls.
FoldedSequence fold_sequence(std::shared_ptr<const CallSequence> sequence, const CallTypes& kinds,
                             FoldingView view);

}  // namespace tracefold
