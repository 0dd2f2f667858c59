// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "base/file.hpp"
#include "base/types.hpp"
#include "model/dictionary.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Version of the file format. A reader accepts its major version and earlier ones, and skips
/// unknown sections unless they are marked as required.
inline constexpr u16 kFormatMajor = 1;
inline constexpr u16 kFormatMinor = 0;

enum class SectionKind : u32 {
    archive = 1,            ///< anchor facts, and how the file was made
    definitions = 2,        ///< global definitions, folded, and their text
    local_definitions = 3,  ///< local definitions of all locations, folded
    structure = 4,          ///< events of all locations, folded
    file = 5,               ///< one companion or extra file
    ticks = 6,              ///< exact or quantized timing of one location
    durations = 7,          ///< timing merged over iterations and ranks
    kept_bytes = 8,         ///< differences of files that are encoded differently
};

/// The encoding of a section.
enum class Coding : u8 {
    plain,           ///< verbatim
    zstd,            ///< one zstd frame with the dictionary
    context_mixing,  ///< context mixing, see section_coder.hpp
};

/// One entry of the section table.
struct Section {
    SectionKind kind{};
    bool required = true;  ///< readers that do not know the kind must refuse the file
    Coding coding = Coding::plain;
    u64 index = 0;   ///< location of ticks, number of a file; else 0
    u64 offset = 0;  ///< offset of the stored bytes in the file
    u64 stored_size = 0;
    u64 content_size = 0;
    u64 checksum = 0;       ///< XXH64 of the stored bytes; the file holds the lower half
    bool repeated = false;  ///< shares the stored bytes of an earlier section
    /// The dictionary of the file.
    const Dictionary* dictionary = &Dictionary::built_in();
};

/// Compression options of a file's sections.
struct Packing {
    Packing(int zstd_level, bool is_portable = false) : level(zstd_level), portable(is_portable) {}

    [[nodiscard]] const Dictionary& dictionary() const {
        return portable ? Dictionary::none() : Dictionary::built_in();
    }

    int level;      ///< of zstd
    bool portable;  ///< zstd alone: no dictionary, no context models
};

/// A section as stored in a file.
struct StoredSection {
    std::string bytes;
    u64 content_size = 0;
    Coding coding = Coding::plain;
};

/// Compresses to a zstd frame, or stores the content if that is smaller.
StoredSection pack_section(std::string_view content, const Packing& packing);
/// The inverse of pack_section(). Precondition: the section is not coded by context mixing.
std::string unpack_section(std::string_view stored, const Section& section,
                           const std::string& name);

/// Writes sections one after another and ends the file with the table (docs/reference/format.md,
/// "Container"). place() reserves space for sections that other processes write.
class ContainerWriter {
  public:
    ContainerWriter(AtomicFile& file, const Packing& packing);

    /// Compresses and writes a section; stores incompressible content verbatim.
    void add(SectionKind kind, u64 index, std::string_view content);
    void add(SectionKind kind, u64 index, const StoredSection& stored);
    /// Reserves space for a section; the caller writes its bytes at the returned offset. A section
    /// with the kind, sizes and checksum of an earlier one shares the bytes of the latter.
    u64 place(Section section);
    [[nodiscard]] u64 position() const { return position_; }
    /// Writes table and footer, which completes the file. More sections may be added, which
    /// overwrite the table; call finish() again afterwards.
    void finish();

    [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }

  private:
    [[nodiscard]] std::string header() const;

    AtomicFile& file_;
    Packing packing_;
    std::vector<Section> sections_;
    std::unordered_map<u64, std::size_t> first_;  ///< index of the first of equal sections
    u64 position_;
};

/// Opens a container and checks header, footer and table; sections are read and verified on demand.
/// Throws Error: io, corrupt (damaged, truncated, or another format), unsupported (a newer version,
/// an unknown required section).
class TRACEFOLD_API ContainerReader {
  public:
    /// Messages name the file by its path, or by `name`.
    explicit ContainerReader(std::shared_ptr<const InputFile> file, const std::string& name = "");
    explicit ContainerReader(const std::string& path)
        : ContainerReader(std::make_shared<const InputFile>(path)) {}

    /// The name of the file in messages.
    [[nodiscard]] const std::string& path() const { return path_; }
    /// Checksum of the table: differs between files with different sections.
    [[nodiscard]] u64 fingerprint() const { return fingerprint_; }
    [[nodiscard]] u64 file_size() const { return file_->size(); }
    [[nodiscard]] const Dictionary& dictionary() const { return *dictionary_; }
    /// True if zstd and the specification suffice to read the file.
    [[nodiscard]] bool is_portable() const {
        return dictionary_->number() == Dictionary::kNoneNumber;
    }
    [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
    /// Returns null if the file has no section of this kind and index.
    [[nodiscard]] const Section* find(SectionKind kind, u64 index = 0) const;

    /// Returns the verified bytes of a section.
    [[nodiscard]] std::string stored(const Section& section) const;
    /// Returns the content of a section. Precondition: it is not coded by context mixing.
    [[nodiscard]] std::string content(const Section& section) const;
    /// Returns a mandatory section, or its content.
    [[nodiscard]] const Section& section(SectionKind kind) const;
    [[nodiscard]] std::string content(SectionKind kind) const { return content(section(kind)); }
    /// "section STRUCTURE of run.tfold"
    [[nodiscard]] std::string describe(const Section& section) const;

  private:
    void read_table(std::string_view table);
    /// Reads the entry of a section whose own bytes begin at `offset`.
    Section read_entry(ByteReader& in, u64 offset) const;
    void read_place(ByteReader& in, u64 offset, Section& section) const;
    void repeat(ByteReader& in, Section& section) const;
    [[noreturn]] void damaged(const std::string& what) const;

    std::shared_ptr<const InputFile> file_;
    std::string path_;
    const Dictionary* dictionary_ = nullptr;
    std::vector<Section> sections_;
    u64 fingerprint_ = 0;
};

/// The name of a kind in messages and listings: "ticks".
TRACEFOLD_API std::string_view section_name(SectionKind kind);

/// True if the file has the magic of a tracefold file; never throws for a readable file.
TRACEFOLD_API bool is_container(const std::string& path);

}  // namespace tracefold
