// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/script_tree.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "fold/column_cursor.hpp"
#include "fold/folder.hpp"
#include "fold/structure_pool.hpp"
#include "model/symbol.hpp"

#include <map>
#include <span>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t kMostPlaces = std::size_t{1} << 20U;
constexpr std::size_t kMostLoops = 64;  ///< nested

/// Distinguishes calls by the sizes and peers in their arguments, and groups, numbered by first
/// appearance.
class CallVariants {
  public:
    CallVariants(const CallTypes& kinds, FoldingView view) : kinds_(kinds), view_(view) {}

    u64 of(const CallSequence& sequence, std::size_t call) {
        if (!view_.sizes && !view_.peers && !view_.groups) return 0;
        u64 variant = 0;
        std::size_t at = sequence.first[call];
        SlotValues slot_values;
        const CallType& kind = kinds_[sequence.calls[call]];
        for (const CallType::Argument& argument : kind.arguments) {
            if (argument.shape == SlotShape::one) {
                Numbers* known = numbers_of(argument.kind);
                if (known != nullptr) {
                    const u64 number =
                        known->try_emplace(sequence.values[at], known->size()).first->second;
                    variant = mix(variant + number + 1);
                }
            }
            const std::size_t count =
                slot_values.count(argument.shape, sequence.values.data() + at);
            if (view_.groups && argument.shape == SlotShape::each &&
                kind.definition == DefinitionType::Group) {
                const auto values = std::span(sequence.values).subspan(at, count);
                const u64 number =
                    groups_.try_emplace({count, step_of(values)}, groups_.size()).first->second;
                variant = mix(variant + number + 1);
            }
            at += count;
        }
        return variant;
    }

  private:
    using Numbers = std::unordered_map<u64, std::size_t>;

    /// The difference of each value and the next one; 0 for others and for single values.
    static u64 step_of(std::span<const u64> values) {
        const u64 step = values.size() < 2 ? 0 : values[1] - values[0];
        for (std::size_t i = 1; i < values.size(); ++i) {
            if (values[i] - values[i - 1] != step) return 0;
        }
        return step;
    }

    /// Null: such arguments do not distinguish calls.
    Numbers* numbers_of(FieldKind kind) {
        if (view_.sizes && kind == FieldKind::bytes) return &sizes_;
        return view_.peers && kind == FieldKind::peer ? &peers_ : nullptr;
    }

    const CallTypes& kinds_;
    FoldingView view_;
    Numbers sizes_;
    Numbers peers_;
    std::map<std::pair<std::size_t, u64>, u64> groups_;  ///< by length and step
};

/// Input of the folding engine: calls numbered by first appearance, in runs.
class Leaves {
  public:
    struct Leaf {
        u32 call;
        u64 variant;

        auto operator<=>(const Leaf&) const = default;
    };

    void fold(const CallSequence& sequence, const CallTypes& kinds, FoldingView view,
              Folder& folder) {
        CallVariants variants(kinds, view);
        u32 last = kNone;
        u64 count = 0;
        for (std::size_t i = 0; i < sequence.calls.size(); ++i) {
            const u32 leaf = leaf_of({sequence.calls[i], variants.of(sequence, i)});
            if (leaf != last && count != 0) folder.push(last, std::exchange(count, 0));
            last = leaf;
            ++count;
        }
        if (count != 0) folder.push(last, count);
        folder.finish();
    }
    [[nodiscard]] const Leaf& operator[](u32 leaf) const { return leaves_[leaf]; }

  private:
    u32 leaf_of(const Leaf& leaf) {
        const auto [known, is_new] = numbers_.try_emplace(leaf, static_cast<u32>(leaves_.size()));
        if (is_new) leaves_.push_back(leaf);
        return known->second;
    }

    std::map<Leaf, u32> numbers_;
    std::vector<Leaf> leaves_;
};

class TreeBuilder {
  public:
    TreeBuilder(const Pattern& pattern, const Leaves& leaves, FoldedSequence& out)
        : pattern_(pattern), leaves_(leaves), out_(out) {}

    void build() {
        out_.tree.root = places_of(pattern_.root, 0);
        out_.counts.resize(nodes_.size());
        out_.first_call.resize(nodes_.size());
        iterations_.resize(nodes_.size());
    }

    void walk(NodeCounts& counts) { walk(out_.tree.root, counts); }

    void split_loops() {
        for (u32 place = 0; place < nodes_.size(); ++place) {
            if (out_.tree.places[place].call == kNone) {
                split_loop(place);
            } else {
                split_calls(place);
            }
        }
    }

  private:
    std::vector<u32> places_of(const std::vector<u32>& items, std::size_t depth) {
        if (depth > kMostLoops || nodes_.size() > kMostPlaces) {
            throw Error(ErrorKind::unsupported,
                        "the loops of a rank are too deep, or too many, to be extrapolated");
        }
        std::vector<u32> places;
        for (const u32 node : items) {
            const auto place = static_cast<u32>(nodes_.size());
            places.push_back(place);
            nodes_.push_back(node);
            out_.tree.places.emplace_back();
            if (node < pattern_.leaf_count) {
                out_.tree.places[place].call = leaves_[node].call;
                out_.tree.places[place].variant = leaves_[node].variant;
            } else {
                std::vector<u32> body =
                    places_of(pattern_.loops[node - pattern_.leaf_count], depth + 1);
                out_.tree.places[place].body = std::move(body);
            }
        }
        return places;
    }

