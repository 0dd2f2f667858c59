// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/structure_codec.hpp"

#include "file/column_codec.hpp"
#include "file/format/function_table_codec.hpp"
#include "file/format/item_codec.hpp"
#include "file/symbol_codec.hpp"
#include "model/structure.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kNewColumn = 0;
constexpr u64 kClasses = 1;
constexpr u64 kConstants = 2;
constexpr u64 kFamilies = 3;
constexpr u64 kKnownColumn = 4;

/// Limit of implied family columns in a section: they take no bytes of their own.
constexpr u64 kFreeClasses = u64{1} << 25U;

u8 part_number(StructurePart part) { return static_cast<u8>(part); }
u8 part_number(const Slot& slot) {
    return static_cast<u8>(kSlotParts + 2 * static_cast<u8>(slot.kind) + (slot.late ? 1 : 0));
}

class StructureWriter {
  public:
    explicit StructureWriter(const Structure& structure)
        : structure_(structure), columns_(out_, structure.patterns, structure.columns) {}

    std::string run() {
        out_.put_varint(structure_.location_count);
        out_.put_varint(structure_.symbols.size());
        SymbolWriter symbols(out_);
        for (std::size_t i = 0; i < structure_.symbols.size(); ++i) {
            symbols.put(structure_.symbol_streams[i], structure_.symbols[i]);
        }
        out_.put_varint(structure_.scripts.size());
        for (const Script& script : structure_.scripts) {
            out_.put_u8(static_cast<u8>(script.stream));
            put_items(out_, script.symbols);
            columns_.put_pattern(script.pattern);
        }
        for (const u32 column : structure_.script_of) columns_.put_column(column);
        out_.put_varint(structure_.facts.size());
        for (const u32 column : structure_.facts) columns_.put_column(column);
        for (const auto& counts : structure_.script_counts) put_counts(counts);
        for (std::size_t i = 0; i < structure_.symbols.size(); ++i) {
            const std::vector<Slot> slots =
                slots_of(structure_.symbol_streams[i], structure_.symbols[i]);
            for (std::size_t k = 0; k < slots.size(); ++k) {
                const Assignment& assignment = structure_.slots[i][k];
                if (assignment.matching != Matching::none) continue;
                if (slots[k].kind == FieldKind::peer) put_peers(i, slots, k);
                put(assignment);
            }
        }
        return out_.take();
    }

  private:
    /// Writes the encoding of a slot's peers, and the matching of the sizes of their messages.
    void put_peers(std::size_t symbol, const std::vector<Slot>& slots, std::size_t place) {
        const std::vector<Assignment>& assignments = structure_.slots[symbol];
        u64 matching = 0;
        for (std::size_t k = place + 1; k < slots.size(); ++k) {
            if (slots[k].element != slots[place].element) break;
            matching = std::max(matching, static_cast<u64>(assignments[k].matching));
        }
        out_.put_varint(static_cast<u64>(assignments[place].peers) + kPeerEncodings * matching);
    }

    void put_counts(const std::vector<Assignment>& counts) {
        std::vector<std::size_t> nodes;
        for (std::size_t node = 0; node < counts.size(); ++node) {
            if (!counts[node].is_always_one()) nodes.push_back(node);
        }
        out_.put_varint(nodes.size());
        std::size_t expected = 0;
        for (const std::size_t node : nodes) {
            out_.put_varint(node - expected);
            put(counts[node]);
            expected = node + 1;
        }
    }

