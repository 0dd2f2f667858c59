// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/refusals.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace tracefold {

namespace {

std::string rank_text(const Example& example) {
    return fmt::format("rank {} of {}", example.rank, example.grid->participants());
}

/// The first place of each tree where they are not alike; kNone: there is none.
struct PlacePair {
    u32 a = kNone;
    u32 b = kNone;
};

/// Precondition: the trees differ.
PlacePair first_difference(const ScriptTree& a, const std::vector<u32>& in_a, const ScriptTree& b,
                           const std::vector<u32>& in_b) {
    const std::size_t common = std::min(in_a.size(), in_b.size());
    for (std::size_t i = 0; i < common; ++i) {
        const ScriptTree::Place& first = a.places[in_a[i]];
        const ScriptTree::Place& second = b.places[in_b[i]];
        if (first.call != second.call || first.variant != second.variant) return {in_a[i], in_b[i]};
        const PlacePair inner = first_difference(a, first.body, b, second.body);
        if (inner.a != kNone || inner.b != kNone) return inner;
    }
    return {common < in_a.size() ? in_a[common] : kNone,
            common < in_b.size() ? in_b[common] : kNone};
}

std::string name_of(const ScriptTree& tree, u32 place, const CallTypes& kinds) {
    if (place == kNone) return "nothing more";
    bool in_loop = false;
    while (tree.places[place].call == kNone && !tree.places[place].body.empty()) {
        place = tree.places[place].body.front();
        in_loop = true;
    }
    const u32 call = tree.places[place].call;
    const std::string name = call == kNone ? std::string("a loop") : kinds[call].name;
    return in_loop ? "a loop of " + name : name;
}

/// "MPI_Send on rank 3 of 8 where rank 0 of 4 has MPI_Recv".
std::string difference_text(const Example& a, const Example& b, const CallTypes& kinds) {
    const ScriptTree& first = a.script->tree;
    const ScriptTree& second = b.script->tree;
    const PlacePair places = first_difference(first, first.root, second, second.root);
    const std::string name = name_of(first, places.a, kinds);
    const std::string other = name_of(second, places.b, kinds);
    return fmt::format("{} on {} where {} has {}", name, rank_text(a), rank_text(b),
                       other == name ? "another one" : other);
}

}  // namespace

Refusal no_example(u32 rank) {
    return {.what = fmt::format("rank {}", rank),
            .why = "no recorded run has a rank at such a place of the process grid",
            .names_call = false};
}

Refusal differ(const Example& a, const Example& b, const CallTypes& kinds) {
    return {difference_text(b, a, kinds),
            "they do different things, though they stand at like places of the process grid"};
}

Refusal differ_from_model(const std::string& what, u32 rank, u32 ranks) {
    return {fmt::format("{} on rank {} of {}", what, rank, ranks),
            "it is something else than what explains other ranks at like places of the process "
            "grid"};
}

Refusal too_few_runs(const Example& example, std::size_t runs, const Example* other,
                     const CallTypes& kinds) {
    const std::string what =
        other == nullptr ? rank_text(example) : difference_text(example, *other, kinds);
    return {.what = what,
            .why = fmt::format("{} has a rank that does the same; runs of more sizes are needed",
                               runs == 1 ? "no other run" : "only one other run"),
            .names_call = other != nullptr};
}

}  // namespace tracefold
