// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/detail/listed_arguments.hpp"

#include "base/hash.hpp"
#include "file/call_names.hpp"
#include "file/record_counts.hpp"
#include "fold/call_encoder.hpp"
#include "fold/collective_sizes.hpp"
#include "fold/column_cursor.hpp"
#include "fold/request_list.hpp"
#include "model/definition_names.hpp"
#include "model/event_table.hpp"
#include "model/rank_function.hpp"
#include "model/structure.hpp"
#include "questions/structure/structure_listing.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>

namespace tracefold {

namespace {

class Fingerprint {
  public:
    void add(u64 number) { state_ = mix(state_ ^ mix(number + kGolden)); }
    void add(const std::vector<u32>& numbers) {
        add(numbers.size());
        for (const u32 number : numbers) add(number);
    }
    [[nodiscard]] u64 value() const { return state_; }

  private:
    u64 state_ = 0;
};

/// Longer columns are compared in folded form.
constexpr u64 kMostUnwound = u64{1} << 20U;

/// Numbers of a folded or listed column; 0: another form, or more than kMostUnwound.
u64 length_of(const FoldedSource& source, const Column& column) {
    if (column.form == Column::Form::list) return column.values.size();
    if (!column.is_folded()) return 0;
    PatternCursor cursor(source, column.pattern, column.counts);
    PatternCursor::Run run{};
    u64 length = column.form == Column::Form::differences ? 1 : 0;
    while (cursor.next(run)) {
        length += run.count;
        if (run.count > kMostUnwound || length > kMostUnwound) return 0;
    }
    return length;
}

/// A hash of a column's numbers: independent of ids and of the form (folded or list), which differ
/// between files. Collisions: 2^-64. Folded columns of more than 2^20 numbers match only if they
/// are folded alike. Cost: linear in the numbers (up to 2^20) and in the referenced columns.
u64 column_fingerprint(const FoldedSource& source, u32 column) {
    const Column& content = source.column(column);
    Fingerprint print;
    if (const u64 length = length_of(source, content); length != 0) {
        ColumnCursor cursor(source, column);
        for (u64 i = 0; i < length; ++i) print.add(cursor.next());
        return print.value();
    }
    print.add(static_cast<u64>(content.form));
    print.add(content.start);
    print.add(content.stride);
    print.add(content.values.size());
    for (const u64 value : content.values) print.add(value);
    if (!content.is_folded()) return print.value();
    const Pattern& pattern = source.patterns[content.pattern];
    print.add(pattern.leaf_count);
    print.add(pattern.root);
    for (const std::vector<u32>& body : pattern.loops) print.add(body);
    print.add(column_fingerprint(source, content.alphabet));
    for (const NodeCount& count : content.counts) {
        print.add(count.node);
        print.add(column_fingerprint(source, count.column));
    }
    return print.value();
}

using Use = ExecutionCounts::Use;

u64 fingerprint(const FoldedSource& source, const Use& numbers) {
    return numbers.column == kNone ? mix(numbers.value)
                                   : column_fingerprint(source, numbers.column);
}

/// The record type of a slot's field: late values are fields of the completion.
const RecordInfo& described_by(const Element& element, const Slot& slot) {
    return event_info(slot.late ? static_cast<u8>(posting_kind(element.type)->completion)
                                : element.type);
}

bool is_interesting(const Slot& slot) {
    switch (slot.kind) {
        case FieldKind::request_new:
        case FieldKind::request_done:
        case FieldKind::request_used:
        case FieldKind::matching_id:
        case FieldKind::message_new:
        case FieldKind::message_used:
        case FieldKind::ticks:
        case FieldKind::type:
            return false;
        default:
            return true;
    }
}

/// Builds one argument of a symbol.
class ArgumentLister {
  public:
    ArgumentLister(ListingSource& source, u32 symbol, u32 number, const VariantsOf& variants)
        : source_(source),
          symbol_(symbol),
          number_(number),
          slots_(source.index().slots(symbol)),
          slot_(slots_[number]),
          element_(source.structure().symbols[symbol].elements[slot_.element]),
          variants_(variants) {}

