// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// A file of an archive, as it is read without libotf2. The first byte says by what: the decoder of
// events, whose records are encoded again, that of local definitions, or the scanner of either kind
// of file.
#include "fuzz/target.hpp"
#include "otf2/detail/direct_reader.hpp"
#include "otf2/detail/file_examination.hpp"
#include "otf2/file_encoder.hpp"
#include "support/flat_record.hpp"
#include "support/otf2_scan.hpp"
#include "support/test_directory.hpp"

#include <algorithm>
#include <vector>

namespace {

using namespace tracefold;
using namespace tracefold::otf2;
using tracefold::testing::FlatRecord;

/// No byte more than readers have.
std::vector<u8> chunk_of(std::string_view bytes) {
    std::vector<u8> chunk(bytes.begin(), bytes.end());
    chunk.resize(bytes.size() + EventDecoder::kPadding);
    return chunk;
}

/// The events of whole batches of `most`.
std::vector<FlatRecord> events_of(const std::vector<u8>& chunk, std::size_t size,
                                  std::size_t most) {
    std::vector<FlatRecord> events;
    EventDecoder decoder;
    decoder.begin_file();
    if (!decoder.begin_chunk(chunk.data(), size)) return events;
    RecordBatch batch;
    EventDecoder::Stop stop = EventDecoder::Stop::full;
    while (stop == EventDecoder::Stop::full) {
        stop = decoder.decode(batch, most);
        if (stop == EventDecoder::Stop::unknown) break;
        require(batch.size() <= most, "a batch has more records than were asked for");
        require(decoder.position() <= size, "records end behind the chunk");
        tracefold::testing::flatten(batch, false, events);
        batch.clear();
    }
    require(events.size() <= size, "there are more records than bytes");
    return events;
}

/// What was decoded comes back if it is encoded, or cannot be (decreasing times).
void encode_again(const std::vector<u8>& chunk, std::size_t size,
                  const std::vector<FlatRecord>& events) {
    RecordBatch batch;
    EventDecoder decoder;
    decoder.begin_file();
    if (!decoder.begin_chunk(chunk.data(), size)) return;
    if (decoder.decode(batch, size) == EventDecoder::Stop::unknown) return;
    FileEncoder encoder(Stream::events, kLargestChunk, "the input");
    require(encoder.encode(batch, 0) == batch.size(), "a chunk is full too early");
    const std::string bytes(encoder.end_file());
    const std::vector<FlatRecord> again = events_of(chunk_of(bytes), bytes.size(), 512);
    require(again == events, "other events come back");
}

/// How many are decoded at a time does not matter.
void decode_events(std::string_view bytes) {
    const std::vector<u8> chunk = chunk_of(bytes);
    const std::vector<FlatRecord> all = events_of(chunk, bytes.size(), 512);
    const std::vector<FlatRecord> one_by_one = events_of(chunk, bytes.size(), 1);
    require(
        all.size() <= one_by_one.size() && std::equal(all.begin(), all.end(), one_by_one.begin()),
        "other events come out one by one");
    encode_again(chunk, bytes.size(), all);
}

void decode_definitions(std::string_view bytes) {
    constexpr std::size_t kMost = 1000;
    const std::vector<u8> chunk = chunk_of(bytes);
    RecordBatch batch;
    if (!decode_local_definitions(chunk.data(), bytes.size(), kMost, batch)) return;
    require(batch.size() <= kMost, "there are more definitions than were asked for");
}

/// Pieces are the file, without gap or overlap.
void check_pieces(const std::string& path, RawFileKind kind, u64 chunk_size, u64 size) {
    u64 end = 0;
    for (const RawElement& element : tracefold::testing::scan(path, kind, chunk_size)) {
        require(element.offset == end, "a piece does not begin where the one before ends");
        end += element.size;
    }
    require(end == size, "the pieces are not the file");
}

/// What was mended can be read to its end, and has what could be read before.
void mend(const std::string& path, RawFileKind kind, u64 chunk_size) {
    const FileExamination before = examine_file(path, kind, chunk_size, "the input");
    const std::string mended = path + ".mended";
    write_mended(path, before, mended);
    const FileExamination after = examine_file(mended, kind, before.chunk_size, "what was mended");
    require(after.ended && after.records == before.records, "what was mended is not whole");
}

void scan_and_mend(std::string_view bytes, RawFileKind kind, u64 chunk_size) {
    static const TestDirectory directory;
    const std::string path = directory / "file";
    put_file(path, std::string(bytes));
    check_pieces(path, kind, chunk_size, bytes.size());
    mend(path, kind, chunk_size);
}

void read_file(std::string_view bytes) {
    const unsigned control = take_byte(bytes);
    const u64 chunk_size = (control & 4U) != 0 ? kSmallestChunk : 0;
    switch (control % 4) {
        case 0:
            return decode_events(bytes);
        case 1:
            return decode_definitions(bytes);
        case 2:
            return scan_and_mend(bytes, RawFileKind::events, chunk_size);
        default:
            return scan_and_mend(bytes, RawFileKind::definitions, chunk_size);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return expect_survival(data, size, read_file);
}
