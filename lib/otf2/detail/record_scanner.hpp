// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "otf2/detail/raw_fields.hpp"

#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace tracefold::otf2 {

/// What a file holds decides what its bytes mean: definition files have no timestamps, no attribute
/// lists, and a length in every record.
enum class RawFileKind { events, definitions };

enum class ElementKind {
    chunk_header,
    timestamp,
    attribute_list,
    record,
    end_of_chunk,    ///< the mark and what fills the chunk
    end_mark,        ///< one byte or, as libotf2 writes it, two
    trailing_bytes,  ///< all that follows the end mark
    damage,          ///< nothing from here on can be understood
};

/// A piece of a file. All pieces together are the file, without gap or overlap.
struct RawElement {
    ElementKind kind = ElementKind::damage;
    u8 type = 0;                  ///< of a record, as OTF2 numbers types
    u64 offset = 0;               ///< of its first byte in the file
    u64 size = 0;                 ///< in bytes, mark and length included; damage may have none
    std::span<const u8> payload;  ///< of records and attribute lists, valid until the next call
    ChunkHeader header;           ///< of a chunk header
    u64 ticks = 0;                ///< of a timestamp
    bool zeros = true;            ///< end of chunk: nothing but zeros fills it
    const char* reason = "";      ///< of damage: a clause such as "the file ends within a record"
};

/// Walks an event or definition file, local or global, without libotf2: marks and lengths are
/// understood, fields of records are not, so that records of types yet unknown pass as well. Takes
/// what libotf2 takes and stops at the first byte that it would stumble over. Memory: a window of
/// 1 MiB, or one record, which is no longer than 16 MiB whatever the file says.
class RecordScanner {
  public:
    /// Chunks lie at multiples of `chunk_size`; if that is 0, or a size that libotf2 does not
    /// allow, it is not known, and the second chunk header shows it. Throws Error `io`, which names
    /// `what`, if the file cannot be read; so does next().
    RecordScanner(const std::string& path, RawFileKind kind, u64 chunk_size, std::string what);

    /// Goes to the next element. False at the end of the file. A file that was finished has an end
    /// mark, any other has damage as its last element.
    bool next(RawElement& element);

    /// Passes what next() would tell of as timestamps, attribute lists and records, for those who
    /// do not ask for them. Stops before all else, and where it has to look closer or to read on.
    void skip_records();

    /// Goes to the last chunk, as the size of the file says, instead of the first. Needs a size of
    /// chunks, and comes before next().
    void go_to_last_chunk();

    [[nodiscard]] u64 file_size() const { return file_size_; }
    /// As given or as found; 0 as long as there is no second chunk.
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
    /// True once `count` bytes (<= kLargestChunk) from the position on are in the window.
    bool have(u64 count) { return count <= end_ - begin_ || fill(count); }
    bool fill(u64 count);
    /// Takes the `count` bytes at the position, which are in the window.
    void take(RawElement& element, ElementKind kind, u64 count);
    /// True if an element of `size` bytes, and one byte after it, lie in the chunk and the file;
    /// otherwise makes the rest of the file damage.
    bool fits(RawElement& element, u64 size);
    u64 skip_zeros(u64 limit);

    std::ifstream file_;
    std::string what_;
    RawFileKind kind_;
    u64 chunk_size_;
    u64 file_size_ = 0;
    u64 chunk_end_ = 0;  // where the current chunk ends, or at most ends
    State state_ = State::at_chunk;
    bool little_endian_ = true;
    bool after_timestamp_ = false;  // which libotf2 takes for a record if it is the second one
    std::vector<u8> window_;
    u64 window_offset_ = 0;  // of the window's first byte in the file
    std::size_t begin_ = 0;  // of what was not yet taken, in the window
    std::size_t end_ = 0;
};

/// What the bytes of a definition or event file tell about its completeness. libotf2 does not
/// notice that a file is cut, or has an end of chunk where its end mark should be: it then decodes
/// stale bytes of its buffer, or recurses until the stack overflows.
struct RawFile {
    u64 size = 0;             ///< bytes
    bool ended = false;       ///< has an end mark, whatever follows it
    const char* reason = "";  ///< why the last chunk has no end, such as "the end mark is missing"
    u64 damage = 0;           ///< offset of the first byte that cannot be understood
    u64 last_event = 0;  ///< number of the last event as the last chunk says; 0 for definitions
};

/// Throws Error `io`, which names `what`, unless there is a regular file that may be read. The
/// message about a missing event file names the option that goes on without it.
void expect_present(const std::string& path, const std::string& what);

/// Inspects a file that is cut into chunks of `chunk_size` bytes. Throws Error `io`, which names
/// `what`, if it cannot be read. Cost: a walk through the last chunk, or through the whole file if
/// that does not lead to an end mark.
RawFile inspect_file(const std::string& path, u64 chunk_size, const std::string& what);

}  // namespace tracefold::otf2
