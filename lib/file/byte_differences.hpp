// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// How an archive's files are numbered: the global definitions, then two files of each location.
inline constexpr u64 kGlobalDefinitionsFile = 0;
constexpr u64 local_definitions_file(u32 location) { return 1 + 2 * u64{location}; }
constexpr u64 events_file(u32 location) { return 2 + 2 * u64{location}; }

/// What is kept of a file that libotf2 does not write anew as it was.
struct ContentDifferences {
    bool whole = false;  ///< libotf2 cannot write it at all: `bytes` are the file itself
    std::string bytes;   ///< or what turns the file written anew into the original

    static void each_field(auto& self, auto& visit) { visit(self.whole, self.bytes); }
    auto operator<=>(const ContentDifferences&) const = default;
};

/// One such file on its way from where it was found.
struct FileDifferences {
    u64 number = 0;
    ContentDifferences content;

    static void each_field(auto& self, auto& visit) { visit(self.number, self.content); }
    bool operator==(const FileDifferences&) const = default;
};

/// The content of a section of kept bytes (docs/reference/format.md): what proves that the files of
/// a restored archive are the original ones, and what is kept of those that libotf2 does not write
/// as they were. Files with the same content, as those of many locations are, share it.
class ByteDifferences {
  public:
    struct File {
        u64 number = 0;
        std::size_t content = 0;  ///< numbered in the order of their first file

        bool operator==(const File&) const = default;
    };

    ByteDifferences() = default;
    /// In any order; no file comes twice. `checksum`: of all files of the archive.
    ByteDifferences(std::vector<FileDifferences> files, u64 checksum);

    /// By rising number.
    [[nodiscard]] const std::vector<File>& files() const { return files_; }
    /// Null if the file is written anew as it was.
    [[nodiscard]] const ContentDifferences* find(u64 number) const;

    /// The same for an archive of which only the records are wanted: what libotf2 cannot write.
    [[nodiscard]] ByteDifferences only_whole_files() const;

    /// Of all files of the archive that have a number, together: the sum of share_of() each, modulo
    /// 2^64.
    [[nodiscard]] u64 checksum() const { return checksum_; }
    /// `checksum`: of the file.
    static u64 share_of(u64 number, u64 checksum);

    [[nodiscard]] std::string encode() const;
    /// Throws Error(corrupt); `name` says in messages what is being read.
    static ByteDifferences decode(std::string_view bytes, const std::string& name);

    bool operator==(const ByteDifferences&) const = default;

  private:
    std::vector<File> files_;
    std::vector<ContentDifferences> contents_;
    u64 checksum_ = 0;
};

}  // namespace tracefold
