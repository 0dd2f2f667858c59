// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/file.hpp"
#include "base/types.hpp"
#include "otf2/detail/raw_fields.hpp"
#include "otf2/file_encoder.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold::otf2 {

/// The kind of a file decides how its bytes are parsed: definition files have no timestamps, no
/// attribute lists, and a length in every record.
enum class RawFileKind { events, definitions };

constexpr RawFileKind file_kind(Stream stream) {
    return stream == Stream::events ? RawFileKind::events : RawFileKind::definitions;
}

enum class ElementKind {
    chunk_header,
    timestamp,
    attribute_list,
    record,
    end_of_chunk,    ///< the mark and the fill of the chunk
    end_mark,        ///< one byte or, from libotf2, two
    trailing_bytes,  ///< everything after the end mark
    damage,          ///< unreadable from here on
};

/// An element of a file. Elements cover the file without gaps or overlap.
struct RawElement {
    ElementKind kind = ElementKind::damage;
    u8 type = 0;                  ///< OTF2's number of a record's type
    u64 offset = 0;               ///< in the file
    u64 size = 0;                 ///< in bytes, including mark and length; damage may have 0
    std::span<const u8> payload;  ///< of records and attribute lists; valid until the next call
    std::span<const u8> bytes;    ///< all, but for fills and trailing bytes; valid as payload
    ChunkHeader header;           ///< of a chunk header
    u64 ticks = 0;                ///< of a timestamp
    bool zeros = true;            ///< end of chunk: the fill is all zeros
    const char* reason = "";      ///< of damage: a clause such as "the file ends within a record"
};

/// Scans an event or definition file, local or global, without libotf2: parses marks and lengths,
/// but no record fields, so records of unknown types pass. Accepts what libotf2 accepts and stops
/// at the first byte that it would fail on. Memory: a window of 1 MiB, or one record, at most 16
/// MiB whatever its length field. Fills of chunks that are holes of the file cost nothing.
class RecordScanner {
  public:
    /// Chunks begin at multiples of `chunk_size`; if that is 0 or outside libotf2's limits, the
    /// second chunk header reveals it. Throws Error `io`, which names `what`, if the file cannot be
    /// opened; next() throws one with its path if it cannot be read.
    RecordScanner(const std::string& path, RawFileKind kind, u64 chunk_size, std::string what);

    /// Scans an encoded file, which must outlive this object; next() throws its errors.
    explicit RecordScanner(EncodedFile& encoded);

    /// Advances to the next element. False at the end of the file. A finished file has an end mark;
    /// in any other the last element is damage.
    bool next(RawElement& element);

    /// Skips timestamps, attribute lists and records. Stops before any other element, and where the
    /// fast path needs a closer look or more bytes.
    void skip_records();

    /// Starts at the last chunk, computed from the file size, instead of the first. Needs a chunk
    /// size; call it before next().
    void go_to_last_chunk();

    [[nodiscard]] u64 file_size() const { return file_size_; }
    /// The given or detected size; 0 before a second chunk.
    [[nodiscard]] u64 chunk_size() const { return chunk_size_; }

  private:
    enum class State { at_chunk, in_chunk, after_end, done };

    void read_chunk_header(RawElement& element);
    void read_element(RawElement& element);
    void read_timestamp(RawElement& element);
    void read_record(RawElement& element);
    void read_number_record(RawElement& element);
    void read_payload(RawElement& element, u64 head, u64 length);
    void read_end_of_chunk(RawElement& element);
    void read_end_mark(RawElement& element);
    void read_trailing_bytes(RawElement& element);
    void take_damage(RawElement& element, const char* reason);

    [[nodiscard]] u64 position() const { return window_offset_ + begin_; }
    [[nodiscard]] u64 left_in_file() const { return file_size_ - position(); }
    [[nodiscard]] u64 left_in_chunk() const { return chunk_end_ - position(); }
    [[nodiscard]] const u8* bytes() const { return window_.data() + begin_; }
    [[nodiscard]] bool is_number_record(u8 type) const;
    [[nodiscard]] u64 plain_size(const u8* bytes) const;
    /// True if `count` bytes (<= kLargestChunk) are in the window; reads them if needed.
    bool have(u64 count) { return count <= end_ - begin_ || fill(count); }
    bool fill(u64 count);
    std::size_t read(std::span<u8> to);
    /// Consumes the `count` bytes at the position, which must be in the window.
    void take(RawElement& element, ElementKind kind, u64 count);
    /// True if an element of `size` bytes, and one byte after it, fit into the chunk and the file;
    /// otherwise marks the rest of the file as damage.
    bool fits(RawElement& element, u64 size);
    u64 skip_hole(u64 limit);
    u64 skip_zeros(u64 limit);

    std::optional<InputFile> file_;
    EncodedFile* encoded_ = nullptr;  // in place of the file
    std::string_view chunk_;          // its bytes that are not in the window yet
    std::string what_;
    RawFileKind kind_;
    u64 chunk_size_;
    u64 file_size_ = 0;  // or larger, before the end of an encoded file
    u64 chunk_end_ = 0;  // end of the current chunk, or an upper bound
    State state_ = State::at_chunk;
    bool little_endian_ = true;
    bool after_timestamp_ = false;  // libotf2 takes a second timestamp for a record
    std::vector<u8> window_;
    u64 window_offset_ = 0;  // of the window's start in the file
    std::size_t begin_ = 0;  // of the unread bytes in the window
    std::size_t end_ = 0;
};

/// The completeness of a definition or event file. libotf2 does not detect a truncated file, or an
/// end of chunk in place of the end mark: it decodes stale bytes of its buffer, or recurses until
/// the stack overflows.
struct RawFile {
    u64 size = 0;             ///< bytes
    bool ended = false;       ///< has an end mark
    const char* reason = "";  ///< why the last chunk is incomplete: "the end mark is missing"
    u64 damage = 0;           ///< offset of the first unreadable byte
    u64 last_event = 0;       ///< number of the last event by the last chunk; 0 for definitions
};

/// Throws Error `io`, which names `what`, unless a readable regular file exists. The message about
/// a missing event file names the option that continues without it.
void expect_present(const std::string& path, const std::string& what);

/// Inspects a file with chunks of `chunk_size` bytes. Throws Error `io`, which names `what`, if it
/// cannot be read. Cost: scans the last chunk, or the whole file if that does not reach an end
/// mark.
RawFile inspect_file(const std::string& path, u64 chunk_size, const std::string& what);

}  // namespace tracefold::otf2
