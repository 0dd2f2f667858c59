// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/structure_listing.hpp"

#include "analysis/listed_arguments.hpp"
#include "core/error.hpp"
#include "query/listing_source.hpp"

#include <algorithm>

namespace tracefold {

const ListedPlace* ListedScript::find(const PatternPlace& place) const {
    const auto found = std::lower_bound(
        places.begin(), places.end(), place,
        [](const ListedPlace& listed, const PatternPlace& at) { return listed.place < at; });
    return found == places.end() || found->place != place ? nullptr : &*found;
}

ListedScript list_script(ListingSource& source, u32 script, const ParticipantList& participants) {
    const Structure& structure = source.structure();
    const Script& content = structure.scripts[script];
    const Pattern& pattern = structure.patterns[content.pattern];
    const std::vector<u32> members = participants.members();
    ExecutionCounts& counts = source.counts();
    ListedScript out{participants, {}, pattern.root, pattern.leaf_count, {}};
    for (u32 node = 0; node < pattern.node_count(); ++node) {
        ListedNode listed;
        listed.counts = list_variants(
            members, structure, [&](u32 member) { return counts.count(member, node); },
            [&](const ExecutionCounts::Use& use) {
                return summarize_counts(counts, use, source.index().source());
            });
        for (const u32 member : members) {
            listed.executions += counts.executions(member, node);
            listed.visits += counts.visits(member, node);
        }
        if (node < pattern.leaf_count) {
            const u32 symbol = content.symbols[node];
            if (structure.symbols[symbol].elements.empty()) {
                throw Error(ErrorKind::corrupt, "a symbol has no records");
            }
            listed.symbol = symbol;
            listed.kind = call_kind(structure.symbols[symbol]);
            listed.name = source.calls().name(symbol);
            listed.records = list_records(source, symbol, members);
        } else {
            listed.body = pattern.loops[node - pattern.leaf_count];
        }
        out.nodes.push_back(std::move(listed));
    }
    return out;
}

ListedScript list_complete_script(ListingSource& source, u32 script,
                                  const ParticipantList& participants) {
    ListedScript listed = list_script(source, script, participants);
    list_places(source, script, listed);
    list_functions(source, listed);
    return listed;
}

}  // namespace tracefold
