// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/structure_store.hpp"

#include "fold/columns/canonical_structure.hpp"
#include "fold/structure_pool.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Converts a column of relative peers to another encoding without unwinding: only its values
/// change, the pattern stays. kNone if impossible (a progression modulo the size). Precondition:
/// view.usable. Cost: linear in the folded column.
u32 reencode_peers(StructurePool& pool, u32 id, PeerEncoding encoding, const PeerView& view) {
    Column column = pool.columns()[id];
    const auto recode = [&](u64 value) {
        return encode_relative_peer(value, encoding, view.rank, view.size);
    };
    switch (column.form) {
        case Column::Form::constant:
            column.start = recode(column.start);
            break;
        case Column::Form::list:
        case Column::Form::periodic:
            for (u64& value : column.values) value = recode(value);
            break;
        case Column::Form::runs:
            for (std::size_t i = 0; i < column.values.size(); i += 2) {
                column.values[i] = recode(column.values[i]);
            }
            break;
        case Column::Form::folded: {
            const u32 leaves = pool.patterns()[column.pattern].leaf_count;
            std::vector<u64> letters =
                unwind({pool.patterns(), pool.columns()}, column.alphabet, leaves);
            for (u64& letter : letters) letter = recode(letter);
            column.alphabet = intern_alphabet(pool, std::move(letters));
            break;
        }
        case Column::Form::progression:
        case Column::Form::differences:
            if (encoding != PeerEncoding::absolute) return kNone;
            column.start = recode(column.start);
            break;
    }
    return pool.intern(std::move(column));
}

}  // namespace

u32 StructureStore::intern_symbol(Stream stream, const Symbol& symbol) {
    std::string key = symbol_key(symbol);
    key.push_back(static_cast<char>(stream));
    const ContentHash hash = content_hash(key);
    const auto [found, fresh] = symbol_index_.emplace(hash, static_cast<u32>(symbols_.size()));
    if (fresh) {
        symbols_.push_back(symbol);
        symbol_streams_.push_back(stream);
        symbol_hashes_.push_back(hash);
        slots_.emplace_back(slots_of(stream, symbol).size());
    }
    return found->second;
}

u32 StructureStore::intern_script(Script script) {
    std::vector<u64> key{static_cast<u64>(script.stream)};
    const auto put = [&key](const ContentHash& hash) {
        key.push_back(hash.low);
        key.push_back(hash.high);
    };
    put(pool_.pattern_hash(script.pattern));
    for (const u32 symbol : script.symbols) put(symbol_hashes_[symbol]);
    const auto [found, fresh] =
        script_index_.emplace(content_hash(key), static_cast<u32>(scripts_.size()));
    if (fresh) {
        script_counts_.emplace_back(pool_.patterns()[script.pattern].node_count());
        script_participants_.emplace_back();
        scripts_.push_back(std::move(script));
    }
    return found->second;
}

void StructureStore::add(Variants& variants, u32 column, u32 location) {
    // A slot may have a column for every location; these are new, and come last.
    auto place = variants.end();
    if (!variants.empty() && variants.back().column >= column) {
        place = std::ranges::lower_bound(variants, column, {}, &Variant::column);
    }
    if (place == variants.end() || place->column != column) {
        place = variants.insert(place, {column, {}});
    }
    place->participants.add(location);
}

void StructureStore::assign_script(u32 script, u32 location) {
    script_participants_[script].add(location);
}

void StructureStore::assign_count(u32 script, u32 node, u32 column, u32 location) {
    add(script_counts_[script][node], column, location);
}

void StructureStore::assign_slot(u32 symbol, u32 slot, u32 column, u32 location) {
    add(slots_[symbol][slot], column, location);
}

void StructureStore::assign_peer_alternatives(u32 symbol, u32 slot, u32 column,
                                              const PeerView& view, u32 location) {
    PeerAlternatives& alternatives = peer_alternatives_[{symbol, slot}];
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
        if (alternatives[i].size() > kMostAlternatives) continue;
        const u32 recoded = reencode_peers(pool_, column, static_cast<PeerEncoding>(i + 1), view);
        if (recoded != kNone) add(alternatives[i], recoded, location);
    }
}

void StructureStore::unite(Variants& variants, const Variants& others,
                           const std::vector<u32>& columns) {
    for (const Variant& other : others) {
        variants.push_back({columns[other.column], other.participants});
    }
    std::ranges::stable_sort(variants, {}, &Variant::column);
    std::size_t united = 0;
    for (std::size_t i = 1; i < variants.size(); ++i) {
        if (variants[i].column == variants[united].column) {
            variants[united].participants.unite(variants[i].participants);
        } else if (++united != i) {
            variants[united] = std::move(variants[i]);
        }
    }
    if (!variants.empty()) variants.resize(united + 1);
}

void StructureStore::merge(const PartialStructure& other) {
    ColumnCopier copier({other.patterns, other.columns}, pool_);
    std::vector<u32> columns;
    for (u32 id = 0; id < other.columns.size(); ++id) columns.push_back(copier.copy(id));
    std::vector<u32> symbols;
    for (std::size_t i = 0; i < other.symbols.size(); ++i) {
        const u32 id = intern_symbol(other.symbol_streams[i], other.symbols[i]);
        symbols.push_back(id);
        for (std::size_t slot = 0; slot < other.slots[i].size(); ++slot) {
            unite(slots_[id][slot], other.slots[i][slot], columns);
        }
    }
    for (const auto& [place, alternatives] : other.peer_alternatives) {
        PeerAlternatives& mine = peer_alternatives_[{symbols[place.first], place.second}];
        for (std::size_t i = 0; i < mine.size(); ++i) unite(mine[i], alternatives[i], columns);
    }
    for (std::size_t i = 0; i < other.scripts.size(); ++i) {
        Script script = other.scripts[i];
        script.pattern = pool_.intern(other.patterns[script.pattern]);
        for (u32& symbol : script.symbols) symbol = symbols[symbol];
        const u32 id = intern_script(std::move(script));
        script_participants_[id].unite(other.script_participants[i]);
        for (std::size_t node = 0; node < other.script_counts[i].size(); ++node) {
            unite(script_counts_[id][node], other.script_counts[i][node], columns);
        }
    }
    facts_.insert(other.facts.begin(), other.facts.end());
}

PartialStructure StructureStore::partial() const {
    return {pool_.patterns(),     pool_.columns(), symbols_, symbol_streams_,    scripts_,
            script_participants_, script_counts_,  slots_,   peer_alternatives_, facts_};
}

Structure StructureStore::finish(Stream stream, u32 location_count) const {
    return canonical_structure(partial(), stream, location_count);
}

}  // namespace tracefold
