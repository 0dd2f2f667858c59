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

/// What nearly all archives repeat: the strings that recorders define, the roles of the regions
/// among them, and samples of sections for the compressor. Files name the dictionary that they were
/// written with; a number stands for the same content for ever. Number 0 is empty: what is written
/// with it can be read with nothing else at hand.
class Dictionary {
  public:
    static constexpr u16 kNumber = 1;      ///< of the built-in one
    static constexpr u16 kNoneNumber = 0;  ///< of the empty one

    struct Entry {
        std::string_view text;
        u8 role = 0;            ///< OTF2_RegionRole of a region of this name; 0 if it is none
        bool numbered = false;  ///< a model of names that differ in their numbers
        u8 since = 0;           ///< version of MPI that a function came with; 0: before 3.0
    };

    /// Made from lib/model/dictionary/ at the first use.
    static const Dictionary& built_in();
    /// The empty one, of portable files.
    static const Dictionary& none();

    [[nodiscard]] u16 number() const { return number_; }

    [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
    /// The number of the entry with this text, kNone if there is none.
    [[nodiscard]] u32 find(std::string_view text) const;
    /// The same, but of several entries with this text the first one that stands behind one with
    /// the text `before`, if there is one. Cost: the entries with this text.
    [[nodiscard]] u32 find(std::string_view text, std::string_view before) const;
    /// A dictionary of zstd: tables, the texts of all entries, and samples of sections.
    [[nodiscard]] std::string_view compression() const { return compression_; }
    /// Sections, each after its kind and size (varints): what a model of such sections starts from.
    [[nodiscard]] std::string_view sections() const { return sections_; }

  private:
    explicit Dictionary(u16 number) : number_(number) {}
    static Dictionary parsed();
    void add_functions_before(u8 version, std::size_t lines);
    void make_index();

    u16 number_;
    std::vector<Entry> entries_;
    std::unordered_map<std::string_view, u32> index_;  ///< the first entry with a text
    std::vector<u32> next_equal_;                      ///< by entry; kNone: no other one
    std::string compression_;
    std::string sections_;
};

}  // namespace tracefold
