// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/call_batch.hpp"
#include "model/record_batch.hpp"
#include "mpi_calls/symbol_table.hpp"

#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// Definition records as symbols (one per record type) and columns (one per field), so that they
/// fold like calls. Characters of global definitions go to a text of their own, those of local
/// definitions, which are rare, to a column.
class DefinitionEncoder {
  public:
    explicit DefinitionEncoder(Stream stream) : stream_(stream), table_(stream) {}

    void encode(const RecordBatch& records, CallBatch& out);

    [[nodiscard]] const std::vector<Symbol>& symbols() const { return table_.symbols(); }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    Stream stream_;
    SymbolTable table_;
    std::string text_;
};

/// The exact inverse of DefinitionEncoder.
class DefinitionDecoder {
  public:
    /// `text` is the encoder's; both must outlive the decoder.
    DefinitionDecoder(Stream stream, const std::vector<Symbol>& symbols, const std::string& text)
        : stream_(stream), symbols_(symbols), text_(text) {}

    /// Appends the record of one symbol from the values of its slots.
    void decode(u32 symbol, std::span<const u64> values, RecordBatch& out);

  private:
    Stream stream_;
    const std::vector<Symbol>& symbols_;
    const std::string& text_;
    std::size_t text_position_ = 0;
};

}  // namespace tracefold