    void walk(const std::vector<u32>& places, NodeCounts& counts) {
        for (const u32 place : places) {
            const u64 count = counts.next(nodes_[place]);
            out_.counts[place].push_back(count);
            if (out_.tree.places[place].call != kNone) {
                out_.first_call[place].push_back(calls_);
                calls_ += count;
                continue;
            }
            for (u64 i = 0; i < count; ++i) {
                iterations_[place].push_back(calls_);
                walk(out_.tree.places[place].body, counts);
            }
            iterations_[place].push_back(calls_);
        }
    }

    /// Splits a loop in two if visits repeat a part of their iterations.
    void split_loop(u32 place) {
        std::vector<u64> periods;
        std::size_t first = 0;
        for (const u64 trips : out_.counts[place]) {
            const std::vector<std::size_t>& calls = iterations_[place];
            periods.push_back(period(
                trips, [&](u64 i) { return content(calls[first + i], calls[first + i + 1]); }));
            first += trips + 1;
        }
        if (!are_parts(periods, out_.counts[place])) return;
        const auto inner = static_cast<u32>(out_.tree.places.size());
        ScriptTree::Place made = out_.tree.places[place];
        out_.tree.places.push_back(std::move(made));
        out_.tree.places[place].body = {inner};
        out_.counts.emplace_back();
        out_.first_call.emplace_back();
        for (std::size_t v = 0; v < periods.size(); ++v) {
            u64& trips = out_.counts[place][v];
            trips /= periods[v];
            out_.counts[inner].insert(out_.counts[inner].end(), trips, periods[v]);
        }
    }

    /// Makes a call that repeats a part of its executions a loop of calls.
    void split_calls(u32 place) {
        std::vector<u64> periods;
        const std::vector<std::size_t> first = out_.first_call[place];
        for (std::size_t v = 0; v < first.size(); ++v) {
            periods.push_back(period(out_.counts[place][v], [&](u64 i) {
                return content(first[v] + i, first[v] + i + 1);
            }));
        }
        if (!are_parts(periods, out_.counts[place])) return;
        const auto inner = static_cast<u32>(out_.tree.places.size());
        const ScriptTree::Place call = out_.tree.places[place];
        out_.tree.places.push_back(call);
        out_.tree.places[place] = {kNone, 0, {inner}};
        out_.counts.emplace_back();
        out_.first_call.emplace_back();
        out_.first_call[place].clear();
        for (std::size_t v = 0; v < periods.size(); ++v) {
            u64& trips = out_.counts[place][v];
            trips /= periods[v];
            out_.counts[inner].insert(out_.counts[inner].end(), trips, periods[v]);
            for (u64 i = 0; i < trips; ++i) {
                out_.first_call[inner].push_back(first[v] + i * periods[v]);
            }
        }
    }

    /// True if visits repeat a part of their iterations, and none the same one all the time.
    static bool are_parts(const std::vector<u64>& periods, const std::vector<u64>& trips) {
        return std::ranges::none_of(periods, [](u64 period) { return period == 1; }) &&
               periods != trips;
    }

    /// The period of the iterations, including the last one (by the failure function of Knuth,
    /// Morris, Pratt); `trips` if there is none. `hash`: of the content of an iteration.
    template <class Hash>
    [[nodiscard]] static u64 period(u64 trips, const Hash& hash) {
        if (trips == 0) return 0;
        std::vector<u64> hashes;
        for (u64 i = 0; i < trips; ++i) hashes.push_back(hash(i));
        std::vector<std::size_t> border(hashes.size() + 1, 0);
        for (std::size_t i = 1, k = 0; i < hashes.size(); ++i) {
            while (k != 0 && hashes[i] != hashes[k]) k = border[k];
            if (hashes[i] == hashes[k]) ++k;
            border[i + 1] = k;
        }
        const u64 found = trips - border[trips];
        return trips % found == 0 ? found : trips;
    }

    [[nodiscard]] u64 content(std::size_t begin, std::size_t end) const {
        const CallSequence& sequence = *out_.sequence;
        const auto value = [&](std::size_t call) {
            return call < sequence.first.size() ? sequence.first[call] : sequence.values.size();
        };
        u64 hash = 0;
        for (std::size_t i = begin; i < end; ++i) hash = mix(hash + sequence.calls[i] + 1);
        for (std::size_t i = value(begin); i < value(end); ++i)
            hash = mix(hash + sequence.values[i]);
        return hash;
    }

    const Pattern& pattern_;
    const Leaves& leaves_;
    FoldedSequence& out_;
    std::vector<u32> nodes_;  ///< pattern node, by place
    std::vector<std::vector<std::size_t>>
        iterations_;  ///< by place of a loop: first calls of its iterations
    std::size_t calls_ = 0;
};

}  // namespace

FoldedSequence fold_sequence(std::shared_ptr<const CallSequence> sequence, const CallTypes& kinds,
                             FoldingView view) {
    Leaves leaves;
    Folder folder;
    leaves.fold(*sequence, kinds, view, folder);
    StructurePool pool;
    std::vector<NodeCount> counts;
    const u32 pattern = folder.store(pool, counts);
    FoldedSequence out;
    out.sequence = std::move(sequence);
    TreeBuilder builder(pool.patterns()[pattern], leaves, out);
    builder.build();
    NodeCounts cursors({pool.patterns(), pool.columns()}, pool.patterns()[pattern], counts);
    builder.walk(cursors);
    if (view.periods) builder.split_loops();
    return out;
}

}  // namespace tracefold
