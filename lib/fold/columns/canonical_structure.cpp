// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/canonical_structure.hpp"

#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "fold/column_families.hpp"
#include "fold/columns/column_size.hpp"
#include "fold/columns/function_tables.hpp"
#include "fold/columns/matched_receives.hpp"
#include "fold/structure_pool.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

/// Fewer classes, or those of few participants and short columns, compress as well separately.
constexpr std::size_t kLeastClasses = 4;
constexpr std::size_t kLeastParticipants = 9;
constexpr u64 kLeastSize = 64;
/// Bytes of the functions' heads; the size estimates require functions to be shorter by a quarter.
constexpr u64 kFunctionsHead = 12;

/// Orders scripts and symbols and converts participants to columns, with new numbers.
class Canonizer {
  public:
    Canonizer(const PartialStructure& partial, Stream stream, u32 location_count)
        : partial_(partial),
          stream_(stream),
          copier_({partial.patterns, partial.columns}, pool_),
          written_({pool_.patterns(), pool_.columns()}),
          value_of_(location_count),
          numbers_left_(free_numbers(location_count) / 2) {
        out_.location_count = location_count;
    }

    Structure run() {
        order_scripts();
        order_symbols();
        map_scripts();
        if (stream_ == Stream::events) map_facts();
        for (const u32 script : scripts_) {
            out_.script_counts.push_back(assign_counts(partial_.script_counts[script]));
            for (Assignment& assignment : out_.script_counts.back()) note_written(assignment);
        }
        for (const u32 symbol : symbols_) {
            out_.slots.push_back(assign_slots(symbol));
            for (Assignment& assignment : out_.slots.back()) note_written(assignment);
        }
        out_.columns = pool_.columns();
        out_.patterns = pool_.patterns();
        return std::move(out_);
    }

  private:
    void note_written(Assignment& assignment) {
        for_each_column_ref(assignment, [this](u32 column) { written_.add(column); });
    }

    void order_scripts() {
        for (u32 script = 0; script < partial_.scripts.size(); ++script) {
            if (partial_.scripts[script].stream == stream_) scripts_.push_back(script);
        }
        const auto first = [this](u32 script) {
            return partial_.script_participants[script].first();
        };
        std::sort(scripts_.begin(), scripts_.end(),
                  [&first](u32 a, u32 b) { return first(a) < first(b); });
    }

    void order_symbols() {
        std::vector<u32> new_id(partial_.symbols.size(), kNone);
        for (const u32 id : scripts_) {
            Script script = partial_.scripts[id];
            script.pattern = pool_.intern(partial_.patterns[script.pattern]);
            for (u32& symbol : script.symbols) {
                if (new_id[symbol] == kNone) {
                    new_id[symbol] = static_cast<u32>(symbols_.size());
                    symbols_.push_back(symbol);
                    out_.symbols.push_back(partial_.symbols[symbol]);
                    out_.symbol_streams.push_back(partial_.symbol_streams[symbol]);
                }
                symbol = new_id[symbol];
            }
            out_.scripts.push_back(std::move(script));
        }
    }

    void map_scripts() {
        for (int stream = 0; stream < kStreams; ++stream) {
            std::vector<u32> script_of(out_.location_count, 0);
            for (u32 i = 0; i < scripts_.size(); ++i) {
                if (out_.scripts[i].stream != static_cast<Stream>(stream)) continue;
                for (const u32 location : partial_.script_participants[scripts_[i]].members()) {
                    script_of[location] = i + 1;
                }
            }
            ColumnBuilder builder;
            for (const u32 script : script_of) builder.push(script);
            out_.script_of.push_back(builder.finish(pool_));
        }
    }

    void map_facts() {
        std::array<ColumnBuilder, LocationFacts::kFields> builders;
        std::array<bool, LocationFacts::kFields> said{};
        for (u32 location = 0; location < out_.location_count; ++location) {
            const auto found = partial_.facts.find(location);
            const LocationFacts facts =
                found == partial_.facts.end() ? LocationFacts{} : found->second;
            for (std::size_t i = 0; i < builders.size(); ++i) {
                builders[i].push(facts.to_array()[i]);
                said[i] = said[i] || facts.to_array()[i] != 0;
            }
        }
        std::size_t fields = builders.size();
        while (fields > LocationFacts::kFewestFields && !said[fields - 1]) --fields;
        for (std::size_t i = 0; i < fields; ++i) out_.facts.push_back(builders[i].finish(pool_));
    }

    /// An argument that varies among many participants.
    struct Varied {
        u32 slot = 0;
        TogetherArgument argument;
    };

