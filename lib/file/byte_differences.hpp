// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// The numbering of an archive's files: the global definitions, then two files per location.
inline constexpr u64 kGlobalDefinitionsFile = 0;
constexpr u64 local_definitions_file(u32 location) { return 1 + 2 * u64{location}; }
constexpr u64 events_file(u32 location) { return 2 + 2 * u64{location}; }

/// The difference between a file and the one that is encoded from its records.
struct ContentDifferences {
    bool whole = false;  ///< it cannot be encoded: `bytes` are the whole file
    std::string bytes;   ///< otherwise the difference to the encoded file

    static void each_field(auto& self, auto& visit) { visit(self.whole, self.bytes); }
    auto operator<=>(const ContentDifferences&) const = default;
};

/// The difference of one file, by location and kind.
struct FileDifferences {
    u64 number = 0;
    ContentDifferences content;

    static void each_field(auto& self, auto& visit) { visit(self.number, self.content); }
    bool operator==(const FileDifferences&) const = default;
};

/// The content of a kept-bytes section (docs/reference/format.md): the checksum of the archive's
/// files, and the differences of those that are encoded differently. Files with equal
/// differences, usually those of many locations, share them.
class ByteDifferences {
  public:
    struct File {
        u64 number = 0;
        std::size_t content = 0;  ///< index of the difference, by first use

        bool operator==(const File&) const = default;
    };

    ByteDifferences() = default;
    /// In any order; at most one entry per file. `checksum` covers all files of the archive.
    ByteDifferences(std::vector<FileDifferences> files, u64 checksum);

    /// In ascending order of numbers.
    [[nodiscard]] const std::vector<File>& files() const { return files_; }
    /// Returns null if the encoded file is the original.
    [[nodiscard]] const ContentDifferences* find(u64 number) const;

    /// Keeps only files that cannot be encoded: for archives with equal records only.
    [[nodiscard]] ByteDifferences only_whole_files() const;

    /// The combined checksum of the archive's numbered files: the sum of share_of(), modulo 2^64.
    [[nodiscard]] u64 checksum() const { return checksum_; }
    /// `checksum` is that of the file.
    static u64 share_of(u64 number, u64 checksum);

    [[nodiscard]] std::string encode() const;
    /// Throws Error(corrupt); `name` is the source in messages.
    static ByteDifferences decode(std::string_view bytes, const std::string& name);

    bool operator==(const ByteDifferences&) const = default;

  private:
    std::vector<File> files_;
    std::vector<ContentDifferences> contents_;
    u64 checksum_ = 0;
};

}  // namespace tracefold
