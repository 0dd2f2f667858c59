// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Content common to nearly all archives: the strings that recorders define, the roles of the
/// regions among them, and samples of sections for the compressor. Files record the number of their
/// dictionary; a number identifies the same content for ever. Number 0 is empty: files that use it
/// need no dictionary to be read.
class Dictionary {
  public:
    static constexpr u16 kNumber = 1;      ///< of the built-in one
    static constexpr u16 kNoneNumber = 0;  ///< of the empty one

    struct Entry {
        std::string_view text;
        u8 role = 0;            ///< OTF2_RegionRole of a region of this name; 0 if not a region
        bool numbered = false;  ///< a model of numbered names
        u8 since = 0;           ///< MPI version that introduced the function; 0: before 3.0
    };

    /// The built-in dictionary, made from lib/model/dictionary/ at first use.
    static const Dictionary& built_in();
    /// The empty dictionary of portable files.
    static const Dictionary& none();

    [[nodiscard]] u16 number() const { return number_; }

    [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
    /// Returns the number of the entry with this text, kNone if there is none.
    [[nodiscard]] u32 find(std::string_view text) const;
    /// Finds an entry by text; of several, prefers the first one that directly follows an entry
    /// with the text `before`. Cost: the number of entries with this text.
    [[nodiscard]] u32 find(std::string_view text, std::string_view before) const;
    /// A zstd dictionary: entropy tables, the texts of all entries, and samples of sections.
    [[nodiscard]] std::string_view compression() const { return compression_; }
    /// Training data of the context models: sections, each after its kind and size (varints).
    [[nodiscard]] std::string_view sections() const { return sections_; }

  private:
    explicit Dictionary(u16 number) : number_(number) {}
    static Dictionary parsed();
    void add_functions_before(u8 version, std::size_t lines);
    void make_index();

    u16 number_;
    std::vector<Entry> entries_;
    std::unordered_map<std::string_view, u32> index_;  ///< text -> first entry with it
    std::vector<u32> next_equal_;  ///< by entry: the next one with the same text, or kNone
    std::string compression_;
    std::string sections_;
};

}  // namespace tracefold