    ListedArgument run() {
        ListedArgument out;
        out.slot = number_;
        if (slot_.field == Slot::kAttributeField) {
            attribute(out);
        } else if (element_.type == kCompletions) {
            out.name = "completions";
            out.variants = variants_(false);
        } else {
            const RecordInfo& info = described_by(element_, slot_);
            out.name = info.fields[slot_.field].name;
            if (element_.raw) {
                out.variants = variants_(false);
            } else {
                fill(info, out);
            }
        }
        return out;
    }

  private:
    void fill(const RecordInfo& info, ListedArgument& out) {
        switch (slot_.kind) {
            case FieldKind::peer:
                peer(out);
                return;
            case FieldKind::bytes:
                out.role = ValueRole::bytes;
                out.variants = variants_(false);
                collective_sizes(info, out);
                return;
            case FieldKind::root:
                name_values(out, [](u64 root, u32) {
                    const std::string_view special = special_rank_name(root);
                    return special.empty() ? std::to_string(root) : std::string(special);
                });
                return;
            case FieldKind::op:
            case FieldKind::enumeration: {
                const Enumeration names = enumeration_of(info.name, out.name);
                name_values(out, [names](u64 value, u32) { return enumerator_name(names, value); });
                return;
            }
            case FieldKind::signed_value:
                out.role = ValueRole::signed_number;
                out.variants = variants_(true);
                return;
            default:
                break;
        }
        if (slot_.kind >= FieldKind::string) {
            references(out);
        } else {
            out.variants = variants_(false);
            if (out.name == "metric_values") only_how_many(out);
        }
    }

    /// Keeps only the number of distinct values.
    static void only_how_many(ListedArgument& out) {
        out.role = ValueRole::opaque;
        std::map<u64, std::size_t> known;
        std::vector<ListedVariant> joined;
        for (ListedVariant& variant : out.variants) {
            const u64 distinct = variant.values.distinct;
            const auto [found, fresh] = known.emplace(distinct, joined.size());
            if (fresh) {
                variant.values = ValueSummary();
                variant.values.distinct = distinct;
                joined.push_back(std::move(variant));
            } else {
                ListedVariant& same = joined[found->second];
                same.participants.unite(variant.participants);
                same.fingerprint = mix(same.fingerprint ^ variant.fingerprint);
            }
        }
        out.variants = std::move(joined);
    }

    void attribute(ListedArgument& out) {
        // An element's first slots are those of its attributes.
        const AttributeKey& key = element_.attributes[number_ - first_slot()];
        out.name = source_.names().label(
            FieldKind::attribute, source_.calls().global(symbol_, FieldKind::attribute, key.ref));
        name_values(out, [&key](u64 value, u32) { return typed_value_text(key.type, value); });
    }

    [[nodiscard]] u32 first_slot() const {
        u32 first = number_;
        while (first > 0 && slots_[first - 1].element == slot_.element) --first;
        return first;
    }

    /// Labels the values; splits participants for which one value has different names.
    void name_values(ListedArgument& out,
                     const std::function<std::string(u64 value, u32 member)>& name) {
        out.role = ValueRole::label;
        for (ListedVariant& variant : variants_(false)) {
            if (variant.values.values.empty()) {
                out.variants.push_back(std::move(variant));
                continue;
            }
            std::map<std::vector<std::string>, std::size_t> known;
            for (const u32 member : variant.participants.members()) {
                std::vector<std::string> labels;
                for (const u64 value : variant.values.values) labels.push_back(name(value, member));
                const auto [found, fresh] = known.emplace(std::move(labels), out.variants.size());
                if (fresh) {
                    out.variants.push_back({{}, variant.values, found->first, variant.fingerprint});
                }
                out.variants[found->second].participants.add(member);
            }
        }
    }

    void references(ListedArgument& out) {
        const FieldKind kind = slot_.kind;
        name_values(out, [this, kind](u64 value, u32 member) -> std::string {
            if (kind == FieldKind::comm && value == kNeverCompleted) return "never completed";
            const u64 global = is_reference_code(kind)
                                   ? source_.calls().global(symbol_, kind, value)
                                   : source_.local_ids().global(kind, value, member);
            return source_.names().label(kind, global);
        });
    }

    void peer(ListedArgument& out) {
        PeerEncoding encoding = source_.structure().slots[symbol_][number_].peers;
        // Without ranks, peers have no number to be relative to but 0.
        if (source_.definitions().world_size() == 0 && encoding == PeerEncoding::relative) {
            encoding = PeerEncoding::absolute;
        }
        out.role = kPeerRoles[static_cast<std::size_t>(encoding)];
        out.variants = variants_(encoding == PeerEncoding::relative);
    }

