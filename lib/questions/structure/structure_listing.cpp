// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/structure_listing.hpp"

#include "base/error.hpp"
#include "file/call_names.hpp"
#include "file/duration_collector.hpp"
#include "fold/column_values.hpp"
#include "questions/structure/detail/listed_arguments.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace tracefold {

std::vector<std::vector<PatternPlace>> places_of_nodes(const Pattern& pattern) {
    std::vector<std::vector<PatternPlace>> places(pattern.node_count());
    const auto add = [&places](u32 number, const std::vector<u32>& body) {
        for (u32 i = 0; i < body.size(); ++i) places[body[i]].push_back({number, i});
    };
    for (u32 loop = 0; loop < pattern.loops.size(); ++loop) add(loop, pattern.loops[loop]);
    add(kNone, pattern.root);
    return places;
}

NodePlaces::NodePlaces(const Pattern& pattern, const std::vector<std::vector<PatternPlace>>& places,
                       u32 node) {
    find_loops(pattern, places, node);
    pattern_.leaf_count = static_cast<u32>(places[node].size());
    pattern_.loops.resize(loops_.size());
    std::vector<std::pair<PatternPlace, u32>> items;
    for (u32 place = 0; place < pattern_.leaf_count; ++place)
        items.emplace_back(places[node][place], place);
    for (const u32 loop : loops_) {
        for (const PatternPlace& place : places[pattern.leaf_count + loop]) {
            items.emplace_back(place, item_of_loop(loop));
        }
    }
    std::sort(items.begin(), items.end());
    for (const auto& [place, item] : items) body_of(place.body).push_back(item);
}

void NodePlaces::find_loops(const Pattern& pattern,
                            const std::vector<std::vector<PatternPlace>>& places, u32 node) {
    std::vector<bool> known(pattern.loops.size(), false);
    std::vector<u32> open = {node};
    while (!open.empty()) {
        const u32 inner = open.back();
        open.pop_back();
        for (const PatternPlace& place : places[inner]) {
            if (place.body == kNone || known[place.body]) continue;
            known[place.body] = true;
            loops_.push_back(place.body);
            open.push_back(pattern.leaf_count + place.body);
        }
    }
    std::sort(loops_.begin(), loops_.end());
}

u32 NodePlaces::item_of_loop(u32 loop) const {
    const auto found = std::lower_bound(loops_.begin(), loops_.end(), loop);
    return pattern_.leaf_count + static_cast<u32>(found - loops_.begin());
}

std::vector<u32>& NodePlaces::body_of(u32 loop) {
    return loop == kNone ? pattern_.root : pattern_.loops[item_of_loop(loop) - pattern_.leaf_count];
}

NodeCounts NodePlaces::counts(std::vector<ColumnCursor> loop_counts) const {
    NodeCounts counts(pattern_);
    u32 node = pattern_.leaf_count;
    for (ColumnCursor& count : loop_counts) counts.add(node++, std::move(count));
    return counts;
}

ColumnCursor NodePlaces::visits(std::vector<ColumnCursor> loop_counts) const {
    return ColumnCursor::of_leaves({pattern_, counts(std::move(loop_counts))});
}

ColumnCursor NodePlaces::executions(std::vector<ColumnCursor> loop_counts,
                                    ColumnCursor own_counts) const {
    NodeCounts all = counts(std::move(loop_counts));
    all.add(0, std::move(own_counts));
    for (u32 place = 1; place < pattern_.leaf_count; ++place) all.share(place, 0);
    return ColumnCursor::of_leaves({pattern_, std::move(all)});
}

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
            members, source.index().source(),
            [&](u32 member) { return counts.count(member, node); },
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

namespace {

using Use = ExecutionCounts::Use;
using UseOf = std::function<Use(u32 member)>;
/// Indexed by place.
using Summaries = std::vector<ValueSummary>;
using PlacedVariants = std::vector<std::vector<ListedVariant>>;

/// Limit of runs examined per node to separate its places.
constexpr u64 kMostRuns = 5'000'000;

bool is_constant(const std::vector<ListedVariant>& variants) {
    return std::all_of(variants.begin(), variants.end(),
                       [](const ListedVariant& variant) { return variant.values.is_constant(); });
}

/// Lists one node with several places.
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

    /// No result if the limit of runs is exceeded.
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

    /// Members with the same numbers at the same places are walked once; at each place, members
    /// with equal summaries share a variant.
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

namespace {

void add(const TimingModel& model, CallTimes& times) {
    for (const TimingModel::Node& node : model.nodes) {
        times.inside[node.symbol] += node.durations.all.sum();
        times.total += node.durations.all.sum();
    }
    for (const TimingModel::Edge& edge : model.edges) {
        times.before[edge.to] += edge.durations.all.sum();
        times.total += edge.durations.all.sum();
    }
}

CallTimes no_times(const TraceFile& file) {
    const std::size_t symbols = file.structure().symbols.size();
    return {std::vector<u64>(symbols, 0), std::vector<u64>(symbols, 0), 0};
}

double part(u64 ticks, u64 executions, u64 of_all) {
    return of_all == 0 ? 0
                       : static_cast<double>(ticks) * static_cast<double>(executions) /
                             static_cast<double>(of_all);
}

}  // namespace

void CallTimes::add(const CallTimes& other) {
    for (std::size_t symbol = 0; symbol < inside.size(); ++symbol) {
        inside[symbol] += other.inside[symbol];
        before[symbol] += other.before[symbol];
    }
    total += other.total;
}

CallTimes call_times_of(TraceFile& file, const std::vector<u32>& locations) {
    CallTimes times = no_times(file);
    for (const u32 location : locations) add(durations_of_location(file, location), times);
    return times;
}

std::optional<CallTimes> call_times(TraceFile& file) {
    const TimingLevel level = file.summary().timing;
    if (level == TimingLevel::histogram) {
        CallTimes times = no_times(file);
        add(file.durations(), times);
        return times;
    }
    if (!keeps_every_time(level)) return std::nullopt;
    std::vector<u32> locations(file.location_count());
    std::iota(locations.begin(), locations.end(), 0U);
    return call_times_of(file, locations);
}

std::optional<CallTimes> call_times_at_hand(TraceFile& file, bool wanted) {
    if (!wanted && file.summary().timing != TimingLevel::histogram) return std::nullopt;
    std::optional<CallTimes> times = call_times(file);
    if (!times) {
        throw Error(ErrorKind::usage, "cannot show times: the file keeps none");
    }
    return times;
}

LineTimes line_times(const ListedScript& script, const CallTimes& times,
                     const ExecutionCounts& counts) {
    LineTimes lines;
    std::vector<double> with_computation;
    for (const ListedNode& node : script.nodes) {
        const auto visits = static_cast<double>(node.visits == 0 ? 1 : node.visits);
        lines.iterations.push_back(static_cast<double>(node.executions) / visits);
        if (node.is_loop()) {
            double body = 0;
            for (const u32 item : node.body) body += with_computation[item];
            lines.per_visit.push_back(body * lines.iterations.back());
            with_computation.push_back(lines.per_visit.back());
            continue;
        }
        const u64 all = counts.calls(node.symbol);
        const double inside = part(times.inside[node.symbol], node.executions, all);
        const double before = part(times.before[node.symbol], node.executions, all);
        lines.per_visit.push_back(inside / visits);
        with_computation.push_back((inside + before) / visits);
        lines.total += inside + before;
    }
    return lines;
}

}  // namespace tracefold
