// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/file_encoder.hpp"

#include "base/error.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "otf2/detail/field_walk.hpp"
#include "otf2/detail/raw_fields.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace tracefold::otf2 {
namespace {

/// Space behind a chunk for the last, incomplete number of eight bytes.
constexpr std::size_t kSpace = 8;

/// Records with so many bytes of data, by their bound, have a length of nine bytes.
constexpr u64 kLongData = 0xFF;

constexpr u64 length_size(u64 data_bound) { return data_bound < kLongData ? 1 : 1 + sizeof(u64); }

/// Encodes the length of the data that `put_data` appends; `bound` is what the data may have.
template <class PutData>
u8* put_with_length(u64 bound, u8* at, const PutData& put_data) {
    u8* const data = at + length_size(bound);
    u8* const end = put_data(data);
    const u64 length = static_cast<u64>(end - data);
    *at = bound < kLongData ? static_cast<u8>(length) : kLongLength;
    if (bound >= kLongData) store(length, at + 1);
    return end;
}

u8* put_time(u64 time, u8* at) {
    *at = kTimestampMark;
    return store(time, at + 1);
}

/// Encodes a value of an OTF2_Type.
u8* put_typed(OTF2_Type type, u64 value, u8* at) {
    const auto size = static_cast<std::size_t>(attribute_width(type)) / 8;
    value &= kBitsOf[size];
    if (size < sizeof(u32) || type == OTF2_TYPE_FLOAT || type == OTF2_TYPE_DOUBLE) {
        return store_number(value, size, at);
    }
    if (type == OTF2_TYPE_INT32 || type == OTF2_TYPE_INT64) {
        return put<Width::packed_signed64>(value, at);
    }
    return size == sizeof(u32) ? put<Width::packed32>(value, at) : put<Width::packed64>(value, at);
}

u8* put_value(Width width, OTF2_Type type, u64 value, u8* at) {
    switch (width) {
        case Width::byte:
            return put<Width::byte>(value, at);
        case Width::packed32:
            return put<Width::packed32>(value, at);
        case Width::packed_signed64:
            return put<Width::packed_signed64>(value, at);
        case Width::plain64:
            return put<Width::plain64>(value, at);
        case Width::typed:
            return put_typed(type, value, at);
        default:
            return put<Width::packed64>(value, at);
    }
}

/// Sums what libotf2 reserves for the values of a record: for packed numbers of definitions their
/// size, for all others the largest size.
struct ValueSizes {
    u64& sum;
    bool exact;

    void operator()(Width width, OTF2_Type /*type*/, u64 value) const {
        const bool packed = width >= Width::packed32 && width <= Width::packed_signed64;
        if (!exact || !packed) {
            sum += largest_size(width);
        } else {
            sum += 1 + (is_undefined(width, value) ? 0 : significant_bytes(value));
        }
    }
    void operator()(std::string_view text) const { sum += text.size() + 1; }
};

/// Appends the values of a record.
struct ValueEncoder {
    u8*& at;

    void operator()(Width width, OTF2_Type type, u64 value) const {
        at = put_value(width, type, value, at);
    }
    void operator()(std::string_view text) const {
        at = std::copy(text.begin(), text.end(), at);
        *at++ = 0;
    }
};

/// How events of a type without attributes are encoded.
struct EventForm {
    u8 field_count = 0;
    u64 bound = 0;  ///< of the whole record; 0 if it has arrays
    /// Encodes the record without its time; null if a value is too large for its field.
    u8* (*put)(const u64* values, u8* at) = nullptr;
};

template <EventType kType>
constexpr EventForm form_of() {
    constexpr const RecordInfo& info = event_info(kType);
    EventForm form;
    form.field_count = info.field_count;
    if constexpr (!info.has_arrays()) {
        form.bound = is_number_event(kType) ? 1 : 2;
        for (u8 i = 0; i < info.field_count; ++i) form.bound += largest_size(info.fields[i].width);
        form.put = []<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
            return +[](const u64* values, u8* at) {
                *at++ = kFirstEventNumber + static_cast<u8>(kType);
                if constexpr (is_number_event(kType)) {
                    return put_fields<event_info(kType).fields[kIndex].width...>(values, at);
                }
                u8* const end =
                    put_fields<event_info(kType).fields[kIndex].width...>(values, at + 1);
                if (end != nullptr) *at = static_cast<u8>(end - at - 1);
                return end;
            };
        }
        (std::make_index_sequence<event_info(kType).field_count>{});
    }
    return form;
}

