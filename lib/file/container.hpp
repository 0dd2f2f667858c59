// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "base/file.hpp"
#include "base/types.hpp"
#include "model/dictionary.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Version of the file format. A reader reads every file of its major version and of those before;
/// sections that it does not know are skipped, unless they are marked as required.
inline constexpr u16 kFormatMajor = 1;
inline constexpr u16 kFormatMinor = 0;

enum class SectionKind : u32 {
    archive = 1,            ///< what the anchor says, and how the file was made
    definitions = 2,        ///< global definitions, folded, and characters of their strings
    local_definitions = 3,  ///< local definitions of all locations, folded
    structure = 4,          ///< events of all locations, folded
    file = 5,               ///< one companion or extra file
    ticks = 6,              ///< exact or quantized timing of one location
    durations = 7,          ///< timing merged over iterations and ranks
    kept_bytes = 8,         ///< what libotf2 does not write anew as it was
};

/// How a section is stored.
enum class Coding : u8 {
    plain,           ///< the content itself
    zstd,            ///< one zstd frame with the dictionary
    context_mixing,  ///< predicted bit by bit, see context_mixing/section_coder.hpp
};

/// One entry of the section table.
struct Section {
    SectionKind kind{};
    bool required = true;  ///< a reader that does not know the kind must refuse the file
    Coding coding = Coding::plain;
    u64 index = 0;   ///< location of ticks, number of a file; else 0
    u64 offset = 0;  ///< of the stored bytes in the file
    u64 stored_size = 0;
    u64 content_size = 0;
    u64 checksum = 0;       ///< XXH64 of the stored bytes; the file keeps the lower half
    bool repeated = false;  ///< the stored bytes are those of an earlier section
    /// That of the file.
    const Dictionary* dictionary = &Dictionary::built_in();
};

/// How the sections of a file are packed.
struct Packing {
    Packing(int zstd_level, bool is_portable = false) : level(zstd_level), portable(is_portable) {}

    [[nodiscard]] const Dictionary& dictionary() const {
        return portable ? Dictionary::none() : Dictionary::built_in();
    }

    int level;      ///< of zstd
    bool portable;  ///< zstd alone: no dictionary, no models
};

/// The content of a section as a file stores it.
struct StoredSection {
    std::string bytes;
    u64 content_size = 0;
    Coding coding = Coding::plain;
};

/// A zstd frame, or the content itself if that is smaller.
StoredSection pack_section(std::string_view content, const Packing& packing);
/// The inverse. Precondition: its coding is not context mixing.
std::string unpack_section(std::string_view stored, const Section& section,
                           const std::string& name);

/// Lays sections one after another into a file and ends it with the table
/// (docs/reference/format.md, "Container"). Sections written elsewhere (by other processes) are
/// placed by place().
class ContainerWriter {
  public:
    ContainerWriter(AtomicFile& file, const Packing& packing);

    /// Compresses and writes a section; content that does not get smaller is written as it is.
    void add(SectionKind kind, u64 index, std::string_view content);
    /// Writes a section as it is.
    void add(SectionKind kind, u64 index, const StoredSection& stored);
    /// Reserves the bytes of a section that somebody else writes at the returned offset. A section
    /// that looks like an earlier one of its kind, by sizes and checksum, gets the place of that
    /// one.
    u64 place(Section section);
    /// Where the next section will start.
    [[nodiscard]] u64 position() const { return position_; }
    /// Writes table and footer; the file is complete. Sections may still be added, which take the
    /// place of these; it is complete again after another finish().
    void finish();

    [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }

  private:
    [[nodiscard]] std::string header() const;

    AtomicFile& file_;
    Packing packing_;
    std::vector<Section> sections_;
    std::unordered_map<u64, std::size_t> first_;  ///< place of the first of alike ones
    u64 position_;
};

/// Opens a container and checks header, footer and table; sections are read and checked when asked
/// for. Throws Error: io, corrupt (damaged, truncated, not such a file), unsupported (a newer
/// version, an unknown required section).
class TRACEFOLD_API ContainerReader {
  public:
    /// Messages call the file by its path, or by `name`.
    explicit ContainerReader(const std::string& path, const std::string& name = "");

    /// What messages call the file.
    [[nodiscard]] const std::string& path() const { return path_; }
    /// Tells files apart that differ in any section: the checksum of the table.
    [[nodiscard]] u64 fingerprint() const { return fingerprint_; }
    [[nodiscard]] u64 file_size() const { return file_.size(); }
    [[nodiscard]] const Dictionary& dictionary() const { return *dictionary_; }
    /// Nothing but zstd and the specification is needed to read it.
    [[nodiscard]] bool is_portable() const {
        return dictionary_->number() == Dictionary::kNoneNumber;
    }
    [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
    /// The section of this kind and index, null if the file has none.
    [[nodiscard]] const Section* find(SectionKind kind, u64 index = 0) const;

    /// The verified bytes of a section.
    [[nodiscard]] std::string stored(const Section& section) const;
    /// The content of a section. Precondition: its coding is not context mixing.
    [[nodiscard]] std::string content(const Section& section) const;
    /// A section that every file has, and its content.
    [[nodiscard]] const Section& section(SectionKind kind) const;
    [[nodiscard]] std::string content(SectionKind kind) const { return content(section(kind)); }
    /// "section STRUCTURE of run.tfold"
    [[nodiscard]] std::string describe(const Section& section) const;

  private:
    void read_table(std::string_view table);
    /// The entry of one section, whose own bytes begin at `offset`.
    Section read_entry(ByteReader& in, u64 offset) const;
    void read_place(ByteReader& in, u64 offset, Section& section) const;
    void repeat(ByteReader& in, Section& section) const;
    [[noreturn]] void damaged(const std::string& what) const;

    std::string path_;
    InputFile file_;
    const Dictionary* dictionary_ = nullptr;
    std::vector<Section> sections_;
    u64 fingerprint_ = 0;
};

/// The name of a kind in messages and listings, "ticks".
TRACEFOLD_API std::string_view section_name(SectionKind kind);

/// True if the file begins like a tracefold file; never throws for a readable file.
TRACEFOLD_API bool is_container(const std::string& path);

}  // namespace tracefold
