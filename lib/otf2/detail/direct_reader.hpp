// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/file.hpp"
#include "otf2/detail/event_decoder.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tracefold::otf2 {

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

}  // namespace tracefold::otf2
