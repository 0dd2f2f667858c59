// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/symbol.hpp"
#include "mpi_calls/record_traits.hpp"

#include <map>
#include <vector>

namespace tracefold {

/// The symbols of one location stream and where their slots lie among its columns. Elements are
/// numbered by content; a symbol is a way from the root of a trie over element numbers, so the hot
/// path hashes nothing.
class SymbolTable {
  public:
    /// Layout of a symbol's element within the location's columns.
    struct ElementColumns {
        u32 first = 0;  ///< column of its first immediate slot
        u32 late = 0;   ///< column of its first late slot
    };
    struct Entry {
        std::vector<ElementColumns> elements;
        u32 first_group = 0;  ///< timing group of its first element
    };

    explicit SymbolTable(Stream stream) : stream_(stream), trie_(1) {}

    /// Number of an element by content.
    u32 element(const Element& element);
    [[nodiscard]] const Element& operator[](u32 element) const { return elements_[element]; }

    static constexpr u32 kRoot = 0;
    /// The trie node after appending an element; it is known by `key` from now on.
    u32 step(u32 node, u32 element, RecordKey key = kNoKey);
    /// The trie node after appending an element known by its key; kNone if there is none. Cost: a
    /// compare if the last step from this node was the same.
    u32 follow(u32 node, RecordKey key) {
        const Way& last = trie_[node].last;
        return last.key == key ? last.target : turn(node, key);
    }
    [[nodiscard]] u32 parent(u32 node) const { return trie_[node].parent; }
    /// The element that leads to a node. Precondition: not the root.
    [[nodiscard]] u32 element_at(u32 node) const { return trie_[node].element; }
    /// Record type of that element; kCompletions for the root.
    [[nodiscard]] u8 type_at(u32 node) const { return trie_[node].type; }
    /// The symbol spelled by the way to a node, numbered in the order of first use.
    u32 symbol_at(u32 node) {
        const u32 symbol = trie_[node].symbol;
        return symbol != kNone ? symbol : make_symbol(node);
    }

    [[nodiscard]] const Entry& entry(u32 symbol) const { return entries_[symbol]; }
    [[nodiscard]] const std::vector<Symbol>& symbols() const { return symbols_; }

  private:
    struct Way {
        RecordKey key = kNoKey;
        u32 target = kNone;
    };
    struct Edge {
        u32 element;
        u32 target;
    };
    struct Node {
        Way last;  ///< the one followed last
        u32 parent = 0;
        u32 element = kNone;
        u32 symbol = kNone;
        u8 type = kCompletions;
        std::vector<Way> ways = {};
        std::vector<Edge> edges = {};  ///< of the root: none, see singles_
    };

    u32 turn(u32 node, RecordKey key);
    u32 child(u32 node, u32 element);
    u32 make_symbol(u32 node);

    Stream stream_;
    std::vector<Element> elements_;
    std::map<Element, u32> element_index_;
    std::vector<u32> singles_;  ///< by element: the child of the root
    std::vector<Node> trie_;
    std::vector<Symbol> symbols_;
    std::vector<Entry> entries_;
    u32 columns_ = 0;
    u32 groups_ = 0;
};

}  // namespace tracefold
