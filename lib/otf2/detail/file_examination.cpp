// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/file_examination.hpp"

#include "base/error.hpp"
#include "base/file.hpp"

#include <algorithm>
#include <bit>
#include <fstream>

namespace tracefold::otf2 {

namespace {

namespace fs = std::filesystem;

constexpr u8 kLocationDefinition = 14;

/// Accumulates the elements of a file.
class Examiner {
  public:
    explicit Examiner(RawFileKind kind) { result_.kind = kind; }

    void add(const RawElement& element) {
        switch (element.kind) {
            case ElementKind::chunk_header:
                begin_chunk(element);
                break;
            case ElementKind::record:
                add_record(element);
                break;
            case ElementKind::end_mark:
                result_.ended = true;
                break;
            case ElementKind::timestamp:
            case ElementKind::attribute_list:
            case ElementKind::damage:
                result_.lost_bytes += element.size;  // reset by the next record
                break;
            default:
                break;
        }
    }

    [[nodiscard]] const FileExamination& result() const { return result_; }

  private:
    void begin_chunk(const RawElement& element) {
        header_ = element.header;
        header_at_ = element.offset;
        if (result_.kind == RawFileKind::events) result_.expected = element.header.last_event;
        if (result_.records == 0) enter_chunk(element.offset + element.size);
    }

    void add_record(const RawElement& element) {
        if (result_.chunk_at != header_at_) enter_chunk(0);
        ++result_.records;
        ++result_.chunk_records;
        result_.kept_bytes = element.offset + element.size;
        result_.lost_bytes = 0;
        if (element.type == kLocationDefinition) ++result_.locations;
    }

    void enter_chunk(u64 kept) {
        result_.chunk = header_;
        result_.chunk_at = header_at_;
        result_.chunk_records = 0;
        result_.kept_bytes = std::max(result_.kept_bytes, kept);
    }

    FileExamination result_;
    ChunkHeader header_;
    u64 header_at_ = 0;
};

std::string header_bytes(const ChunkHeader& header) {
    std::string bytes(1, static_cast<char>(kChunkHeaderMark));
    bytes += static_cast<char>(header.little_endian ? ChunkHeader::kLittleEndian
                                                    : ChunkHeader::kBigEndian);
    return bytes + number_bytes(header.first_event, header.little_endian) +
           number_bytes(header.last_event, header.little_endian);
}

/// Appends records in chunks.
class ChunkWriter {
  public:
    ChunkWriter(std::fstream& file, const FileExamination& examination)
        : file_(file), header_(examination.chunk), position_(examination.kept_bytes) {
        if (examination.chunk_size != 0) chunk_size_ = examination.chunk_size;
        chunk_end_ = examination.chunk_at + chunk_size_;
        file_.seekp(static_cast<std::streamoff>(position_));
        if (position_ == 0) put(header_bytes(header_));
    }

    void add(const RecordBytes& record) {
        if (position_ + record.size() + 1 > chunk_end_) {
            put(std::string(chunk_end_ - position_, '\0'));
            chunk_end_ += chunk_size_;
            put(header_bytes(header_));
        }
        put(record);
    }

    void finish() {
        put(std::string(1, static_cast<char>(kEndOfFile)));
        if (position_ < chunk_end_) put(std::string(1, static_cast<char>(kEndOfBuffer)));
    }

  private:
    void put(const std::string& bytes) {
        file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        position_ += bytes.size();
    }

    std::fstream& file_;
    ChunkHeader header_;
    u64 chunk_size_ = kLargestChunk;
    u64 chunk_end_ = 0;
    u64 position_;
};

/// Holes stay holes.
void copy_start(const fs::path& from, u64 size, const fs::path& to) {
    constexpr u64 kPiece = u64{1} << 20U;
    OutputFile out(to);
    if (size != 0) {
        const InputFile in(from);
        for (u64 at = in.next_data(0); at < size; at = in.next_data(at)) {
            const u64 count = std::min(kPiece, size - at);
            out.write_at(at, in.read_at(at, count));
            at += count;
        }
    }
    out.close();
    std::error_code error;
    fs::resize_file(to, size, error);
    if (error) throw_io_error("cannot write", to.string(), error.value());
}

}  // namespace

FileExamination examine_file(const std::string& path, RawFileKind kind, u64 chunk_size,
                             const std::string& what, u64 most) {
    RecordScanner scanner(path, kind, chunk_size, what);
    Examiner examiner(kind);
    RawElement element;
    bool stopped = false;
    while (!stopped && scanner.next(element)) {
        stopped = element.kind == ElementKind::record && examiner.result().records == most;
        if (!stopped) examiner.add(element);
    }
    FileExamination result = examiner.result();
    if (stopped) result.lost_bytes = scanner.file_size() - result.kept_bytes;
    result.chunk_size = scanner.chunk_size();
    return result;
}

u64 infer_chunk_size(const std::vector<std::string>& paths, RawFileKind kind, u64 usual) {
    u64 largest = usual;
    for (const std::string& path : paths) {
        RecordScanner scanner(path, kind, 0, path);
        RawElement element;
        u64 chunks = 0;
        while (scanner.next(element)) {
            if (element.kind == ElementKind::chunk_header && ++chunks == 2) {
                return scanner.chunk_size();
            }
        }
        largest = std::max(largest, scanner.file_size());
    }
    return std::min(std::bit_ceil(largest), kLargestChunk);
}

void write_mended(const fs::path& from, const FileExamination& examination, const fs::path& to,
                  const std::vector<RecordBytes>& more) {
    copy_start(from, examination.kept_bytes, to);
    std::fstream file(to, std::ios::binary | std::ios::in | std::ios::out);
    FileExamination start = examination;
    if (start.kept_bytes == 0) start.chunk.first_event = 1;
    if (start.kind == RawFileKind::events) {
        start.chunk.last_event = start.chunk.first_event - 1 + start.chunk_records;
    }
    ChunkWriter writer(file, start);
    for (const RecordBytes& record : more) writer.add(record);
    writer.finish();
    if (start.kept_bytes != 0) {
        const std::string header = header_bytes(start.chunk);
        file.seekp(static_cast<std::streamoff>(start.chunk_at));
        file.write(header.data(), static_cast<std::streamsize>(header.size()));
    }
    file.close();
    if (!file) throw Error(ErrorKind::io, "cannot write " + to.string());
}

}  // namespace tracefold::otf2
