// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <vector>

#include "model/participants.hpp"
#include "model/structure.hpp"

namespace tracefold {

/// A column and the locations that use it.
struct Variant {
    u32 column = kNone;
    ParticipantList participants;
};

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
    std::map<u32, LocationFacts> facts;                            ///< by location
};

}  // namespace tracefold