    void put(const Assignment& assignment) {
        if (assignment.functions) {
            out_.put_varint(kFamilies);
            put_functions(out_, columns_, *assignment.functions);
            return;
        }
        if (assignment.by_participant == kNone) {
            u64 number = 0;
            if (columns_.is_known(assignment.columns[0], number)) {
                out_.put_varint(kKnownColumn + number);
            } else {
                columns_.put_column(assignment.columns[0]);
            }
            return;
        }
        const bool constants = assignment.columns.empty();
        if (!constants && assignment.families.empty() && put_class_constants(assignment)) return;
        out_.put_varint(constants                     ? kConstants
                        : assignment.families.empty() ? kClasses
                                                      : kFamilies);
        columns_.put_column(assignment.by_participant);
        if (constants) return;
        out_.put_varint(assignment.columns.size());
        if (!assignment.families.empty()) put_families(assignment.families);
        auto family = assignment.families.begin();
        for (u32 i = 0; i < assignment.columns.size(); ++i) {
            columns_.put_column(assignment.columns[i]);
            if (family == assignment.families.end() || family->first != i) continue;
            put_numbers(family->numbers);
            i += family++->size - 1;
        }
    }

    /// Returns false if the columns are shorter.
    bool put_class_constants(const Assignment& assignment) {
        const auto constants = find_class_constants(assignment, structure_.columns, columns_);
        if (!constants) return false;
        out_.put_varint(kClasses);
        columns_.put_column(assignment.by_participant);
        out_.put_varint(0);
        tracefold::put_class_constants(out_, columns_, *constants, assignment, structure_.columns);
        return true;
    }

    void put_numbers(const std::vector<ColumnFamily::Number>& numbers) {
        out_.put_varint(numbers.size());
        u32 expected = 0;
        for (const ColumnFamily::Number& number : numbers) {
            out_.put_varint(number.place - expected);
            columns_.put_column(number.column);
            expected = number.place + 1;
        }
    }

    void put_families(const std::vector<ColumnFamily>& families) {
        out_.put_varint(families.size());
        u32 expected = 0;
        for (const ColumnFamily& family : families) {
            out_.put_varint(family.first - expected);
            out_.put_varint(family.size - 2);
            expected = family.first + family.size;
        }
    }

    const Structure& structure_;
    ByteWriter out_;
    ColumnWriter columns_;
};

class StructureReader {
  public:
    explicit StructureReader(FieldReader& in)
        : in_(in),
          max_nodes_(most_nodes(in.remaining())),
          items_left_(max_nodes_),
          columns_(in_, out_.patterns, out_.columns),
          functions_(in_, columns_) {}

    Structure run(u64 expected) {
        const Expectations fitting = Expectations::fitting(expected);
        const u64 locations = in_.at(FieldRole::location_count, fitting).get_varint();
        if (locations > kNone - 1) in_.fail("there are more locations than can be numbered");
        out_.location_count = static_cast<u32>(locations);
        get_symbols();
        enter(StructurePart::scripts);
        symbols_.begin(ItemForecast::Kind::symbols, out_.symbols.size());
        const u64 scripts = in_.at(FieldRole::script_count).get_count(3);
        for (u64 i = 0; i < scripts; ++i) get_script();
        for (int i = 0; i < kStreams; ++i) out_.script_of.push_back(columns_.get_column());
        const u64 facts = in_.at(FieldRole::fact_count).get_varint();
        const bool known = facts >= LocationFacts::kFewestFields && facts <= LocationFacts::kFields;
        if (facts != 0 && !known) in_.fail("there are unknown facts");
        for (u64 i = 0; i < facts; ++i) {
            out_.facts.push_back(columns_.get_column());
        }
        enter(StructurePart::counts);
        for (const Script& script : out_.scripts) get_counts(script);
        for (std::size_t i = 0; i < out_.symbols.size(); ++i) get_slots(i);
        in_.expect_end();
        check_nesting(out_.patterns, out_.columns, max_nodes_, in_);
        return std::move(out_);
    }

  private:
    void enter(StructurePart part) { in_.enter(part_number(part), part_number(part)); }

    void get_symbols() {
        enter(StructurePart::symbols);
        const u64 count = in_.at(FieldRole::symbol_count).get_count(1);
        SymbolReader reader(in_);
        for (u64 i = 0; i < count; ++i) {
            Stream stream{};
            out_.symbols.push_back(reader.get(stream));
            out_.symbol_streams.push_back(stream);
        }
        out_.slots.reserve(out_.symbols.size());
    }

