// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/format/item_codec.hpp"
#include "model/structure.hpp"

#include <string>
#include <string_view>

namespace tracefold {

/// The payload of a structure section (docs/reference/format.md, "Structure"):
///
///   structure  := locations symbols symbol* scripts script* script_of facts fact* counts slots
///   script     := stream items(symbols) mention(pattern)
///   script_of  := mention(column) per stream; fact := mention(column)
///   counts     := per script: n (gap assignment)*   nodes whose count is not 1 for all
///   slots      := per symbol, per slot: [peer_encoding] assignment      encoding of peers only
///   assignment := 0 column | 1 mention n mention* | 2 mention | 4 + number
///               | 3 mention n f (gap more)* (mention [m (gap mention)*])*
///
/// Precondition: columns and patterns are numbered by first mention, as canonical_structure() does.
std::string encode_structure(const Structure& structure);

/// The inverse. `name` says in messages what is being read. The columns of a family but the first
/// are kNone: see unfold_families(). Throws Error(corrupt).
Structure decode_structure(std::string_view bytes, const std::string& name);
/// The same for a reader that may be followed; this many locations may be expected.
Structure read_structure(FieldReader& in, u64 locations);

/// A partial structure as processes send it to each other; not part of the file format.
std::string encode_partial(const PartialStructure& partial);
PartialStructure decode_partial(std::string_view bytes);

/// The same for the definitions section: the characters of the strings, then the structure.
std::string encode_definitions(const Structure& structure, std::string_view text);
Structure read_definitions(FieldReader& in, std::string& text);

}  // namespace tracefold
