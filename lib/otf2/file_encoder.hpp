// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/record_batch.hpp"
#include "model/symbol.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tracefold {

/// Encodes the records of an event or definition file, chunk by chunk: the bytes that libotf2 3.0
/// writes without a callback after flushes, in native byte order. Needs no libotf2. Memory: a
/// chunk.
///
/// encode() throws Error(corrupt) if a record does not match the shape of its type, has no place
/// in the file, a value too large for its field or a time before that of its predecessor, or does
/// not fit into a chunk; nothing can be encoded afterwards.
class FileEncoder {
  public:
    /// `what` names the file in errors: "events of location 3". Throws Error(corrupt) unless
    /// libotf2 supports the chunk size.
    FileEncoder(Stream stream, u64 chunk_size, std::string what);

    [[nodiscard]] Stream stream() const { return stream_; }
    [[nodiscard]] u64 chunk_size() const { return chunk_size_; }

    /// Encodes the records of the batch from number `first` on, as far as they fit into the chunk.
    /// Returns the number of the next one, or the size of the batch.
    std::size_t encode(const RecordBatch& batch, std::size_t first);

    /// Completes the chunk and begins another. The bytes are valid until the next call.
    std::string_view end_chunk();
    /// Completes the file: returns its last chunk.
    std::string_view end_file();

    /// Encodes all records of the batch and passes complete chunks to `sink`.
    template <class Sink>
    void encode_all(const RecordBatch& batch, const Sink& sink) {
        for (std::size_t i = encode(batch, 0); i < batch.size(); i = encode(batch, i)) {
            sink(end_chunk());
        }
    }

  private:
    using Head = RecordBatch::Head;

    std::size_t encode_events(const RecordBatch& batch, std::size_t first);
    std::size_t encode_definitions(const RecordBatch& batch, std::size_t first);
    [[nodiscard]] u64 reserved_for(const RecordBatch& batch, const Head& head) const;
    u8* put_record(u8 number, const RecordBatch& batch, const Head& head, u64 reserved,
                   u8* at) const;
    void begin_chunk();
    std::string_view complete_chunk(u8* end);
    [[nodiscard]] bool fits(u64 bound, const u8* at, u8 type) const;
    [[noreturn]] void refuse(u8 type, std::string_view reason) const;
    [[noreturn]] void refuse_type(u8 type) const;

    Stream stream_;
    u64 chunk_size_;
    std::string what_;
    std::unique_ptr<u8[]> chunk_;  ///< with space behind it
    u8* end_;                      ///< of the chunk
    u8* at_;                       ///< the next byte
    u64 time_ = 0;                 ///< the last one in the file
    u64 events_ = 0;
    bool needs_time_ = false;  ///< before the next record, even if it is the same
};

/// Overwrites the batch with the next records of a file; false at the end.
using NextBatch = std::function<bool(RecordBatch&)>;

/// The bytes of a file that is encoded from its records. Memory: a chunk and a batch.
class EncodedFile {
  public:
    EncodedFile(FileEncoder encoder, NextBatch next)
        : encoder_(std::move(encoder)), next_(std::move(next)) {}

    /// Returns the next chunk, valid until the next call; empty at the end. Throws the errors of
    /// FileEncoder and of the source of records.
    std::string_view next_chunk();
    [[nodiscard]] const FileEncoder& encoder() const { return encoder_; }
    /// The number of records in the chunks so far.
    [[nodiscard]] u64 records() const { return records_ + encoded_; }

  private:
    FileEncoder encoder_;
    NextBatch next_;
    RecordBatch batch_;
    std::size_t encoded_ = 0;  ///< records of the batch
    u64 records_ = 0;          ///< of batches before
    bool ended_ = false;
};

}  // namespace tracefold