    void get_script() {
        Script script;
        const u8 stream = in_.at_byte(FieldRole::script_stream).get_u8();
        if (stream > static_cast<u8>(Stream::global_definitions)) {
            in_.fail("a script belongs to an unknown stream");
        }
        script.stream = static_cast<Stream>(stream);
        script.symbols = get_items(in_, out_.symbols.size(), items_left_,
                                   in_.is_followed() ? &symbols_ : nullptr);
        script.pattern = columns_.get_pattern(&script.symbols);
        if (script.symbols.size() != out_.patterns[script.pattern].leaf_count) {
            in_.fail("a script does not fit its pattern");
        }
        for (const u32 symbol : script.symbols) {
            if (out_.symbol_streams[symbol] != script.stream) {
                in_.fail("a script has a symbol of another stream");
            }
        }
        out_.scripts.push_back(std::move(script));
    }

    void get_counts(const Script& script) {
        functions_.begin();
        const u64 nodes = out_.patterns[script.pattern].node_count();
        std::vector<Assignment> counts(nodes);
        const u64 listed = in_.at(FieldRole::node_count).get_count(2);
        u64 node = 0;
        for (u64 i = 0; i < listed; ++i) {
            const u64 gap = in_.at(FieldRole::node_gap).get_varint();
            if (gap >= nodes - node) in_.fail("a count belongs to no node");
            node += gap;
            counts[node++] = get_assignment();
        }
        out_.script_counts.push_back(std::move(counts));
    }

    void get_slots(std::size_t symbol) {
        functions_.begin();
        std::vector<Assignment> assignments;
        u32 in_element = 0;
        u32 element = 0;
        Matching matching = Matching::none;
        for (const Slot& slot : slots_of(out_.symbol_streams[symbol], out_.symbols[symbol])) {
            if (slot.element != element) {
                in_element = 0;
                matching = Matching::none;
            }
            element = slot.element;
            const Element& own = out_.symbols[symbol].elements[element];
            in_.enter(part_number(slot), slot_place(own.type, in_element++));
            PeerEncoding peers = PeerEncoding::relative;
            if (slot.kind == FieldKind::peer) peers = get_peers(own, slot, matching);
            assignments.push_back(is_matched(matching, slot.kind) ? Assignment()
                                                                  : get_assignment());
            assignments.back().peers = peers;
            if (is_matched(matching, slot.kind)) assignments.back().matching = matching;
        }
        out_.slots.push_back(std::move(assignments));
    }

    PeerEncoding get_peers(const Element& element, const Slot& slot, Matching& matching) {
        const u64 code = in_.at(FieldRole::peer_encoding).get_varint();
        const u64 matched = code / kPeerEncodings;
        const bool receives = message_side(element, slot) == MessageSide::receive;
        if (matched > static_cast<u64>(receives ? Matching::in_order : Matching::none)) {
            in_.fail("a peer has an unknown encoding");
        }
        matching = static_cast<Matching>(matched);
        return static_cast<PeerEncoding>(code % kPeerEncodings);
    }

    Assignment get_assignment() {
        Assignment assignment;
        const u64 token = in_.at(FieldRole::assignment, columns_.newest(kKnownColumn)).get_varint();
        if (token == kNewColumn) {
            assignment.columns.push_back(columns_.get_new_column());
        } else if (token >= kKnownColumn) {
            assignment.columns.push_back(columns_.known_column(token - kKnownColumn));
        } else {
            assignment.by_participant = columns_.get_column();
            if (token != kConstants) get_classes(assignment, token == kFamilies);
        }
        return assignment;
    }

