// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_pool.hpp"
#include "model/structure.hpp"

#include <map>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// The folded form of any number of locations as a set: scripts, symbols and columns by content,
/// each with its participants. Merging is a set union, independent of the order of locations and
/// the shape of a reduction tree. Memory: the distinct content.
class StructureStore {
  public:
    StructurePool& pool() { return pool_; }

    u32 intern_symbol(Stream stream, const Symbol& symbol);
    u32 intern_script(Script script);

    void assign_script(u32 script, u32 location);
    void assign_count(u32 script, u32 node, u32 column, u32 location);
    void assign_slot(u32 symbol, u32 slot, u32 column, u32 location);
    /// In addition to assign_slot() for a column of relative peers: registers its other encodings.
    /// Precondition: view.usable.
    void assign_peer_alternatives(u32 symbol, u32 slot, u32 column, const PeerView& view,
                                  u32 location);

    void set_facts(u32 location, const LocationFacts& facts) { facts_[location] = facts; }

    [[nodiscard]] const std::map<u32, LocationFacts>& facts() const { return facts_; }

    /// Merges the folded form of other locations. Precondition: no location is in both.
    void merge(const PartialStructure& other);

    /// The content in serialisable form.
    [[nodiscard]] PartialStructure partial() const;

    /// Returns the canonical structure of one stream of locations 0 .. location_count-1: depends on
    /// the content only, not on the order of merging. Cost: linear in the content plus locations x
    /// columns.
    [[nodiscard]] Structure finish(Stream stream, u32 location_count) const;

  private:
    using Variants = std::vector<Variant>;  ///< by rising column
    using Index = std::unordered_map<ContentHash, u32, ContentHashHasher>;

    static void add(Variants& variants, u32 column, u32 location);
    static void unite(Variants& variants, const Variants& others, const std::vector<u32>& columns);

    StructurePool pool_;
    std::vector<Symbol> symbols_;
    std::vector<Stream> symbol_streams_;
    std::vector<ContentHash> symbol_hashes_;
    Index symbol_index_;
    std::vector<Script> scripts_;
    Index script_index_;
    std::vector<ParticipantList> script_participants_;
    std::vector<std::vector<Variants>> script_counts_;
    std::vector<std::vector<Variants>> slots_;
    std::map<std::pair<u32, u32>, PeerAlternatives> peer_alternatives_;
    std::map<u32, LocationFacts> facts_;
};

}  // namespace tracefold
