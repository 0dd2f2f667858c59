// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/call_batch.hpp"
#include "model/record_batch.hpp"
#include "mpi_calls/string_codec.hpp"
#include "mpi_calls/symbol_table.hpp"

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// Numbers of events of the locations, in the order of their definitions.
using EventCounts = std::function<u64()>;

/// Definition records as symbols (one per record type, and one per model of numbered strings) and
/// columns (one per field), so that they fold like calls. Global strings become what StringEncoder
/// makes of them; literal ones go to a text of their own. Characters of local definitions, which
/// are rare, go to a column.
class DefinitionEncoder {
  public:
    /// `events` gives, location by location, how many events of it were read; only the difference
    /// of a definition's number to it is kept. None is the same as 0. `dictionary` is that of the
    /// file.
    explicit DefinitionEncoder(Stream stream, EventCounts events = {},
                               const Dictionary& dictionary = Dictionary::built_in())
        : stream_(stream),
          table_(stream),
          events_(std::move(events)),
          strings_(dictionary),
          roles_(dictionary) {}

    void encode(const RecordBatch& records, CallBatch& out);

    [[nodiscard]] const std::vector<Symbol>& symbols() const { return table_.symbols(); }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    void encode_record(const RecordBatch& records, const RecordBatch::Head& head, CallBatch& out);
    void encode_string(const RecordBatch& records, const RecordBatch::Head& head, CallBatch& out);
    u32 begin(const Element& element, CallBatch& out);

    Stream stream_;
    SymbolTable table_;
    EventCounts events_;
    StringEncoder strings_;
    RolePrediction roles_;
    std::string text_;
};

/// The exact inverse of DefinitionEncoder.
class DefinitionDecoder {
  public:
    /// `text` is the encoder's; both must outlive the decoder. `events` and `dictionary` are what
    /// the encoder got.
    DefinitionDecoder(Stream stream, const std::vector<Symbol>& symbols, const std::string& text,
                      EventCounts events = {},
                      const Dictionary& dictionary = Dictionary::built_in())
        : stream_(stream),
          symbols_(symbols),
          text_(text),
          events_(std::move(events)),
          strings_(symbols, dictionary),
          roles_(dictionary) {}

    /// Appends the record of one symbol from the values of its slots. Throws Error(corrupt) for a
    /// string that is not there.
    void decode(u32 symbol, std::span<const u64> values, RecordBatch& out);

  private:
    void decode_record(const Element& element, std::span<const u64> values, RecordBatch& out);
    void decode_string(const Element& element, std::span<const u64> values, RecordBatch& out);
    /// The next characters of the text.
    std::string_view literal(u64 length);

    Stream stream_;
    const std::vector<Symbol>& symbols_;
    const std::string& text_;
    EventCounts events_;
    StringDecoder strings_;
    RolePrediction roles_;
    std::size_t text_position_ = 0;
};

}  // namespace tracefold
