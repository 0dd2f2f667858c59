// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "file/format/item_codec.hpp"
#include "model/participants.hpp"
#include "model/symbol.hpp"

namespace tracefold {

/// Writes symbols one after another (docs/reference/format.md, "Symbols"):
///
///   symbol  := elements * 4 + stream, element*
///   element := type [flags [array_count] [attributes (ref type)*]] [context]
///
/// `type` is one byte: 0x7F for a run of completions, with 0x80 added if flags follow (1: fields
/// verbatim, 2: array_count, 4: attributes). `context`, of records that carry one and of numbered
/// strings, is a signed varint: the difference to the context before it.
class SymbolWriter {
  public:
    explicit SymbolWriter(ByteWriter& out) : out_(out) {}
    void put(Stream stream, const Symbol& symbol);

  private:
    void put_element(Stream stream, const Element& element);

    ByteWriter& out_;
    u64 last_context_ = 0;
};

/// The inverse. Throws Error(corrupt) for types that do not exist.
class SymbolReader {
  public:
    explicit SymbolReader(FieldReader& in) : in_(in) {}
    Symbol get(Stream& stream);

  private:
    Element get_element(Stream stream);
    u8 get_flags(Element& element);

    FieldReader& in_;
    u64 last_context_ = 0;
};

/// A set of participants as processes send it to each other: three varints per progression.
void put_participants(ByteWriter& out, const ParticipantList& list);

/// Throws Error(corrupt). Cost: linear in the members.
ParticipantList get_participants(ByteReader& in);

}  // namespace tracefold
