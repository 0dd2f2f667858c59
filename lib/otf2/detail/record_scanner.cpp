// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/record_scanner.hpp"

#include "base/error.hpp"
#include "base/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <unistd.h>

namespace tracefold::otf2 {
namespace {

constexpr std::size_t kWindow = std::size_t{1} << 20;

}  // namespace

RecordScanner::RecordScanner(const std::string& path, RawFileKind kind, u64 chunk_size,
                             std::string what)
    : what_(std::move(what)),
      kind_(kind),
      chunk_size_(chunk_size < kSmallestChunk || chunk_size > kLargestChunk ? 0 : chunk_size) {
    expect_regular_file(path, what_);
    if (::access(path.c_str(), R_OK) != 0) {
        throw Error(ErrorKind::io, "cannot read {}: {}", what_, std::strerror(errno));
    }
    file_.emplace(path);
    file_size_ = file_->size();
    window_.resize(std::min<u64>(kWindow, file_size_));
}

RecordScanner::RecordScanner(EncodedFile& encoded)
    : encoded_(&encoded),
      kind_(file_kind(encoded.encoder().stream())),
      chunk_size_(encoded.encoder().chunk_size()),
      file_size_(~u64{0}) {
    window_.resize(kWindow);
}

/// Reads up to so many bytes; fewer are the last ones.
std::size_t RecordScanner::read(std::span<u8> to) {
    if (encoded_ == nullptr) {
        file_->read_at(window_offset_ + end_, to);
        return to.size();
    }
    std::size_t done = 0;
    while (done < to.size()) {
        if (chunk_.empty()) chunk_ = encoded_->next_chunk();
        const std::size_t size = std::min(chunk_.size(), to.size() - done);
        if (size == 0) break;
        std::copy_n(chunk_.begin(), size, to.begin() + static_cast<std::ptrdiff_t>(done));
        chunk_.remove_prefix(size);
        done += size;
    }
    return done;
}

bool RecordScanner::fill(u64 count) {
    if (left_in_file() < count) return false;
    std::copy(window_.begin() + static_cast<std::ptrdiff_t>(begin_),
              window_.begin() + static_cast<std::ptrdiff_t>(end_), window_.begin());
    window_offset_ += begin_;
    end_ -= begin_;
    begin_ = 0;
    if (window_.size() < count) window_.resize(count);
    u64 wanted = std::min<u64>(window_.size(), left_in_file()) - end_;
    if (file_) {
        wanted = std::max(count - end_, file_->data_within(window_offset_ + end_, wanted));
    }
    const std::size_t got = read(std::span(window_).subspan(end_, wanted));
    if (got < wanted) file_size_ = window_offset_ + end_ + got;
    end_ += got;
    return end_ >= count;
}

bool RecordScanner::next(RawElement& element) {
    if (state_ == State::done) return false;
    element = RawElement();
    element.offset = position();
    switch (state_) {
        case State::at_chunk:
            read_chunk_header(element);
            return true;
        case State::in_chunk:
            read_element(element);
            return true;
        default:
            read_trailing_bytes(element);
            return element.size != 0;
    }
}

void RecordScanner::skip_records() {
    constexpr u64 kMostPlain = 2 + 0xFE;
    if (state_ != State::in_chunk) return;
    while (end_ - begin_ > kMostPlain && left_in_chunk() > kMostPlain) {
        const u64 size = plain_size(bytes());
        const bool timestamp = kind_ == RawFileKind::events && *bytes() == kTimestampMark;
        if (size == 0 || (timestamp && after_timestamp_)) return;
        after_timestamp_ = timestamp;
        begin_ += size;
    }
}

/// The size of an element with a one-byte length; 0 for all others.
u64 RecordScanner::plain_size(const u8* bytes) const {
    const u8 type = bytes[0];
    const u8 length = bytes[1];
    if (type == kEndOfChunk || type == kEndOfFile) return 0;
    if (kind_ == RawFileKind::events && type == kTimestampMark) return kTimestampSize;
    if (is_number_record(type)) return length <= 8 ? u64{2} + length : 0;
    return length == kLongLength ? 0 : u64{2} + length;
}

void RecordScanner::go_to_last_chunk() {
    if (file_size_ == 0) return;
    window_offset_ = (file_size_ - 1) / chunk_size_ * chunk_size_;
}

void RecordScanner::take(RawElement& element, ElementKind kind, u64 count) {
    element.kind = kind;
    element.size += count;
    element.bytes = {bytes(), count};
    begin_ += count;
}

void RecordScanner::take_damage(RawElement& element, const char* reason) {
    element = RawElement();
    element.offset = position();
    element.size = left_in_file();
    element.reason = reason;
    state_ = State::done;
}

void RecordScanner::read_chunk_header(RawElement& element) {
    if (left_in_file() == 0) return take_damage(element, "the end mark is missing");
    if (!have(ChunkHeader::kSize)) {
        return take_damage(element, "the file ends within a chunk header");
    }
    const auto header = parse_chunk_header({bytes(), ChunkHeader::kSize});
    const bool may_begin = position() == 0 || chunk_size_ != 0;
    if (!header || !may_begin)
        return take_damage(element, "there is no chunk header where a chunk begins");
    element.header = *header;
    little_endian_ = header->little_endian;
    chunk_end_ = position() + (chunk_size_ == 0 ? kLargestChunk : chunk_size_);
    take(element, ElementKind::chunk_header, ChunkHeader::kSize);
    state_ = State::in_chunk;
}

void RecordScanner::read_element(RawElement& element) {
    if (position() >= chunk_end_) return take_damage(element, "a chunk has no end");
    if (!have(1)) return take_damage(element, "the end mark is missing");
    element.type = *bytes();
    if (element.type == kEndOfChunk) return read_end_of_chunk(element);
    if (element.type == kEndOfFile) return read_end_mark(element);
    if (kind_ == RawFileKind::events && element.type == kTimestampMark)
        return read_timestamp(element);
    after_timestamp_ = false;
    if (is_number_record(element.type)) return read_number_record(element);
    read_record(element);
}

bool RecordScanner::fits(RawElement& element, u64 size) {
    if (size > kLargestChunk || size >= left_in_chunk()) {
        take_damage(element, "a record is longer than its chunk");
        return false;
    }
    if (!have(size)) {
        take_damage(element, "the file ends within a record");
        return false;
    }
    return true;
}

void RecordScanner::read_timestamp(RawElement& element) {
    if (after_timestamp_) return take_damage(element, "two timestamps follow each other");
    if (!fits(element, kTimestampSize)) return;
    after_timestamp_ = true;
    element.ticks = raw_number(bytes() + 1, 8, little_endian_);
    take(element, ElementKind::timestamp, kTimestampSize);
}

bool RecordScanner::is_number_record(u8 type) const {
    return kind_ == RawFileKind::events && type >= kFirstEventNumber &&
           is_number_event(static_cast<EventType>(type - kFirstEventNumber));
}

void RecordScanner::read_number_record(RawElement& element) {
    constexpr u64 kHead = 1;
    if (!fits(element, kHead + 1)) return;
    const u8 size = bytes()[1] == kUndefinedSize ? u8{0} : bytes()[1];
    if (size > 8) return take_damage(element, "a number has more than eight bytes");
    read_payload(element, kHead, u64{1} + size);
}

void RecordScanner::read_record(RawElement& element) {
    constexpr u64 kShortHead = 2;
    constexpr u64 kLongHead = 10;
    if (!fits(element, kShortHead)) return;
    if (bytes()[1] != kLongLength) return read_payload(element, kShortHead, bytes()[1]);
    if (!fits(element, kLongHead)) return;
    const u64 length = raw_number(bytes() + kShortHead, 8, little_endian_);
    // Clamped: sums with a number from the file must not overflow.
    read_payload(element, kLongHead, std::min(length, kLargestChunk));
}

void RecordScanner::read_payload(RawElement& element, u64 head, u64 length) {
    if (!fits(element, head + length)) return;
    element.payload = {bytes() + head, length};
    const bool attributes = kind_ == RawFileKind::events && element.type == kAttributeListMark;
    take(element, attributes ? ElementKind::attribute_list : ElementKind::record, head + length);
}

/// Passes a hole of the file after the window, up to `limit`; returns its size.
u64 RecordScanner::skip_hole(u64 limit) {
    if (!file_ || begin_ != end_) return 0;
    const u64 at = position();
    const u64 data = std::min(file_->next_data(at), limit);
    if (data <= at) return 0;
    window_offset_ = data;
    begin_ = end_ = 0;
    return data - at;
}

/// Consumes zeros up to `limit` and returns their number.
u64 RecordScanner::skip_zeros(u64 limit) {
    u64 zeros = skip_hole(limit);
    while (position() < limit && have(1)) {
        const u8* from = bytes();
        const u8* to = from + std::min<u64>(end_ - begin_, limit - position());
        const u8* other = std::find_if(from, to, [](u8 byte) { return byte != 0; });
        zeros += static_cast<u64>(other - from);
        begin_ += static_cast<std::size_t>(other - from);
        if (other != to) break;
        zeros += skip_hole(limit);
    }
    return zeros;
}

void RecordScanner::read_end_of_chunk(RawElement& element) {
    const u64 limit = std::min(chunk_end_, file_size_);
    element.kind = ElementKind::end_of_chunk;
    element.size = skip_zeros(limit);
    state_ = State::at_chunk;
    if (chunk_size_ == 0) {
        const bool chunk_follows = position() >= kSmallestChunk && position() < limit;
        if (chunk_follows) chunk_size_ = position();
        return;
    }
    element.zeros = position() == limit;
    while (position() < limit && have(1)) {  // libotf2 ignores the fill of a chunk
        take(element, ElementKind::end_of_chunk, std::min<u64>(end_ - begin_, limit - position()));
        element.size += skip_hole(limit);
    }
}

void RecordScanner::read_end_mark(RawElement& element) {
    const bool both = have(2) && bytes()[1] == kEndOfBuffer;
    take(element, ElementKind::end_mark, both ? 2 : 1);
    state_ = State::after_end;
}

void RecordScanner::read_trailing_bytes(RawElement& element) {
    element.kind = ElementKind::trailing_bytes;
    element.size = have(1) ? left_in_file() : 0;
    state_ = State::done;
}

namespace {

/// The file extension gives the kind.
RawFileKind kind_of(const std::string& path) {
    return path.ends_with(".evt") ? RawFileKind::events : RawFileKind::definitions;
}

/// Scans to the end of the file.
RawFile walk(RecordScanner& scanner, const std::string& what) {
    RawFile raw;
    raw.size = scanner.file_size();
    RawElement element;
    while (scanner.skip_records(), scanner.next(element)) {
        if (element.kind == ElementKind::chunk_header) raw.last_event = element.header.last_event;
        if (element.kind == ElementKind::end_mark) raw.ended = true;
        if (element.kind == ElementKind::damage) {
            raw.reason = element.reason;
            raw.damage = element.offset;
        }
        if (element.kind != ElementKind::trailing_bytes || element.size <= kLargestChunk) continue;
        throw Error(
            ErrorKind::corrupt,
            "cannot read {}: {} bytes follow its end mark, which no tool adds; cut them off", what,
            element.size);
    }
    return raw;
}

}  // namespace

void expect_present(const std::string& path, const std::string& what) {
    expect_regular_file(path, what);
    if (::access(path.c_str(), R_OK) == 0) return;
    const bool lost = errno == ENOENT && kind_of(path) == RawFileKind::events;
    throw Error(ErrorKind::io, "cannot read {}: {}{}", what, std::strerror(errno),
                lost ? "; trace_compress --rescue continues without them" : "");
}

RawFile inspect_file(const std::string& path, u64 chunk_size, const std::string& what) {
    expect_present(path, what);
    if (RecordScanner scanner(path, kind_of(path), chunk_size, what); scanner.chunk_size() != 0) {
        scanner.go_to_last_chunk();
        const RawFile raw = walk(scanner, what);
        if (raw.ended) return raw;
    }
    RecordScanner scanner(path, kind_of(path), chunk_size, what);
    return walk(scanner, what);
}

}  // namespace tracefold::otf2