    /// Collective sizes are stored as payload, whose unit depends on the operation, and residual.
    void collective_sizes(const RecordInfo& info, ListedArgument& out) {
        u8 field = 0;
        while (field < info.field_count && info.fields[field].kind != FieldKind::op) ++field;
        if (field == info.field_count) return;
        const bool first = info.fields[slot_.field - 1U].kind != FieldKind::bytes;
        out.name = first ? "payload" : "residual";
        if (!first) return;
        out.must_be_in_place = true;
        for (ListedVariant& variant : out.variants) {
            const std::optional<u64> operation = operation_of(variant.participants.first());
            if (!operation) return;
            tell_in_place(*operation, variant, out);
            to_bytes(*operation, variant.values);
        }
        if (out.in_place.size() != out.variants.size()) out.in_place.clear();
        out.must_be_in_place = out.must_be_in_place && !out.in_place.empty();
    }

    /// The collective operation of a location's records, if it is always the same.
    std::optional<u64> operation_of(u32 member) {
        const std::optional<u32> slot = slot_before(FieldKind::op);
        if (!slot) return std::nullopt;
        const ValueSummary operation =
            summarize(source_.counts(), source_.counts().slot(symbol_, *slot, member),
                      source_.index().source(), false);
        return operation.is_constant() ? std::optional(operation.minimum) : std::nullopt;
    }

    [[nodiscard]] std::optional<u32> slot_before(FieldKind kind) const {
        for (u32 other = first_slot(); other < number_; ++other) {
            if (slots_[other].kind == kind) return other;
        }
        return std::nullopt;
    }

    /// Adds the contributions in place of a variant, if each of its sizes permits them.
    void tell_in_place(u64 operation, const ListedVariant& variant, ListedArgument& out) {
        const std::optional<u32> members = members_of(variant.participants);
        if (!members || variant.values.values.empty()) return;
        ValueSummary summary = variant.values;
        for (u64& value : summary.values) {
            const std::optional<u64> bytes = bytes_in_place(operation, *members, value);
            if (!bytes) return;
            out.must_be_in_place =
                out.must_be_in_place && must_be_in_place(operation, *members, value);
            value = *bytes;
        }
        const auto [least, most] = std::ranges::minmax(summary.values);
        summary.minimum = least;
        summary.maximum = most;
        if (summary.order == ValueOrder::progression) summary.set_order({});
        out.in_place.push_back(std::move(summary));
    }

    [[nodiscard]] u32 size_of(u64 comm) const {
        const DefinitionIndex& definitions = source_.definitions();
        const CommunicatorDefinition* found = definitions.communicator(comm);
        if (found == nullptr || found->inter) return 0;
        const GroupDefinition* group = definitions.group(found->group);
        return group == nullptr ? 0 : static_cast<u32>(group->members.size());
    }

    /// The members of the communicators of these locations, if all have as many. None for
    /// intercommunicators, where MPI_IN_PLACE is not allowed.
    std::optional<u32> members_of(const ParticipantList& participants) {
        const std::optional<u32> slot = slot_before(FieldKind::comm);
        if (!slot) return std::nullopt;
        std::optional<u32> members;
        bool agree = true;
        for (const u32 location : participants.members()) {
            source_.counts().visit(
                source_.counts().slot(symbol_, *slot, location), [&](const ValueRun& run) {
                    const u64 comm =
                        source_.local_ids().global(FieldKind::comm, run.start, location);
                    const u32 size = size_of(comm);
                    agree = agree && run.stride == 0 && members.value_or(size) == size;
                    members = size;
                });
        }
        return agree ? members : std::nullopt;
    }

    static void to_bytes(u64 operation, ValueSummary& summary) {
        const auto bytes = [operation](u64& payload) {
            payload = payload_bytes(operation, {payload, 0});
        };
        if (summary.order == ValueOrder::progression) step_to_bytes(operation, summary);
        for (u64& payload : summary.values) bytes(payload);
        bytes(summary.minimum);
        bytes(summary.maximum);
    }