    std::vector<Assignment> assign_slots(u32 symbol) {
        std::vector<Assignment> assignments;
        std::vector<Varied> varied;
        const std::vector<std::vector<Variant>>& slots = partial_.slots[symbol];
        for (u32 slot = 0; slot < slots.size(); ++slot) {
            PeerEncoding encoding = PeerEncoding::relative;
            const std::vector<Variant>& variants = fewest_variants(symbol, slot, encoding);
            Assignment assignment = assign(variants);
            assignment.peers = encoding;
            // Functions of grid positions give absolute ranks.
            const std::vector<Variant>* absolute = absolute_peers(symbol, slot);
            const bool places = absolute != nullptr;
            use_functions(places ? *absolute : variants,
                          places ? NumberKind::places : NumberKind::plain, slot, assignment,
                          varied);
            assignments.push_back(std::move(assignment));
        }
        if (!varied.empty()) use_functions_together(varied, assignments);
        return assignments;
    }

    /// Null if the slot has no peers, or absolute encoding is impossible.
    const std::vector<Variant>* absolute_peers(u32 symbol, u32 slot) {
        const auto found = partial_.peer_alternatives.find({symbol, slot});
        if (found == partial_.peer_alternatives.end()) return nullptr;
        const auto place = static_cast<std::size_t>(PeerEncoding::absolute) - 1;
        const std::vector<Variant>& variants = found->second[place];
        const bool usable =
            variants.size() <= kMostAlternatives &&
            participants_of(variants) == participants_of(partial_.slots[symbol][slot]);
        return usable ? &variants : nullptr;
    }

    /// Replaces classes by shorter functions; records irregular arguments in `varied`.
    void use_functions(const std::vector<Variant>& variants, NumberKind kind, u32 slot,
                       Assignment& assignment, std::vector<Varied>& varied) {
        if (assignment.columns.size() < 2) return;
        TogetherArgument argument{kind, columns_of(variants)};
        if (argument.column_of_participant.size() < kLeastParticipants) return;
        const u64 size = size_of_classes(assignment);
        if (assignment.columns.size() >= kLeastClasses && size >= kLeastSize) {
            std::vector<FunctionTable> found =
                find_functions(pool_, {partial_.patterns, partial_.columns},
                               argument.column_of_participant, kind, size);
            const auto best = std::min_element(found.begin(), found.end(),
                                               [this](FunctionTable& a, FunctionTable& b) {
                                                   return packed(a).bytes() < packed(b).bytes();
                                               });
            if (best != found.end() && is_shorter(packed(*best), packed(assignment))) {
                take(assignment, std::move(*best), kind);
            }
        }
        const bool uniform = assignment.functions && assignment.functions->presence == kNone;
        if (!uniform) varied.push_back({slot, std::move(argument)});
    }

    /// Returns false if it would exceed the reader's limit of numbers.
    bool take(Assignment& assignment, FunctionTable table, NumberKind kind) {
        const u64 participants = DigitGrid(table.grid).participants();
        const u64 numbers = participants * (u64{table.size} + 1);
        if (numbers > numbers_left_) return false;
        numbers_left_ -= numbers;
        const PeerEncoding peers =
            kind == NumberKind::places ? PeerEncoding::absolute : assignment.peers;
        assignment = Assignment();
        assignment.peers = peers;
        assignment.functions = std::move(table);
        return true;
    }

    /// The size of the columns written so far, plus these.
    template <class Mentions>
    [[nodiscard]] PackedSize packed(Mentions& mentions) const {
        PackedSize size = written_;
        for_each_column_ref(mentions, [&](u32 id) { size.add(id); });
        return size;
    }

    /// Compares both including the columns written so far.
    [[nodiscard]] bool is_shorter(const PackedSize& functions, const PackedSize& classes) const {
        const u64 before = written_.bytes();
        const u64 least = functions.bytes() - before + kFunctionsHead;
        return least * 4 < (classes.bytes() - before) * 3;
    }

    /// Uses common functions for arguments with numbers of the same participants at the same
    /// positions, if that is shorter.
    void use_functions_together(const std::vector<Varied>& varied,
                                std::vector<Assignment>& assignments) {
        std::vector<TogetherArgument> arguments;
        for (const Varied& one : varied) arguments.push_back(one.argument);
        std::vector<FunctionTable> tables =
            find_functions_together(pool_, {partial_.patterns, partial_.columns}, arguments);
        if (tables.empty()) return;
        PackedSize separate = written_;
        PackedSize together = written_;
        for (std::size_t i = 0; i < tables.size(); ++i) {
            for_each_column_ref(assignments[varied[i].slot], [&](u32 id) { separate.add(id); });
            for_each_column_ref(tables[i], [&](u32 id) { together.add(id); });
        }
        if (!is_shorter(together, separate)) return;
        for (std::size_t i = 0; i < tables.size(); ++i) {
            take(assignments[varied[i].slot], std::move(tables[i]), arguments[i].kind);
        }
    }

