// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/symbol_table.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Finds an entry; entries in use move to the front, so the search stays short.
template <class Entry, class Matches>
const Entry* find_to_front(std::vector<Entry>& entries, const Matches& matches) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!matches(entries[i])) continue;
        if (i != 0) std::swap(entries[i], entries[i / 2]);
        return &entries[i / 2];
    }
    return nullptr;
}

}  // namespace

u32 SymbolTable::element(const Element& element) {
    const auto [found, fresh] = element_index_.emplace(element, static_cast<u32>(elements_.size()));
    if (fresh) {
        elements_.push_back(element);
        singles_.push_back(kNone);
    }
    return found->second;
}

u32 SymbolTable::child(u32 node, u32 element) {
    if (node == kRoot) {
        if (singles_[element] != kNone) return singles_[element];
        singles_[element] = static_cast<u32>(trie_.size());
    } else {
        const auto same = [element](const Edge& edge) { return edge.element == element; };
        const Edge* const known = find_to_front(trie_[node].edges, same);
        if (known != nullptr) return known->target;
        trie_[node].edges.push_back({element, static_cast<u32>(trie_.size())});
    }
    trie_.push_back({{}, node, element, kNone, elements_[element].type});
    return static_cast<u32>(trie_.size() - 1);
}

u32 SymbolTable::step(u32 node, u32 element, RecordKey key) {
    const u32 target = child(node, element);
    if (key != kNoKey) {
        trie_[node].last = {key, target};
        trie_[node].ways.push_back({key, target});
    }
    return target;
}

/// Another way than the last one from this node.
u32 SymbolTable::turn(u32 node, RecordKey key) {
    if (key == kNoKey) return kNone;
    const auto same = [key](const Way& way) { return way.key == key; };
    const Way* const known = find_to_front(trie_[node].ways, same);
    if (known == nullptr) return kNone;
    trie_[node].last = *known;
    return known->target;
}

u32 SymbolTable::make_symbol(u32 node) {
    Symbol symbol;
    for (u32 at = node; at != kRoot; at = trie_[at].parent) {
        symbol.elements.push_back(elements_[trie_[at].element]);
    }
    std::reverse(symbol.elements.begin(), symbol.elements.end());
    Entry entry;
    entry.elements.resize(symbol.elements.size(), {kNone, kNone});
    for (const Slot& slot : slots_of(stream_, symbol)) {
        ElementColumns& columns = entry.elements[slot.element];
        u32& first = slot.late ? columns.late : columns.first;
        first = std::min(first, columns_);
        ++columns_;
    }
    entry.first_group = groups_;
    groups_ += static_cast<u32>(symbol.elements.size());
    trie_[node].symbol = static_cast<u32>(symbols_.size());
    symbols_.push_back(std::move(symbol));
    entries_.push_back(std::move(entry));
    return trie_[node].symbol;
}

}  // namespace tracefold