    static void step_to_bytes(u64 operation, ValueSummary& summary) {
        const bool rises = static_cast<i64>(summary.step) > 0;
        const u64 first = rises ? summary.minimum : summary.maximum;
        const auto bytes = [&](u64 steps) {
            return payload_bytes(operation, {first + steps * summary.step, 0});
        };
        const u64 step = bytes(1) - bytes(0);
        const bool is_even = bytes(2) - bytes(1) == step;
        if (is_even) summary.step = step;
        if (!is_even) summary.set_order({});
    }

    ListingSource& source_;
    u32 symbol_;
    u32 number_;
    const std::vector<Slot>& slots_;
    const Slot& slot_;
    const Element& element_;
    const VariantsOf& variants_;
};

}  // namespace

ListedArgument list_argument(ListingSource& source, u32 symbol, u32 slot,
                             const VariantsOf& variants) {
    return ArgumentLister(source, symbol, slot, variants).run();
}

std::vector<ListedRecord> list_records(ListingSource& source, u32 symbol,
                                       const std::vector<u32>& members) {
    const std::vector<Element>& elements = source.structure().symbols[symbol].elements;
    const std::vector<Slot>& slots = source.index().slots(symbol);
    std::vector<ListedRecord> records;
    u32 slot = 0;
    for (std::size_t e = 0; e < elements.size(); ++e) {
        const u8 type = elements[e].type;
        ListedRecord record;
        record.name = type == kCompletions ? "Completions" : event_info(type).name;
        for (; slot < slots.size() && slots[slot].element == e; ++slot) {
            if (!is_interesting(slots[slot])) continue;
            const auto variants = [&](bool is_signed) {
                return list_variants(
                    members, source.index().source(),
                    [&](u32 member) { return source.counts().slot(symbol, slot, member); },
                    [&](const Use& use) {
                        return summarize(source.counts(), use, source.index().source(), is_signed);
                    });
            };
            record.arguments.push_back(list_argument(source, symbol, slot, variants));
        }
        const bool bare = is_enter(type) || is_leave(type);
        if (!bare || !record.arguments.empty()) records.push_back(std::move(record));
    }
    return records;
}

std::vector<ListedVariant> list_variants(const std::vector<u32>& members,
                                         const FoldedSource& source,
                                         const std::function<Use(u32 member)>& use,
                                         const std::function<ValueSummary(const Use&)>& summary) {
    std::map<std::tuple<u32, u64, u64>, std::size_t> by_numbers;
    std::map<ValueSummary, std::size_t> by_summary;
    std::vector<ListedVariant> variants;
    for (const u32 member : members) {
        const Use numbers = ExecutionCounts::plain(source, use(member));
        // Constants and whole folded columns do not depend on the number of executions.
        const bool open_end = numbers.column != kNone && !source.column(numbers.column).is_folded();
        const auto key = std::tuple(numbers.column, numbers.value, open_end ? numbers.size : 0);
        auto known = by_numbers.find(key);
        if (known == by_numbers.end()) {
            const auto [same, fresh] = by_summary.emplace(summary(numbers), variants.size());
            if (fresh) variants.push_back({{}, same->first, {}});
            ListedVariant& variant = variants[same->second];
            variant.fingerprint = mix(variant.fingerprint ^ fingerprint(source, numbers));
            known = by_numbers.emplace(key, same->second).first;
        }
        variants[known->second].participants.add(member);
    }
    return variants;
}

namespace {

/// Calls with more distinct peers are not written as functions.
constexpr std::size_t kMostFunctions = 12;
/// One-dimensional grids (lines) are not used.
constexpr std::size_t kLeastDimensions = 2;
/// Fewer ranks always fit some grid by chance.
constexpr std::size_t kLeastRanks = 4;

struct PeersOfRanks {
    std::span<const u32> ranks;
    std::span<const u64> peers;
    u32 world_size = 0;
};

/// The number that all peers share in an encoding, if any.
std::optional<u64> number_of_all(const PeersOfRanks& of, PeerEncoding encoding) {
    const auto number = [&](std::size_t i) {
        return encode_relative_peer(of.peers[i] - of.ranks[i], encoding, of.ranks[i],
                                    of.world_size);
    };
    for (std::size_t i = 1; i < of.peers.size(); ++i) {
        if (number(i) != number(0)) return std::nullopt;
    }
    return number(0);
}

/// "rank+1", "rank^4" (pairwise exchange), "3".
std::optional<std::string> text_without_grid(const PeersOfRanks& of) {
    if (const auto number = number_of_all(of, PeerEncoding::relative)) {
        const auto offset = static_cast<i64>(*number);
        return (offset < 0 ? "rank" : "rank+") + std::to_string(offset);
    }
    if (const auto number = number_of_all(of, PeerEncoding::exclusive_or)) {
        return "rank^" + std::to_string(*number);
    }
    if (const auto number = number_of_all(of, PeerEncoding::absolute)) {
        return std::to_string(*number);
    }
    return std::nullopt;
}

/// A peer as a grid position: "(x+1 mod 4, y)".
struct PlaceInGrid {
    std::string text;
    bool is_displaced = false;  ///< same displacement on all ranks
    bool shows_grid = false;    ///< evidence for the grid: wraps around, and not by half its size
};

bool is_half_way(const RankFunction& displacement, const RankGrid& grid) {
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
        const u32 offset = displacement.terms[d].offset;
        if (offset != 0 && 2 * offset != grid.sizes()[d]) return false;
    }
    return true;
}

std::optional<PlaceInGrid> place_in_grid(const PeersOfRanks& of, const RankGrid& grid) {
    if (const auto displaced = fit_displacement(grid, of.ranks, of.peers)) {
        const bool shows =
            !number_of_all(of, PeerEncoding::relative) && !is_half_way(*displaced, grid);
        return PlaceInGrid{place_text(*displaced, grid).value_or(""), true, shows};
    }
    if (of.ranks.size() != of.world_size) return std::nullopt;
    const std::optional<RankFunction> function = fit_places(grid, of.peers);
    const auto text = function ? place_text(*function, grid) : std::nullopt;
    return text ? std::optional(PlaceInGrid{*text}) : std::nullopt;
}

class FunctionTeller {
  public:
    FunctionTeller(ListingSource& source, const ListedScript& script)
        : source_(source),
          world_size_(source.definitions().world_size()),
          ranks_(script.participants.members()) {
        if (ranks_.size() < kLeastRanks || !are_ranks()) return;
        grids_ = grids_of(world_size_);
        std::erase_if(grids_,
                      [](const RankGrid& grid) { return grid.dimensions() < kLeastDimensions; });
    }

