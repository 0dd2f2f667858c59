// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/column_codec.hpp"
#include "format/item_codec.hpp"
#include "format/participants_codec.hpp"
#include "format/structure_codec.hpp"
#include "format/symbol_codec.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

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