    /// Returns column ids by participant.
    std::vector<u32> columns_of(const std::vector<Variant>& variants) {
        std::fill(value_of_.begin(), value_of_.end(), std::nullopt);
        for (const Variant& variant : variants) {
            for (const u32 location : variant.participants.members()) {
                value_of_[location] = variant.column;
            }
        }
        std::vector<u32> columns;
        for (const std::optional<u64>& value : value_of_) {
            if (value) columns.push_back(static_cast<u32>(*value));
        }
        return columns;
    }

    u64 size_of_classes(const Assignment& assignment) const {
        if (assignment.by_participant == kNone) return 0;
        u64 size = column_size(pool_, assignment.by_participant);
        auto family = assignment.families.begin();
        for (u32 i = 0; i < assignment.columns.size(); ++i) {
            size += column_size(pool_, assignment.columns[i]);
            if (family == assignment.families.end() || family->first != i) continue;
            for (const ColumnFamily::Number& number : family->numbers) {
                size += 1 + column_size(pool_, number.column);
            }
            i += family++->size - 1;
        }
        return size;
    }

    /// Returns the encoding of a slot's peers with the fewest variants.
    const std::vector<Variant>& fewest_variants(u32 symbol, u32 slot, PeerEncoding& encoding) {
        const std::vector<Variant>* best = &partial_.slots[symbol][slot];
        const auto found = partial_.peer_alternatives.find({symbol, slot});
        if (found == partial_.peer_alternatives.end()) return *best;
        const u64 participants = participants_of(*best);
        for (std::size_t i = 0; i < found->second.size(); ++i) {
            const std::vector<Variant>& variants = found->second[i];
            const bool usable =
                variants.size() <= kMostAlternatives && participants_of(variants) == participants;
            if (!usable || variants.size() >= best->size()) continue;
            best = &variants;
            encoding = static_cast<PeerEncoding>(i + 1);
        }
        return *best;
    }

    static u64 participants_of(const std::vector<Variant>& variants) {
        u64 total = 0;
        for (const Variant& variant : variants) total += variant.participants.size();
        return total;
    }

    std::vector<Assignment> assign_counts(const std::vector<std::vector<Variant>>& nodes) {
        std::vector<Assignment> assignments;
        assignments.reserve(nodes.size());
        for (const auto& variants : nodes) {
            const Column& column = partial_.columns[variants[0].column];
            const bool always_one =
                variants.size() == 1 && column.start == 1 && column.form == Column::Form::constant;
            assignments.push_back(always_one ? Assignment{} : assign(variants));
        }
        return assignments;
    }

    Assignment assign(const std::vector<Variant>& variants) {
        std::vector<const Variant*> order;
        for (const Variant& variant : variants) order.push_back(&variant);
        std::sort(order.begin(), order.end(), [](const Variant* a, const Variant* b) {
            return a->participants.first() < b->participants.first();
        });
        Assignment assignment;
        const bool constants =
            order.size() > 1 &&
            std::all_of(order.begin(), order.end(), [this](const Variant* variant) {
                return partial_.columns[variant->column].form == Column::Form::constant;
            });
        if (order.size() > 1) assignment.by_participant = participant_column(order, constants);
        if (constants) return assignment;
        for (const Variant* variant : order) {
            assignment.columns.push_back(copier_.copy(variant->column));
        }
        assignment.families = find_families(pool_, assignment.columns);
        return assignment;
    }

    /// Returns the column of constants, or of classes, over the participants in rising order.
    u32 participant_column(const std::vector<const Variant*>& order, bool constants) {
        std::fill(value_of_.begin(), value_of_.end(), std::nullopt);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const u64 value = constants ? partial_.columns[order[i]->column].start : i;
            for (const u32 location : order[i]->participants.members()) value_of_[location] = value;
        }
        ColumnBuilder builder;
        for (const std::optional<u64>& value : value_of_) {
            if (value) builder.push(*value);
        }
        return builder.finish(pool_);
    }

    const PartialStructure& partial_;
    Stream stream_;
    StructurePool pool_;
    ColumnCopier copier_;
    PackedSize written_;                        ///< of the assigned columns
    std::vector<std::optional<u64>> value_of_;  ///< per location
    u64 numbers_left_;          ///< for all function tables: half of the reader's limit
    std::vector<u32> scripts_;  ///< old ids by new order
    std::vector<u32> symbols_;
    Structure out_;
};

/// Copies an assignment's columns, except those implied by families.
void renumber(Assignment& assignment, ColumnCopier& copier) {
    for_each_column_ref(assignment, [&copier](u32& column) { column = copier.copy(column); });
}