    [[nodiscard]] bool has_grids() const { return !grids_.empty(); }

    /// Collects the peer arguments that may be functions.
    void add(u32 symbol, std::vector<ListedRecord>& records) {
        for (ListedRecord& record : records) {
            for (ListedArgument& argument : record.arguments) {
                const auto encoding = peer_encoding(argument.role);
                if (!encoding || argument.variants.size() < 2) continue;
                if (counts_in_world_ranks(symbol, record)) add(*encoding, argument);
            }
        }
    }

    /// Writes all arguments in the grid that explains most of them.
    void tell() const {
        Explanation best;
        for (const RankGrid& grid : grids_) {
            Explanation explanation = explain(grid);
            if (explanation.merit > best.merit) best = std::move(explanation);
        }
        for (std::size_t i = 0; i < best.places.size(); ++i) {
            const Argument& argument = arguments_[i];
            argument.out->places = texts_of(best.places[i], argument.others, best.merit[1] != 0);
        }
    }

  private:
    struct Argument {
        ListedArgument* out = nullptr;
        std::vector<std::vector<u64>> peers;             ///< by value, then by index into ranks_
        std::vector<std::optional<std::string>> others;  ///< by value: text without a grid
    };
    using Places = std::vector<std::optional<PlaceInGrid>>;  ///< by value

    struct Explanation {
        std::vector<Places> places;  ///< by argument; empty: not explained
        /// Arguments explained, peers that show the grid, peers that are displaced in it.
        std::array<std::size_t, 3> merit{};
    };

    /// Whether the index of each location is its rank.
    [[nodiscard]] bool are_ranks() const {
        const auto& locations = source_.definitions().locations();
        if (locations.size() != world_size_) return false;
        for (u32 rank = 0; rank < world_size_; ++rank) {
            if (source_.definitions().world_rank(locations[rank]) != rank) return false;
        }
        return true;
    }

