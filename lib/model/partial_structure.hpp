// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/participants.hpp"
#include "model/structure.hpp"

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace tracefold {

/// A column and the locations that use it.
struct Variant {
    u32 column = kNone;
    ParticipantList participants;
};

/// The variants of a slot in the encodings other than relative. An encoding whose participants are
/// fewer than the slot's is not possible for all of them.
using PeerAlternatives = std::array<std::vector<Variant>, kPeerEncodings - 1>;

/// The folded form of some of an archive's locations: what processes send each other on the way to
/// a Structure. Ids are local to this object.
struct PartialStructure {
    std::vector<Pattern> patterns;
    std::vector<Column> columns;  ///< a column refers to columns of lower index only
    std::vector<Symbol> symbols;
    std::vector<Stream> symbol_streams;
    std::vector<Script> scripts;
    std::vector<ParticipantList> script_participants;
    std::vector<std::vector<std::vector<Variant>>> script_counts;  ///< [script][node]
    std::vector<std::vector<std::vector<Variant>>> slots;          ///< [symbol][slot]
    /// Slots of peers in the other encodings, as far as they are possible: by (symbol, slot).
    std::map<std::pair<u32, u32>, PeerAlternatives> peer_alternatives;
    std::map<u32, LocationFacts> facts;  ///< by location
};

}  // namespace tracefold
