// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/listed_arguments.hpp"
#include "analysis/structure_listing.hpp"
#include "fold/column_rows.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace tracefold {

namespace {

using Use = ExecutionCounts::Use;
using UseOf = std::function<Use(u32 member)>;
/// By place.
using Summaries = std::vector<ValueSummary>;
using PlacedVariants = std::vector<std::vector<ListedVariant>>;

/// Runs of numbers that are looked at for the places of one node.
constexpr u64 kMostRuns = 5'000'000;

bool is_constant(const std::vector<ListedVariant>& variants) {
    return std::all_of(variants.begin(), variants.end(),
                       [](const ListedVariant& variant) { return variant.values.is_constant(); });
}

/// One node with several places.
class NodeLister {
  public:
    NodeLister(ListingSource& source, const Pattern& pattern,
               const std::vector<std::vector<PatternPlace>>& places, u32 node,
               const std::vector<u32>& members)
        : source_(source),
          columns_(source.index().source()),
          node_(node),
          first_loop_(pattern.leaf_count),
          members_(members),
          at_(places[node]),
          places_(pattern, places, node) {}

    /// Nothing if it takes too long.
    std::optional<std::vector<ListedPlace>> run(const ListedNode& listed) {
        std::vector<ListedPlace> out;
        for (const PatternPlace& place : at_) out.push_back({place, listed.counts, listed.records});
        if (!is_constant(listed.counts)) list_counts(out);
        for (std::size_t r = 0; r < listed.records.size(); ++r) {
            for (std::size_t a = 0; a < listed.records[r].arguments.size(); ++a) {
                const ListedArgument& argument = listed.records[r].arguments[a];
                if (is_constant(argument.variants)) continue;
                list_argument_at(out, listed.symbol, argument.slot, r, a);
            }
        }
        if (runs_left_ == 0) return std::nullopt;
        return out;
    }

  private:
    void list_counts(std::vector<ListedPlace>& out) {
        const auto count = [this](u32 member) { return source_.counts().count(member, node_); };
        const PlacedVariants counts = join(
            count, [this](u32 member, const Use& use) { return summarize_visits(member, use); });
        for (std::size_t p = 0; p < out.size(); ++p) out[p].counts = counts[p];
    }

    void list_argument_at(std::vector<ListedPlace>& out, u32 symbol, u32 slot, std::size_t record,
                          std::size_t argument) {
        const auto numbers = [&](u32 member) {
            return source_.counts().slot(symbol, slot, member);
        };
        const auto placed = [&](bool is_signed) {
            return join(numbers, [&](u32 member, const Use& use) {
                return summarize_executions(member, use, is_signed);
            });
        };
        std::optional<PlacedVariants> known;
        for (std::size_t p = 0; p < out.size(); ++p) {
            out[p].records[record].arguments[argument] =
                list_argument(source_, symbol, slot, [&](bool is_signed) {
                    if (!known) known = placed(is_signed);
                    return (*known)[p];
                });
        }
    }

    /// Members with the same numbers in the same order of places are walked once; at each place
    /// those whose numbers come to the same join.
    PlacedVariants join(const UseOf& use_of,
                        const std::function<Summaries(u32 member, const Use&)>& summarize_member) {
        std::map<std::vector<u64>, std::size_t> known;
        std::vector<ParticipantList> groups;
        std::vector<Summaries> summaries;
        for (const u32 member : members_) {
            const Use use = use_of(member);
            const auto [found, fresh] = known.emplace(key(member, use), groups.size());
            if (fresh) {
                groups.emplace_back();
                summaries.push_back(summarize_member(member, use));
            }
            groups[found->second].add(member);
        }
        PlacedVariants out(at_.size());
        for (std::size_t place = 0; place < out.size(); ++place) {
            std::map<ValueSummary, std::size_t> by_summary;
            for (std::size_t g = 0; g < groups.size(); ++g) {
                ValueSummary& summary = summaries[g][place];
                const auto [same, fresh] = by_summary.emplace(summary, out[place].size());
                if (fresh) {
                    out[place].push_back({groups[g], std::move(summary), {}, 0});
                } else {
                    out[place][same->second].participants.unite(groups[g]);
                }
            }
        }
        return out;
    }

    std::vector<u64> key(u32 member, const Use& use) {
        std::vector<u64> key = {use.column, use.value};
        const auto add = [&](u32 node) {
            const Use count = source_.counts().count(member, node);
            key.insert(key.end(), {count.column, count.value, count.size});
        };
        add(node_);
        for (const u32 loop : places_.loops()) add(first_loop_ + loop);
        return key;
    }

    Summaries summarize_visits(u32 member, const Use& use) {
        std::vector<SummaryBuilder> builders(at_.size(), SummaryBuilder(false));
        walk(places_.visits(loop_counts(member)), use, source_.counts().visits(member, node_),
             builders);
        Summaries out;
        for (SummaryBuilder& builder : builders) out.push_back(builder.take_counts());
        return out;
    }

    Summaries summarize_executions(u32 member, const Use& use, bool is_signed) {
        std::vector<SummaryBuilder> builders(at_.size(), SummaryBuilder(is_signed));
        ColumnCursor own = ExecutionCounts::cursor(columns_, source_.counts().count(member, node_));
        walk(places_.executions(loop_counts(member), std::move(own)), use,
             source_.counts().executions(member, node_), builders);
        Summaries out;
        for (SummaryBuilder& builder : builders) out.push_back(builder.take());
        return out;
    }

    std::vector<ColumnCursor> loop_counts(u32 member) {
        std::vector<ColumnCursor> counts;
        for (const u32 loop : places_.loops()) {
            counts.push_back(ExecutionCounts::cursor(
                columns_, source_.counts().count(member, first_loop_ + loop)));
        }
        return counts;
    }

    void walk(ColumnCursor places, const Use& use, u64 size,
              std::vector<SummaryBuilder>& builders) {
        std::vector<ColumnCursor> columns;
        columns.push_back(std::move(places));
        columns.push_back(ExecutionCounts::cursor(columns_, use));
        visit_rows(std::move(columns), size, [&](std::span<const ValueRun> runs, u64 times) {
            if (runs_left_ == 0) return false;
            --runs_left_;
            builders[runs[0].start].add(runs[1], times);
            return true;
        });
    }

    ListingSource& source_;
    FoldedSource columns_;
    u32 node_;
    u32 first_loop_;
    const std::vector<u32>& members_;
    const std::vector<PatternPlace>& at_;
    NodePlaces places_;
    u64 runs_left_ = kMostRuns;
};

}  // namespace

void list_places(ListingSource& source, u32 script, ListedScript& listed) {
    const Structure& structure = source.structure();
    const Pattern& pattern = structure.patterns[structure.scripts[script].pattern];
    const std::vector<std::vector<PatternPlace>> places = places_of_nodes(pattern);
    const std::vector<u32> members = listed.participants.members();
    for (u32 node = 0; node < pattern.node_count(); ++node) {
        if (places[node].size() < 2) continue;
        NodeLister lister(source, pattern, places, node, members);
        std::optional<std::vector<ListedPlace>> found = lister.run(listed.nodes[node]);
        if (!found) {
            listed.nodes[node].is_pooled = true;
            continue;
        }
        std::move(found->begin(), found->end(), std::back_inserter(listed.places));
    }
    std::sort(listed.places.begin(), listed.places.end(),
              [](const ListedPlace& a, const ListedPlace& b) { return a.place < b.place; });
}

}  // namespace tracefold
