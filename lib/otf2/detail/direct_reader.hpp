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

/// Decodes the events of a file as libotf2 does, in a small part of its steps: which fields a
/// record has is known when this is compiled, from the callbacks that libotf2 declares. It
/// understands what writers write in the byte order of this machine, and stops before all else:
/// records of types that libotf2 here does not know, other byte orders, and what libotf2 would
/// refuse. Those who use it let libotf2 go on from there.
class EventDecoder {
  public:
    /// So many zeros must follow the bytes of a chunk.
    static constexpr std::size_t kPadding = 256;

    enum class Stop : u8 {
        full,          ///< the batch has as many records as were asked for
        end_of_chunk,  ///< the next chunk is needed
        end_of_file,   ///< the end mark
        unknown,       ///< something for libotf2; the batch may hold a part of a record
    };

    /// Forgets time and attributes of another file.
    void begin_file();

    /// `size` bytes from the header of a chunk on, valid until the next call. False if it is no
    /// header of a chunk that is understood here.
    bool begin_chunk(const u8* bytes, std::size_t size);

    /// Appends records to `batch` until it has `most`, or there is a reason to stop. Cost: some ten
    /// to forty instructions a record.
    Stop decode(RecordBatch& batch, std::size_t most);

    /// Where in the chunk decode() has stopped. Precondition: at an end.
    [[nodiscard]] std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }
    /// The number of its last event, as the chunk's header says.
    [[nodiscard]] u64 last_event() const { return last_event_; }

    /// What the mark at the start of an element says of it.
    enum class Form : u8 {
        none,        ///< an end, or nothing that is known here
        attributes,  ///< of the record that follows
        number,      ///< a record of one number, without a length
        fields,      ///< a record of numbers
        metric,      ///< a record with types and values in turn
        references,  ///< a record that ends with an array of references
    };
    struct Layout {
        Form form = Form::none;
        Stop stop = Stop::unknown;  ///< of Form::none
        u8 type = 0;
        u8 field_count = 0;
        u8 size = 0;  ///< of Form::number: how many bytes the number has at most
        /// Takes the fields of a record of numbers and returns where they end, null if libotf2
        /// refuses one.
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

/// Reads files without libotf2 where it can. Memory: a chunk and a batch, which are used again.
class DirectReader {
  public:
    using Sink = std::function<void(const RecordBatch&)>;

    struct Result {
        u64 records = 0;        ///< that were passed on
        u64 last_event = 0;     ///< number of the last event, as the last chunk says
        bool complete = false;  ///< all of the file was read
    };

    /// Passes the events of a file with chunks of `chunk_size` bytes on, `batch_size` at a time,
    /// up to the first batch with something that the decoder does not understand. Throws Error
    /// `io` if the file cannot be read.
    Result read(const std::string& path, u64 chunk_size, std::size_t batch_size, const Sink& sink);

    /// Passes the local definitions of a file on, all or none. The same for `chunk_size` and
    /// errors.
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

/// Appends the records of a file of local definitions that is one chunk of `size` bytes, followed
/// by EventDecoder::kPadding zeros. False, and any records in the batch, if there are more than
/// `most` records, others than recorders write nowadays (mapping tables and clock offsets), or some
/// that libotf2 refuses or changes.
bool decode_local_definitions(const u8* bytes, std::size_t size, std::size_t most,
                              RecordBatch& batch);

}  // namespace tracefold::otf2