constexpr EventForm kForms[] = {
#define TRACEFOLD_FORM(name, ...) form_of<EventType::name>(),
    TRACEFOLD_EVENTS(TRACEFOLD_FORM)
#undef TRACEFOLD_FORM
};

constexpr u64 attribute_data_bound(u64 count) {
    constexpr u64 kOfOne = largest_size(Width::packed32) + 1 + largest_size(Width::packed64);
    return largest_size(Width::packed32) + kOfOne * count;
}

u8* put_attributes(std::span<const Attribute> attributes, u8* at) {
    *at = kAttributeListMark;
    return put_with_length(attribute_data_bound(attributes.size()), at + 1, [&](u8* to) {
        to = put<Width::packed32>(attributes.size(), to);
        for (const Attribute& attribute : attributes) {
            to = put<Width::packed32>(attribute.ref, to);
            *to++ = attribute.type;
            to = put_typed(attribute.type, attribute.value, to);
        }
        return to;
    });
}

}  // namespace
}  // namespace tracefold::otf2

namespace tracefold {

using otf2::ChunkHeader;

FileEncoder::FileEncoder(Stream stream, u64 chunk_size, std::string what)
    : stream_(stream), chunk_size_(chunk_size), what_(std::move(what)) {
    if (chunk_size < otf2::kSmallestChunk || chunk_size > otf2::kLargestChunk) {
        throw Error(ErrorKind::corrupt, "cannot write {} in chunks of {} bytes", what_, chunk_size);
    }
    chunk_ = std::make_unique_for_overwrite<u8[]>(chunk_size + otf2::kSpace);
    end_ = chunk_.get() + chunk_size;
    begin_chunk();
}

void FileEncoder::begin_chunk() {
    at_ = chunk_.get();
    *at_++ = otf2::kChunkHeaderMark;
    *at_++ = std::endian::native == std::endian::little ? ChunkHeader::kLittleEndian
                                                        : ChunkHeader::kBigEndian;
    at_ = otf2::store(events_ + 1, at_);
    at_ = otf2::store(0, at_);
}

std::string_view FileEncoder::complete_chunk(u8* end) {
    otf2::store(events_, chunk_.get() + ChunkHeader::kLastEventAt);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    return {reinterpret_cast<const char*>(chunk_.get()),
            static_cast<std::size_t>(end - chunk_.get())};
}

std::string_view FileEncoder::end_chunk() {
    std::fill(at_, end_, otf2::kEndOfChunk);
    const std::string_view bytes = complete_chunk(end_);
    at_ = nullptr;  // the next chunk begins with the next record
    needs_time_ = stream_ == Stream::events;
    return bytes;
}

std::string_view FileEncoder::end_file() {
    *at_++ = otf2::kEndOfFile;
    if (at_ < end_) *at_++ = otf2::kEndOfBuffer;
    return complete_chunk(at_);
}

std::size_t FileEncoder::encode(const RecordBatch& batch, std::size_t first) {
    if (first == batch.size()) return first;
    if (at_ == nullptr) begin_chunk();
    return stream_ == Stream::events ? encode_events(batch, first)
                                     : encode_definitions(batch, first);
}

void FileEncoder::refuse(u8 type, std::string_view reason) const {
    throw Error(ErrorKind::corrupt, "cannot write {}: a record of type {} has {}", what_,
                record_info(stream_, type).name, reason);
}

void FileEncoder::refuse_type(u8 type) const {
    throw Error(ErrorKind::corrupt, "cannot write {}: record type {} has no place there", what_,
                type);
}

/// True if a record of at most `bound` bytes has a place in the chunk, with a byte after it.
bool FileEncoder::fits(u64 bound, const u8* at, u8 type) const {
    if (bound < static_cast<u64>(end_ - at)) return true;
    const bool first = at == chunk_.get() + ChunkHeader::kSize || needs_time_;
    if (first) refuse(type, "more bytes than a chunk");
    return false;
}

std::size_t FileEncoder::encode_events(const RecordBatch& batch, std::size_t first) {
    using namespace otf2;
    const std::span<const Head> heads = batch.heads();
    u8* at = at_;
    u64 time = time_;
    std::size_t i = first;
    for (; i < heads.size(); ++i) {
        const Head& head = heads[i];
        if (head.type >= kEventTypes) refuse_type(head.type);
        if (head.time < time) refuse(head.type, "a time before that of the previous record");
        const EventForm& form = kForms[head.type];
        u64 bound = form.bound;
        u64 data = 0;
        if (form.put == nullptr) {
            data = reserved_for(batch, head);
            bound = 1 + length_size(data) + data;
        }
        if (head.attribute_count != 0) [[unlikely]] {
            const u64 list = attribute_data_bound(head.attribute_count);
            bound += 1 + length_size(list) + list;
        }
        if (needs_time_) [[unlikely]]
            at = put_time(time = head.time, at);
        if (!fits(bound + kTimestampSize, at, head.type)) break;
        needs_time_ = false;
        // Each record at time 0 has a timestamp.
        if (head.time > time || head.time == 0) at = put_time(time = head.time, at);
        if (head.attribute_count != 0) [[unlikely]]
            at = put_attributes(batch.attributes(head), at);
        u8* next = nullptr;
        if (form.put != nullptr && head.value_count == form.field_count) [[likely]] {
            next = form.put(batch.values(head).data(), at);
        }
        const u8 number = static_cast<u8>(kFirstEventNumber + head.type);
        at = next != nullptr ? next : put_record(number, batch, head, data, at);
    }
    events_ += i - first;
    time_ = time;
    at_ = at;
    return i;
}

/// What libotf2 reserves for the data of the record.
u64 FileEncoder::reserved_for(const RecordBatch& batch, const Head& head) const {
    u64 size = 0;
    const bool exact = stream_ != Stream::events;
    otf2::walk_fields(
        stream_, batch, head, [&](std::string_view reason) { refuse(head.type, reason); },
        otf2::ValueSizes{size, exact});
    return size;
}

/// Encodes a record of any type with a length, or refuses it.
u8* FileEncoder::put_record(u8 number, const RecordBatch& batch, const Head& head, u64 reserved,
                            u8* at) const {
    *at = number;
    return otf2::put_with_length(reserved, at + 1, [&](u8* to) {
        otf2::walk_fields(
            stream_, batch, head, [&](std::string_view reason) { refuse(head.type, reason); },
            otf2::ValueEncoder{to});
        return to;
    });
}

std::size_t FileEncoder::encode_definitions(const RecordBatch& batch, std::size_t first) {
    using namespace otf2;
    std::size_t i = first;
    for (; i < batch.size(); ++i) {
        const Head& head = batch[i];
        const u8 number = definition_number(stream_, head.type);
        if (number == 0) refuse_type(head.type);
        const u64 data = reserved_for(batch, head);
        if (!fits(1 + length_size(data) + data, at_, head.type)) break;
        at_ = put_record(number, batch, head, data, at_);
    }
    return i;
}

std::string_view EncodedFile::next_chunk() {
    while (!ended_) {
        encoded_ = encoder_.encode(batch_, encoded_);
        if (encoded_ < batch_.size()) return encoder_.end_chunk();
        records_ += std::exchange(encoded_, 0);
        if (!next_(batch_)) {
            ended_ = true;
            return encoder_.end_file();
        }
    }
    return {};
}

}  // namespace tracefold
