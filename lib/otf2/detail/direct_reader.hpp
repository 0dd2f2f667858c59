// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/file.hpp"
#include "model/record_batch.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tracefold::otf2 {

/// Decodes the events of a file like libotf2, but much faster: record layouts are derived at
/// compile time from the table of events. It supports the output of common writers in native byte
/// order, and stops before anything else: records of unknown types, other byte orders, and data
/// that libotf2 would refuse. The caller then continues with libotf2.
class EventDecoder {
  public:
    /// Number of zero bytes required after a chunk.
    static constexpr std::size_t kPadding = 256;

    enum class Stop : u8 {
        full,          ///< the batch has the requested number of records
        end_of_chunk,  ///< the next chunk is needed
        end_of_file,   ///< the end mark
        unknown,       ///< needs libotf2; the batch may hold a part of a record
    };

    /// Resets time and attributes.
    void begin_file();

    /// Begins a chunk with its header; `size` bytes, valid until the next call. Returns false if
    /// the header is not supported.
    bool begin_chunk(const u8* bytes, std::size_t size);

    /// Appends records to `batch` until it has `most`, or another reason to stop occurs. Cost: some
    /// ten to forty instructions per record.
    Stop decode(RecordBatch& batch, std::size_t most);

    /// Position in the chunk where decode() stopped. Precondition: it stopped at an end.
    [[nodiscard]] std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }
    /// The number of the last event by the chunk's header.
    [[nodiscard]] u64 last_event() const { return last_event_; }

    /// The form of an element, given by its mark.
    enum class Form : u8 {
        none,        ///< an end mark, or unsupported
        attributes,  ///< attribute list of the following record
        number,      ///< a record of one number, without a length
        fields,      ///< a record of numbers
        metric,      ///< a record with types and values in turn
        references,  ///< a record that ends with an array of references
    };
    struct Layout {
        Form form = Form::none;
        Stop stop = Stop::unknown;  ///< for Form::none
        u8 type = 0;
        u8 field_count = 0;
        u8 size = 0;  ///< for Form::number: its maximum size in bytes
        /// Decodes the fields of a record and returns their end; null if libotf2 refuses one.
        const u8* (*take)(const u8* at, u64* values) = nullptr;
    };

  private:
    const u8* take_record(const Layout& layout, const u8* at, RecordBatch& batch) const;
    void take_numbers(RecordBatch& batch, std::size_t most);
    Stop take_element(RecordBatch& batch);
    const u8* take_attributes(const u8* at);
    void add_attributes(RecordBatch& batch);

    const u8* begin_ = nullptr;
    const u8* at_ = nullptr;
    const u8* end_ = nullptr;
    u64 time_ = 0;
    u64 last_event_ = 0;
    std::vector<Attribute> attributes_;  ///< of the next record
};

/// Reads files without libotf2 where possible. Memory: a chunk and a batch, which are reused.
class DirectReader {
  public:
    using Sink = std::function<void(const RecordBatch&)>;

    struct Result {
        u64 records = 0;        ///< number of records passed on
        u64 last_event = 0;     ///< number of the last event, by the last chunk
        bool complete = false;  ///< the whole file was read
    };

    /// Passes the events of a file with chunks of `chunk_size` bytes to the sink, `batch_size` at a
    /// time, up to the first batch that the decoder does not support. Throws Error `io` if the file
    /// cannot be read.
    Result read(const std::string& path, u64 chunk_size, std::size_t batch_size, const Sink& sink);

    /// Passes all or no local definitions of a file to the sink. Other arguments as in read().
    Result read_local_definitions(const std::string& path, u64 chunk_size, std::size_t most,
                                  const Sink& sink);

  private:
    std::size_t read_chunk(const InputFile& file, u64 offset, u64 chunk_size);
    EventDecoder::Stop pass_chunk_on(std::size_t batch_size, const Sink& sink, Result& result);
    void pass_on(const Sink& sink, Result& result);

    EventDecoder decoder_;
    RecordBatch batch_;
    std::vector<u8> chunk_;
};

/// Appends the local definitions of a file that is one chunk of `size` bytes, followed by
/// EventDecoder::kPadding zeros. Returns false, with arbitrary records in the batch, if there are
/// more than `most` records, others than mapping tables and clock offsets, or some that libotf2
/// refuses or changes.
bool decode_local_definitions(const u8* bytes, std::size_t size, std::size_t most,
                              RecordBatch& batch);

}  // namespace tracefold::otf2
