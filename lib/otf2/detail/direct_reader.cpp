// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/direct_reader.hpp"

#include "otf2/detail/local_definitions.hpp"
#include "otf2/detail/raw_bytes.hpp"

#include <algorithm>

namespace tracefold::otf2 {

using Stop = EventDecoder::Stop;

DirectReader::Result DirectReader::read(const std::string& path, u64 chunk_size,
                                        std::size_t batch_size, const Sink& sink) {
    Result result;
    if (chunk_size < kSmallestChunk || chunk_size > kLargestChunk) return result;
    const InputFile file(path);
    decoder_.begin_file();
    batch_.clear();
    for (u64 offset = 0; offset < file.size(); offset += chunk_size) {
        const std::size_t size = read_chunk(file, offset, chunk_size);
        if (!decoder_.begin_chunk(chunk_.data(), size)) break;
        const Stop stop = pass_chunk_on(batch_size, sink, result);
        if (stop == Stop::end_of_chunk) continue;
        const u64 rest = file.size() - offset - decoder_.position();
        if (stop != Stop::end_of_file || rest > kLargestChunk) break;
        pass_on(sink, result);
        result.last_event = decoder_.last_event();
        result.complete = true;
        break;
    }
    return result;
}

DirectReader::Result DirectReader::read_local_definitions(const std::string& path, u64 chunk_size,
                                                          std::size_t most, const Sink& sink) {
    Result result;
    const InputFile file(path);
    if (file.size() > std::min(chunk_size, kLargestChunk)) return result;
    const std::size_t size = read_chunk(file, 0, chunk_size);
    batch_.clear();
    if (!decode_local_definitions(chunk_.data(), size, most, batch_)) return result;
    pass_on(sink, result);
    result.complete = true;
    return result;
}

/// Returns the size of the chunk.
std::size_t DirectReader::read_chunk(const InputFile& file, u64 offset, u64 chunk_size) {
    const auto size = static_cast<std::size_t>(std::min(chunk_size, file.size() - offset));
    if (chunk_.size() < size + EventDecoder::kPadding) {
        chunk_.resize(size + EventDecoder::kPadding);
    }
    file.read_at(offset, {chunk_.data(), size});
    std::fill_n(chunk_.begin() + static_cast<std::ptrdiff_t>(size), EventDecoder::kPadding, u8{0});
    return size;
}

Stop DirectReader::pass_chunk_on(std::size_t batch_size, const Sink& sink, Result& result) {
    for (;;) {
        const Stop stop = decoder_.decode(batch_, batch_size);
        if (stop != Stop::full) return stop;
        pass_on(sink, result);
    }
}

void DirectReader::pass_on(const Sink& sink, Result& result) {
    if (!batch_.empty()) sink(batch_);
    result.records += batch_.size();
    batch_.clear();
}

}  // namespace tracefold::otf2