/// Numbers patterns and columns by first reference, and drops unused ones.
Structure renumber(Structure structure) {
    StructurePool pool;
    ColumnCopier copier({structure.patterns, structure.columns}, pool);
    for (Script& script : structure.scripts) {
        script.pattern = pool.intern(structure.patterns[script.pattern]);
    }
    for (u32& column : structure.script_of) column = copier.copy(column);
    for (u32& column : structure.facts) column = copier.copy(column);
    for (auto* table : {&structure.script_counts, &structure.slots}) {
        for (std::vector<Assignment>& assignments : *table) {
            for (Assignment& assignment : assignments) renumber(assignment, copier);
        }
    }
    structure.patterns = pool.patterns();
    structure.columns = pool.columns();
    return structure;
}

}  // namespace

Structure canonical_structure(const PartialStructure& partial, Stream stream, u32 location_count) {
    Structure structure = renumber(Canonizer(partial, stream, location_count).run());
    list_irregular_columns(structure);
    const MatchedColumns matched = match_receives(structure);
    structure = renumber(std::move(structure));
    unfold_tables(structure);
    matched.append_to(structure);
    return structure;
}

namespace {

/// The cost of a list in folded bytes: the first values, which train the model, count in full, the
/// others in part.
constexpr u64 kTeachingSize = 80;
constexpr u64 kPredictedRatio = 4;
/// Longer columns of definitions are tables with regular patterns, such as parents of contexts.
constexpr u64 kMostDefinitions = 256;

u64 coded_size(u64 list_size) {
    if (list_size < kTeachingSize) return list_size;
    return kTeachingSize + (list_size - kTeachingSize) / kPredictedRatio;
}

/// Returns the values of a folded column, nothing if there are more than `most`.
std::optional<std::vector<u64>> unwound(const FoldedSource& source, const Column& column,
                                        u64 most) {
    std::vector<u64> letters;
    ColumnCursor alphabet(source, column.alphabet);
    const u32 leaves = source.patterns[column.pattern].leaf_count;
    while (letters.size() < leaves) letters.push_back(alphabet.next());
    const bool differences = column.form == Column::Form::differences;
    std::vector<u64> values;
    if (differences) values.push_back(column.start);
    PatternCursor cursor(source, column.pattern, column.counts);
    PatternCursor::Run run{};
    while (cursor.next(run)) {
        if (run.count > most || values.size() > most - run.count) return std::nullopt;
        for (u64 i = 0; i < run.count; ++i) {
            values.push_back(letters[run.leaf] + (differences ? values.back() : 0));
        }
    }
    return values;
}

/// Returns the column as a list of at most `most` values if that is shorter.
std::optional<Column> shorter_list(const FoldedSource& source, u32 id, u64 most) {
    const u64 size = column_size(source, id);
    // A number takes at least a byte.
    most = std::min(most, kTeachingSize + kPredictedRatio * size);
    auto values = unwound(source, source.column(id), most);
    if (!values) return std::nullopt;
    Column list;
    list.form = Column::Form::list;
    list.values = std::move(*values);
    if (coded_size(list_size(list.values)) >= size) return std::nullopt;
    return list;
}

/// Counts the columns and scripts that use each pattern.
std::vector<u32> users_of_patterns(const Structure& structure) {
    std::vector<u32> users(structure.patterns.size(), 0);
    for (const Script& script : structure.scripts) ++users[script.pattern];
    for (const Column& column : structure.columns) {
        if (column.is_folded()) ++users[column.pattern];
    }
    return users;
}

/// Marks columns that are the base of families.
std::vector<bool> columns_of_families(const Structure& structure) {
    std::vector<bool> found(structure.columns.size(), false);
    for (const auto* table : {&structure.script_counts, &structure.slots}) {
        for (const std::vector<Assignment>& assignments : *table) {
            for (const Assignment& assignment : assignments) {
                for (const ColumnFamily& family : assignment.families) {
                    found[assignment.columns[family.first]] = true;
                }
            }
        }
    }
    return found;
}

}  // namespace

void list_irregular_columns(Structure& structure) {
    const std::vector<u32> users = users_of_patterns(structure);
    const std::vector<bool> in_family = columns_of_families(structure);
    const FoldedSource source{structure.patterns, structure.columns};
    const bool events = !structure.facts.empty();
    const u64 most = events ? ~u64{0} : kMostDefinitions;
    std::vector<std::pair<u32, Column>> lists;
    for (u32 id = 0; id < structure.columns.size(); ++id) {
        const Column& column = structure.columns[id];
        if (!column.is_folded() || users[column.pattern] > 1 || in_family[id]) continue;
        if (auto list = shorter_list(source, id, most)) lists.emplace_back(id, std::move(*list));
    }
    for (auto& [id, list] : lists) structure.columns[id] = std::move(list);
}

}  // namespace tracefold
