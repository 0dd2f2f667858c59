// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/symbol_table.hpp"
#include "model/dictionary.hpp"
#include "model/record_batch.hpp"
#include "model/symbol.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// The encoding of a global String definition's text:
/// - as an entry of the dictionary: `code` is 2 * entry + 1;
/// - in the text section: `code` is 2 * length;
/// - as the numbers in which it differs from a model: `code` is the context of the symbol.
struct StringForm {
    u64 code = 0;
    bool literal = false;
    bool numbered = false;
    std::vector<u64> numbers;
};

/// Chooses the encoding of strings. A name with numbers gets a model if the dictionary has one, or
/// after kUsesBefore names of its shape. Memory: the distinct shapes of names with numbers that the
/// dictionary does not know.
class StringEncoder {
  public:
    /// The dictionary must outlive this.
    explicit StringEncoder(const Dictionary& dictionary);

    /// Returns the encoding of the next String definition, in source order.
    StringForm encode(std::string_view text);

  private:
    static constexpr u32 kUsesBefore = 3;
    static constexpr u32 kSoon = 100;  ///< number of entries that are searched first

    struct Model {
        std::string text;
        u64 code = 0;
        u32 uses = 0;
    };

    [[nodiscard]] u32 find_entry(std::string_view text) const;

    const Dictionary& dictionary_;
    std::unordered_map<std::string, Model> models_;  ///< by shape
    u64 next_ = 0;                                   ///< number of the next String definition
    u32 entry_ = 0;  ///< after the last one used; some texts occur in several entries
};

/// The inverse of StringEncoder.
class StringDecoder {
  public:
    /// `symbols` are those of the stream, with the models. The dictionary must outlive this.
    StringDecoder(const std::vector<Symbol>& symbols, const Dictionary& dictionary);

    /// Returns the text of an odd code. Throws Error(corrupt) for an unknown entry.
    [[nodiscard]] std::string_view known(u64 code) const;
    /// Returns the text of a numbered string. Throws Error(corrupt) if its model is unknown.
    std::string join(const Element& element, std::span<const u64> numbers) const;
    /// Call for each String definition in order.
    void note(std::string_view text);

  private:
    const Dictionary& dictionary_;
    std::unordered_map<u64, std::string> models_;  ///< by definition number; filled later
    u64 next_ = 0;
};

/// Predicts the role of a region: that of the dictionary's region of the same name.
class RolePrediction {
  public:
    /// The dictionary must outlive this.
    explicit RolePrediction(const Dictionary& dictionary) : dictionary_(dictionary) {}

    /// Call for each String definition.
    void note(u64 id, std::string_view text);
    [[nodiscard]] u64 role(u64 name) const;

  private:
    const Dictionary& dictionary_;
    std::unordered_map<u64, u8> roles_;
};

/// Returns the event counts of the locations one by one, in definition order.
using EventCounts = std::function<u64()>;

/// Encodes definition records as symbols (one per record type, and one per model of numbered
/// strings) and columns (one per field), which fold like calls. StringEncoder encodes global
/// strings; literal ones go to a separate text. Characters of local definitions, which are rare, go
/// to a column.
class DefinitionEncoder {
  public:
    /// `events` returns, location by location, the number of events read; only the difference to
    /// the defined number is stored. Without it, 0 is assumed. `dictionary` is that of the file.
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
    /// `text` is the encoder's; both must outlive the decoder. Other arguments as in the encoder.
    DefinitionDecoder(Stream stream, const std::vector<Symbol>& symbols, const std::string& text,
                      EventCounts events = {},
                      const Dictionary& dictionary = Dictionary::built_in())
        : stream_(stream),
          symbols_(symbols),
          text_(text),
          events_(std::move(events)),
          strings_(symbols, dictionary),
          roles_(dictionary) {}

    /// Appends the record of one symbol from its slot values. Throws Error(corrupt).
    void decode(u32 symbol, std::span<const u64> values, RecordBatch& out);

  private:
    void decode_record(const Element& element, std::span<const u64> values, RecordBatch& out);
    void decode_string(const Element& element, std::span<const u64> values, RecordBatch& out);
    /// Consumes characters of the text.
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
