// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/types.hpp"
#include "model/symbol.hpp"

namespace tracefold {

/// Nested loops over leaves: a power regular section descriptor without its counts. Leaves are
/// numbered 0 .. leaf_count-1 in the order of their first execution; loop k is item leaf_count + k
/// and its body holds leaves and loops of a lower index only. How often a leaf is repeated and a
/// loop iterates is not part of the pattern (elastic counts): it stands in one column per node.
struct Pattern {
    u32 leaf_count = 0;
    std::vector<std::vector<u32>> loops;
    std::vector<u32> root;

    bool operator==(const Pattern&) const = default;

    [[nodiscard]] std::size_t node_count() const { return leaf_count + loops.size(); }
};

/// A sequence of 64-bit numbers in folded form. Arithmetic is modulo 2^64.
struct Column {
    enum class Form : u8 {
        constant,     ///< start, start, ... as often as asked
        progression,  ///< start, start + stride, ... as often as asked
        list,         ///< values
        folded,       ///< pattern over the alphabet's values
        differences,  ///< start, then the running sum of a pattern over the alphabet's differences
    };

    Form form = Form::constant;
    u64 start = 0;
    u64 stride = 0;
    std::vector<u64> values;
    u32 pattern = kNone;         ///< id of a Pattern
    u32 alphabet = kNone;        ///< id of a Column with the value of each leaf
    std::vector<u32> counts;     ///< per pattern node the id of its count column; kNone: always 1

    bool operator==(const Column&) const = default;

    [[nodiscard]] bool is_folded() const {
        return form == Form::folded || form == Form::differences;
    }
};

/// The control flow of one or more locations: a pattern whose leaves are symbols.
struct Script {
    Stream stream = Stream::events;
    u32 pattern = kNone;
    std::vector<u32> symbols;  ///< symbol id per leaf

    bool operator==(const Script&) const = default;
};

/// Which column each participant uses for one argument or count. `classes` is a column over the
/// participants in rising order that names the class of each; classes are numbered in the order of
/// their first participant, and columns[c] is the column of class c.
struct Assignment {
    u32 classes = kNone;
    std::vector<u32> columns;

    bool operator==(const Assignment&) const = default;
};

/// Facts about one location that no record states.
struct LocationFacts {
    u64 event_count = 0;             ///< records in the event stream
    u64 local_definition_count = 0;  ///< records in the local definition stream
    bool has_event_file = false;
    bool has_local_definition_file = false;

    bool operator==(const LocationFacts&) const = default;
};

/// All locations of an archive, folded in time and merged over ranks, in canonical numbering: the
/// same archive gives the same Structure for every number of processes.
struct Structure {
    std::vector<Pattern> patterns;
    std::vector<Column> columns;  ///< a column refers to columns of lower index only
    std::vector<Symbol> symbols;
    std::vector<Stream> symbol_streams;
    std::vector<Script> scripts;
    /// Per location stream: a column over the locations with 0 (no records) or 1 + script id.
    std::vector<u32> script_of;
    std::vector<std::vector<Assignment>> script_counts;  ///< [script][pattern node]
    std::vector<std::vector<Assignment>> slots;          ///< [symbol][slot]
    u32 location_count = 0;

    bool operator==(const Structure&) const = default;
};

}  // namespace tracefold
