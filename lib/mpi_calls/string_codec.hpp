// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/dictionary.hpp"
#include "model/symbol.hpp"

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// How the text of a global String definition is kept:
/// - as an entry of the dictionary: `code` is 2 * entry + 1;
/// - in the text section: `code` is 2 * length;
/// - as the numbers in which it differs from a model: `code` is the context of the symbol.
struct StringForm {
    u64 code = 0;
    bool literal = false;
    bool numbered = false;
    std::vector<u64> numbers;
};

/// Decides how strings are kept. A name with numbers gets a model if the dictionary has one, or if
/// kUsesBefore names of its shape came before. Memory: the distinct shapes of names with numbers
/// that the dictionary does not know.
class StringEncoder {
  public:
    /// The dictionary must outlive this.
    explicit StringEncoder(const Dictionary& dictionary);

    /// The form of the next String definition, in source order.
    StringForm encode(std::string_view text);

  private:
    static constexpr u32 kUsesBefore = 3;
    static constexpr u32 kSoon = 100;  ///< entries, among which one is looked for first

    struct Model {
        std::string text;
        u64 code = 0;
        u32 uses = 0;
    };

    [[nodiscard]] u32 find_entry(std::string_view text) const;

    const Dictionary& dictionary_;
    std::unordered_map<std::string, Model> models_;  ///< by shape
    u64 next_ = 0;                                   ///< number of the next String definition
    u32 entry_ = 0;  ///< after the last one used; some texts are entries several times
};

/// The inverse of StringEncoder.
class StringDecoder {
  public:
    /// `symbols` are those of the stream; they tell which strings are models. The dictionary must
    /// outlive this.
    StringDecoder(const std::vector<Symbol>& symbols, const Dictionary& dictionary);

    /// The text of the next String definition, if its code is odd.
    /// Throws Error(corrupt) for an entry that the dictionary does not have.
    [[nodiscard]] std::string_view known(u64 code) const;
    /// The text of a numbered string. Throws Error(corrupt) if there is no such model.
    std::string join(const Element& element, std::span<const u64> numbers) const;
    /// To be told about each String definition in order.
    void note(std::string_view text);

  private:
    const Dictionary& dictionary_;
    std::unordered_map<u64, std::string> models_;  ///< by number of the definition; empty at first
    u64 next_ = 0;
};

/// What a region's role is expected to be: that of the dictionary's region of the same name.
class RolePrediction {
  public:
    /// The dictionary must outlive this.
    explicit RolePrediction(const Dictionary& dictionary) : dictionary_(dictionary) {}

    /// To be told about each String definition.
    void note(u64 id, std::string_view text);
    /// The role of a region with this name.
    [[nodiscard]] u64 role(u64 name) const;

  private:
    const Dictionary& dictionary_;
    std::unordered_map<u64, u8> roles_;
};

}  // namespace tracefold
