// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/symbol_table.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

u32 SymbolTable::element(const Element& element) {
    const auto [found, fresh] = element_index_.emplace(element, static_cast<u32>(elements_.size()));
    if (fresh) elements_.push_back(element);
    return found->second;
}

u32 SymbolTable::step(u32 node, u32 element) {
    std::vector<Edge>& edges = trie_[node].edges;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i].element != element) continue;
        // Edges in use move to the front, so the search stays short.
        if (i != 0) std::swap(edges[i], edges[i / 2]);
        return edges[i / 2].target;
    }
    const u32 target = static_cast<u32>(trie_.size());
    edges.push_back({element, target});
    trie_.push_back({node, element, kNone, {}});
    return target;
}

u32 SymbolTable::symbol_at(u32 node) {
    if (trie_[node].symbol == kNone) trie_[node].symbol = make_symbol(node);
    return trie_[node].symbol;
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
    symbols_.push_back(std::move(symbol));
    entries_.push_back(std::move(entry));
    return static_cast<u32>(symbols_.size() - 1);
}

}  // namespace tracefold