    void get_classes(Assignment& assignment, bool families) {
        FieldReader& in =
            in_.at(FieldRole::class_count, Expectations::fitting(out_.location_count));
        const u64 classes = families ? in.get_varint() : in.get_count(1);
        if (classes == 0 && families) {
            assignment.functions =
                functions_.get(std::exchange(assignment.by_participant, kNone), classes_left_);
            return;
        }
        if (classes == 0) {
            assignment.columns = get_class_constants(in_, columns_);
            return;
        }
        if (families) {
            if (classes > classes_left_) in_.fail("there are too many columns in families");
            classes_left_ -= classes;
            get_families(assignment.families, classes);
        }
        auto family = assignment.families.begin();
        while (assignment.columns.size() < classes) {
            const std::size_t number = assignment.columns.size();
            assignment.columns.push_back(columns_.get_column());
            if (family == assignment.families.end() || family->first != number) continue;
            get_numbers(family->numbers);
            assignment.columns.resize(number + family++->size, kNone);
        }
    }

    void get_numbers(std::vector<ColumnFamily::Number>& numbers) {
        const u64 count = in_.at(FieldRole::node_count).get_count(2);
        u64 place = 0;
        for (u64 i = 0; i < count; ++i) {
            place += in_.at(FieldRole::node_gap).get_varint();
            if (place >= kNone) in_.fail("a family has too many numbers");
            numbers.push_back({static_cast<u32>(place++), columns_.get_column()});
        }
    }

    void get_families(std::vector<ColumnFamily>& families, u64 classes) {
        const u64 count = in_.at(FieldRole::family_count).get_count(2);
        u64 next = 0;
        for (u64 i = 0; i < count; ++i) {
            const u64 gap = in_.at(FieldRole::family_gap).get_varint();
            const Expectations all = Expectations::fitting(classes - next - gap - 2);
            const u64 more = in_.at(FieldRole::family_size, all).get_varint();
            if (gap > classes || more > classes || next + gap + more + 2 > classes) {
                in_.fail("a family has more columns than there are");
            }
            next += gap;
            families.push_back({static_cast<u32>(next), static_cast<u32>(more + 2), {}});
            next += more + 2;
        }
    }

    FieldReader& in_;
    u64 max_nodes_;
    u64 items_left_;  ///< of scripts: a run of items takes two bytes whatever its length
    u64 classes_left_ = kFreeClasses;
    Structure out_;
    ItemForecast symbols_;
    ColumnReader columns_;
    FunctionTableReader functions_;
};

}  // namespace

Structure read_structure(FieldReader& in, u64 locations) {
    return StructureReader(in).run(locations);
}

Structure decode_structure(std::string_view bytes, const std::string& name) {
    FieldReader in(bytes, name);
    return read_structure(in, kNone);
}

std::string encode_structure(const Structure& structure) {
    return StructureWriter(structure).run();
}

std::string encode_definitions(const Structure& structure, std::string_view text) {
    ByteWriter out;
    out.put_text(text);
    out.put_bytes(encode_structure(structure));
    return out.take();
}

Structure read_definitions(FieldReader& in, std::string& text) {
    const u64 size = in.at(FieldRole::text_size).get_count(1);
    text.clear();
    for (u64 i = 0; i < size; ++i) {
        text.push_back(static_cast<char>(in.at_byte(FieldRole::text).get_u8()));
    }
    return read_structure(in, 1);
}

namespace {

void put_variants(ByteWriter& out, ColumnWriter& columns,
                  const std::vector<std::vector<Variant>>& table) {
    for (const std::vector<Variant>& variants : table) {
        out.put_varint(variants.size());
        for (const Variant& variant : variants) {
            columns.put_column(variant.column);
            put_participants(out, variant.participants);
        }
    }
}

std::vector<std::vector<Variant>> get_variants(FieldReader& in, ColumnReader& columns,
                                               std::size_t rows) {
    std::vector<std::vector<Variant>> table(rows);
    for (std::vector<Variant>& variants : table) {
        const u64 count = in.get_count(2);
        for (u64 i = 0; i < count; ++i) {
            const u32 column = columns.get_column();
            variants.push_back({column, get_participants(in)});
        }
    }
    return table;
}

}  // namespace