    /// Whether all communicators of the record contain all ranks in world order.
    bool counts_in_world_ranks(u32 symbol, const ListedRecord& record) {
        const auto found = std::find_if(
            record.arguments.begin(), record.arguments.end(),
            [](const ListedArgument& argument) { return argument.name == "communicator"; });
        if (found == record.arguments.end()) return false;
        for (const u32 rank : ranks_) {
            bool all = true;
            source_.counts().visit(
                source_.counts().slot(symbol, found->slot, rank), [&](const ValueRun& run) {
                    const u64 id = source_.local_ids().global(FieldKind::comm, run.start, rank);
                    all = all && run.stride == 0 && is_world(id);
                });
            if (!all) return false;
        }
        return true;
    }

    bool is_world(u64 communicator) {
        const auto [known, fresh] = worlds_.try_emplace(communicator, false);
        if (!fresh) return known->second;
        const DefinitionIndex& definitions = source_.definitions();
        for (u32 rank = 0; rank < world_size_; ++rank) {
            if (world_peer(definitions, communicator, 0, rank) != rank) return false;
        }
        return known->second = world_peer(definitions, communicator, 0, world_size_) == kNone;
    }

    void add(PeerEncoding encoding, ListedArgument& argument) {
        const std::size_t size = argument.variants[0].values.values.size();
        if (size == 0 || size > kMostFunctions) return;
        std::vector<std::vector<u64>> peers(size, std::vector<u64>(ranks_.size()));
        for (const ListedVariant& variant : argument.variants) {
            const std::vector<u64>& values = variant.values.values;
            if (values.size() != size) return;
            for (const u32 rank : variant.participants.members()) {
                const auto place = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
                const auto at = static_cast<std::size_t>(place - ranks_.begin());
                for (std::size_t i = 0; i < size; ++i) {
                    peers[i][at] = rank + relative_peer(values[i], encoding, rank, world_size_);
                }
            }
        }
        std::vector<std::optional<std::string>> others;
        for (const std::vector<u64>& all : peers) {
            others.push_back(text_without_grid({ranks_, all, world_size_}));
        }
        arguments_.push_back({&argument, std::move(peers), std::move(others)});
    }

    [[nodiscard]] Explanation explain(const RankGrid& grid) const {
        Explanation explanation;
        for (const Argument& argument : arguments_) {
            Places places = places_of(argument, grid);
            explanation.merit[0] += places.empty() ? 0U : 1U;
            for (const std::optional<PlaceInGrid>& place : places) {
                explanation.merit[1] += place && place->shows_grid ? 1U : 0U;
                explanation.merit[2] += place && place->is_displaced ? 1U : 0U;
            }
            explanation.places.push_back(std::move(places));
        }
        return explanation;
    }

    [[nodiscard]] Places places_of(const Argument& argument, const RankGrid& grid) const {
        Places all;
        for (std::size_t i = 0; i < argument.peers.size(); ++i) {
            all.push_back(place_in_grid({ranks_, argument.peers[i], world_size_}, grid));
            if (!all.back() && !argument.others[i]) return {};
        }
        return all;
    }

    /// Empty if a peer is no function. Forms without a grid come first unless the grid is evident.
    static std::vector<std::string> texts_of(const Places& places,
                                             const std::vector<std::optional<std::string>>& others,
                                             bool grid_shows) {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (others[i] && !(grid_shows && places[i])) {
                texts.push_back(*others[i]);
                continue;
            }
            // A displacement by half the size fits some wrong grid by chance.
            if (!grid_shows && places[i]->is_displaced) return {};
            texts.push_back(places[i]->text);
        }
        return texts;
    }

    ListingSource& source_;
    u32 world_size_;
    std::vector<u32> ranks_;  ///< of the script, ascending
    std::vector<RankGrid> grids_;
    std::vector<Argument> arguments_;
    std::map<u64, bool> worlds_;
};

}  // namespace

void list_functions(ListingSource& source, ListedScript& listed) {
    FunctionTeller teller(source, listed);
    if (!teller.has_grids()) return;
    for (ListedNode& node : listed.nodes) {
        if (node.symbol != kNone) teller.add(node.symbol, node.records);
    }
    for (ListedPlace& at : listed.places) {
        const ListedNode& node = listed.nodes[listed.node_at(at.place)];
        if (node.symbol != kNone) teller.add(node.symbol, at.records);
    }
    teller.tell();
}

}  // namespace tracefold
