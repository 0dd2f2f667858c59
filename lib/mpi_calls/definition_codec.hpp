// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/call_batch.hpp"
#include "model/record_batch.hpp"
#include "mpi_calls/string_codec.hpp"
#include "mpi_calls/symbol_table.hpp"

#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// Definition records as symbols (one per record type, and one per model of numbered strings) and
/// columns (one per field), so that they fold like calls. Global strings become what StringEncoder
/// makes of them; literal ones go to a text of their own. Characters of local definitions, which
/// are rare, go to a column.
class DefinitionEncoder {
  public:
    explicit DefinitionEncoder(Stream stream) : stream_(stream), table_(stream) {}

    void encode(const RecordBatch& records, CallBatch& out);

    [[nodiscard]] const std::vector<Symbol>& symbols() const { return table_.symbols(); }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    void encode_record(const RecordBatch& records, const RecordBatch::Head& head, CallBatch& out);
    void encode_string(const RecordBatch& records, const RecordBatch::Head& head, CallBatch& out);
    u32 begin(const Element& element, CallBatch& out);

    Stream stream_;
    SymbolTable table_;
    StringEncoder strings_;
    RolePrediction roles_;
    std::string text_;
};

/// The exact inverse of DefinitionEncoder.
class DefinitionDecoder {
  public:
    /// `text` is the encoder's; both must outlive the decoder.
    DefinitionDecoder(Stream stream, const std::vector<Symbol>& symbols, const std::string& text)
        : stream_(stream), symbols_(symbols), text_(text), strings_(symbols) {}

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
    StringDecoder strings_;
    RolePrediction roles_;
    std::size_t text_position_ = 0;
};

}  // namespace tracefold