std::string encode_partial(const PartialStructure& partial) {
    ByteWriter out;
    ColumnWriter columns(out, partial.patterns, partial.columns);
    out.put_varint(partial.symbols.size());
    SymbolWriter symbols(out);
    for (std::size_t i = 0; i < partial.symbols.size(); ++i) {
        symbols.put(partial.symbol_streams[i], partial.symbols[i]);
    }
    for (const auto& slots : partial.slots) put_variants(out, columns, slots);
    out.put_varint(partial.peer_alternatives.size());
    for (const auto& [place, alternatives] : partial.peer_alternatives) {
        out.put_varint(place.first);
        out.put_varint(place.second);
        put_variants(out, columns, {alternatives.begin(), alternatives.end()});
    }
    out.put_varint(partial.scripts.size());
    for (std::size_t i = 0; i < partial.scripts.size(); ++i) {
        const Script& script = partial.scripts[i];
        out.put_u8(static_cast<u8>(script.stream));
        columns.put_pattern(script.pattern);
        put_items(out, script.symbols);
        put_participants(out, partial.script_participants[i]);
        put_variants(out, columns, partial.script_counts[i]);
    }
    out.put_varint(partial.facts.size());
    for (const auto& [location, facts] : partial.facts) {
        out.put_varint(location);
        for (const u64 fact : facts.to_array()) out.put_varint(fact);
    }
    return out.take();
}

PartialStructure decode_partial(std::string_view bytes) {
    FieldReader in(bytes, "the folded trace from another process");
    PartialStructure partial;
    ColumnReader columns(in, partial.patterns, partial.columns);
    const u64 symbol_count = in.get_count(1);
    SymbolReader symbols(in);
    for (u64 i = 0; i < symbol_count; ++i) {
        Stream stream{};
        partial.symbols.push_back(symbols.get(stream));
        partial.symbol_streams.push_back(stream);
    }
    for (std::size_t i = 0; i < partial.symbols.size(); ++i) {
        const std::size_t slots = slots_of(partial.symbol_streams[i], partial.symbols[i]).size();
        partial.slots.push_back(get_variants(in, columns, slots));
    }
    const u64 peer_slots = in.get_count(2 + kPeerEncodings - 1);
    for (u64 i = 0; i < peer_slots; ++i) {
        const u32 symbol = in.get_u32();
        const u32 slot = in.get_u32();
        PeerAlternatives& alternatives = partial.peer_alternatives[{symbol, slot}];
        auto table = get_variants(in, columns, alternatives.size());
        std::move(table.begin(), table.end(), alternatives.begin());
    }
    const u64 script_count = in.get_count(3);
    for (u64 i = 0; i < script_count; ++i) {
        Script script;
        const u8 stream = in.get_u8();
        if (stream > static_cast<u8>(Stream::global_definitions)) {
            in.fail("a script belongs to an unknown stream");
        }
        script.stream = static_cast<Stream>(stream);
        script.pattern = columns.get_pattern();
        u64 budget = partial.symbols.size();
        script.symbols = get_items(in, partial.symbols.size(), budget);
        const std::size_t nodes = partial.patterns[script.pattern].node_count();
        partial.scripts.push_back(std::move(script));
        partial.script_participants.push_back(get_participants(in));
        partial.script_counts.push_back(get_variants(in, columns, nodes));
    }
    const u64 fact_count = in.get_count(1 + LocationFacts::kFields);
    for (u64 i = 0; i < fact_count; ++i) {
        const u32 location = in.get_u32();
        std::array<u64, LocationFacts::kFields> facts{};
        for (u64& fact : facts) fact = in.get_varint();
        partial.facts.emplace(location, LocationFacts::from_array(facts));
    }
    in.expect_end();
    return partial;
}

}  // namespace tracefold
