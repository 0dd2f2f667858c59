// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/direct_reader.hpp"

#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "otf2/detail/raw_fields.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <span>
#include <type_traits>
#include <utility>

#include <otf2/otf2.h>

namespace tracefold::otf2 {
namespace {

using Form = EventDecoder::Form;
using Layout = EventDecoder::Layout;

/// Number of fields before the array that ends a record; the last of them is its length.
constexpr u8 kFieldsBeforeArray = 2;

constexpr std::size_t kMostFields = [] {
    std::size_t most = 0;
    for (u8 type = 0; type < kEventTypes; ++type) {
        most = std::max<std::size_t>(most, event_info(type).field_count);
    }
    return most;
}();

template <EventType kType>
constexpr Form form_of() {
    if (kType == EventType::Metric) return Form::metric;
    if (kType == EventType::ProgramBegin) return Form::references;
    return is_number_event(kType) ? Form::number : Form::fields;
}

template <EventType kType>
constexpr Layout layout_of() {
    constexpr const RecordInfo& info = event_info(kType);
    constexpr Form form = form_of<kType>();
    Layout layout;
    layout.form = form;
    layout.type = static_cast<u8>(kType);
    layout.field_count = info.field_count;
    if constexpr (form == Form::number) layout.size = largest_size(info.fields[0].width) - 1;
    if constexpr (form == Form::fields) {
        layout.take = []<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
            return &take_fields<event_info(kType).fields[kIndex].width...>;
        }
        (std::make_index_sequence<event_info(kType).field_count>{});
    }
    return layout;
}

/// By the mark of an element.
constexpr std::array<Layout, 256> kLayouts = [] {
    std::array<Layout, 256> all{};
    all[kEndOfChunk].stop = EventDecoder::Stop::end_of_chunk;
    all[kEndOfFile].stop = EventDecoder::Stop::end_of_file;
    all[kAttributeListMark].form = Form::attributes;
#define TRACEFOLD_LAYOUT(name, ...)                                      \
    all[kFirstEventNumber + static_cast<std::size_t>(EventType::name)] = \
        layout_of<EventType::name>();
    TRACEFOLD_EVENTS(TRACEFOLD_LAYOUT)
#undef TRACEFOLD_LAYOUT
    return all;
}();

/// Decodes a metric, or returns null.
const u8* take_metric(RecordBatch& batch, u64 time, const Body& body) {
    u64 metric = 0;
    const u8* at = take<Width::packed32>(body.begin, metric);
    if (at == nullptr) return nullptr;
    const std::size_t count = *at++;
    u64* const values = batch.add(static_cast<u8>(EventType::Metric), time,
                                  static_cast<u32>(kFieldsBeforeArray + 2 * count));
    values[0] = metric;
    values[1] = count;
    for (std::size_t i = 0; i < count; ++i) {
        if (at >= body.end) return nullptr;
        const OTF2_Type type = *at++;
        u64 bits = 0;
        at = take<Width::packed64>(at, bits);
        if (at == nullptr) return nullptr;
        values[kFieldsBeforeArray + i] = type;
        values[kFieldsBeforeArray + count + i] =
            bits & kBitsOf[static_cast<std::size_t>(attribute_width(type)) / 8];
    }
    return at;
}

/// Decodes a record that ends with an array of references, or returns null.
const u8* take_references(RecordBatch& batch, u8 type, u64 time, const Body& body) {
    u64 first = 0;
    u64 count = 0;
    const u8* at = take<Width::packed32>(body.begin, first);
    if (at != nullptr) at = take<Width::packed32>(at, count);
    if (at == nullptr || count > static_cast<u64>(body.end - body.begin)) return nullptr;
    u64* const values = batch.add(type, time, static_cast<u32>(kFieldsBeforeArray + count));
    values[0] = first;
    values[1] = count;
    for (u64 i = 0; i < count; ++i) {
        if (at >= body.end) return nullptr;
        at = take<Width::packed32>(at, values[kFieldsBeforeArray + i]);
        if (at == nullptr) return nullptr;
    }
    return at;
}

/// Decodes an attribute value. Future OTF2 types are references, stored like other numbers. Null if
/// libotf2 refuses the value.
const u8* take_value(OTF2_Type type, const u8* at, u64& value) {
    const auto size = static_cast<std::size_t>(attribute_width(type)) / 8;
    const bool whole = size < 4 || type == OTF2_TYPE_FLOAT || type == OTF2_TYPE_DOUBLE;
    if (!whole)
        return size == 4 ? take<Width::packed32>(at, value) : take<Width::packed64>(at, value);
    value = load_number(at, size);
    return at + size;
}

}  // namespace

void EventDecoder::begin_file() {
    time_ = 0;
    attributes_.clear();
}

bool EventDecoder::begin_chunk(const u8* bytes, std::size_t size) {
    const auto header = parse_chunk_header({bytes, size});
    if (!header || !is_native(*header)) return false;
    last_event_ = header->last_event;
    begin_ = bytes;
    at_ = bytes + ChunkHeader::kSize;
    end_ = bytes + size;
    return true;
}

/// Decodes the attributes of the next record. Null if libotf2 might refuse them, or if checking
/// them for duplicates would take long.
const u8* EventDecoder::take_attributes(const u8* at) {
    constexpr u64 kLargestAttribute = 15;
    constexpr u64 kMostAttributes = 64;
    const Body body = body_at(at + 1, end_);
    u64 count = 0;
    if (body.end == nullptr || !attributes_.empty()) return nullptr;
    at = take<Width::packed32>(body.begin, count);
    const auto length = static_cast<u64>(body.end - body.begin);
    if (at == nullptr || count > kMostAttributes || length > count * kLargestAttribute + 5) {
        return nullptr;
    }
    for (u64 i = 0; i < count; ++i) {
        u64 ref = 0;
        u64 value = 0;
        if (at >= body.end || (at = take<Width::packed32>(at, ref)) == nullptr) return nullptr;
        const u8 type = *at++;
        if ((at = take_value(type, at, value)) == nullptr) return nullptr;
        const auto is_same = [ref](const Attribute& other) { return other.ref == ref; };
        if (std::ranges::any_of(attributes_, is_same)) return nullptr;
        attributes_.push_back({static_cast<u32>(ref), type, value});
    }
    return at > body.end ? nullptr : body.end;
}

void EventDecoder::add_attributes(RecordBatch& batch) {
    for (const Attribute& attribute : attributes_) batch.push_attribute(attribute);
    attributes_.clear();
}

/// Decodes a record with a length and returns the next element, null if it is not supported.
const u8* EventDecoder::take_record(const Layout& layout, const u8* at, RecordBatch& batch) const {
    const Body body = body_at(at + 1, end_);
    if (body.end == nullptr) return nullptr;
    const u8* after = nullptr;
    if (layout.form == Form::fields) [[likely]] {
        after = layout.take(body.begin, batch.add(layout.type, time_, layout.field_count));
    } else if (layout.form == Form::metric) {
        after = take_metric(batch, time_, body);
    } else {
        after = take_references(batch, layout.type, time_, body);
    }
    return after == nullptr || after > body.end ? nullptr : body.end;
}

/// Decodes records of numbers until another element, or one that is not supported.
void EventDecoder::take_numbers(RecordBatch& batch, std::size_t most) {
    RecordAppender records(batch, most, kMostFields);
    const u8* const end_of_chunk = end_;
    const u8* at = at_;
    u64 time = time_;
    while (!records.full()) {
        const bool has_time = *at == kTimestampMark;
        const u64 record_time = has_time ? load(at + 1) : time;
        const u8* const mark = has_time ? at + kTimestampSize : at;
        const Layout& layout = kLayouts[*mark];
        const u8* next = nullptr;
        if (layout.form == Form::number) {
            next = take_number(layout.size, mark + 1, *records.values());
        } else if (layout.form == Form::fields && mark[1] != kLongLength) {
            const u8* const end = mark + 2 + mark[1];
            next = layout.take(mark + 2, records.values());
            next = next == nullptr || next > end ? nullptr : end;
        }
        if (next == nullptr || next >= end_of_chunk) break;
        records.add(layout.type, record_time, layout.field_count);
        time = record_time;
        at = next;
    }
    at_ = at;
    time_ = time;
}

EventDecoder::Stop EventDecoder::take_element(RecordBatch& batch) {
    if (*at_ == kTimestampMark) {
        time_ = load(at_ + 1);
        at_ += kTimestampSize;
    }
    const Layout& layout = kLayouts[*at_];
    if (layout.form == Form::none) return at_ < end_ ? layout.stop : Stop::unknown;
    if (layout.form == Form::attributes) {
        at_ = take_attributes(at_);
    } else {
        at_ = layout.form == Form::number
                  ? take_number(layout.size, at_ + 1, *batch.add(layout.type, time_, 1))
                  : take_record(layout, at_, batch);
        // Attributes need a decoded record: the batch may be empty otherwise.
        if (at_ != nullptr) add_attributes(batch);
    }
    return at_ == nullptr || at_ >= end_ ? Stop::unknown : Stop::full;
}

EventDecoder::Stop EventDecoder::decode(RecordBatch& batch, std::size_t most) {
    while (batch.size() < most) {
        if (attributes_.empty()) take_numbers(batch, most - batch.size());
        if (batch.size() == most) break;
        const Stop stop = take_element(batch);
        if (stop != Stop::full) return stop;
    }
    return Stop::full;
}

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

/// Returns the size of the chunk, or of its part before a hole up to its end: of those zeros, the
/// first one is the end mark.
std::size_t DirectReader::read_chunk(const InputFile& file, u64 offset, u64 chunk_size) {
    const u64 whole = std::min(chunk_size, file.size() - offset);
    const auto size =
        static_cast<std::size_t>(std::min(whole, file.data_within(offset, whole) + 1));
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

namespace {

constexpr u8 kMappingTableMark =
    definition_number(Stream::local_definitions, static_cast<u8>(DefinitionType::MappingTable));
constexpr u8 kClockOffsetMark =
    definition_number(Stream::local_definitions, static_cast<u8>(DefinitionType::ClockOffset));

/// Decodes records one by one; each function returns the end of the fields, or null.
class LocalDefinitions {
  public:
    explicit LocalDefinitions(RecordBatch& batch) : batch_(batch) {}

    const u8* take_record(u8 mark, const Body& body) {
        if (body.end == nullptr) return nullptr;
        if (mark == kMappingTableMark) return take_mapping_table(body);
        return mark == kClockOffsetMark ? take_clock_offset(body) : nullptr;
    }

  private:
    /// type size mode (global_id* | (local_id global_id)*)
    const u8* take_mapping_table(const Body& body) {
        u64 size = 0;
        const u8 type = *body.begin;
        const u8* at = take<Width::packed64>(body.begin + 1, size);
        const bool plausible = at != nullptr && size != 0 && size <= u64(body.end - body.begin);
        if (!plausible || type >= OTF2_MAPPING_MAX || tables_.test(type)) return nullptr;
        tables_.set(type);
        const u8 mode = *at++;
        if (mode != OTF2_ID_MAP_DENSE && mode != OTF2_ID_MAP_SPARSE) return nullptr;
        constexpr u64 kBeforeIds = 3;
        u64* const values = batch_.add(static_cast<u8>(DefinitionType::MappingTable), 0,
                                       static_cast<u32>(kBeforeIds + 2 * size));
        values[0] = type;
        values[1] = mode;
        values[2] = size;
        const std::span ids(values + kBeforeIds, 2 * size);
        return take_ids(mode, ids.first(size), ids.last(size), at, body.end);
    }

    /// libotf2 sorts the ids of a sparse table: only sorted ones are supported.
    static const u8* take_ids(u8 mode, std::span<u64> local_ids, std::span<u64> global_ids,
                              const u8* at, const u8* end) {
        for (std::size_t i = 0; i < local_ids.size(); ++i) {
            if (at >= end) return nullptr;
            local_ids[i] = i;
            if (mode == OTF2_ID_MAP_SPARSE) at = take<Width::packed64>(at, local_ids[i]);
            if (at == nullptr || (i != 0 && local_ids[i] <= local_ids[i - 1])) return nullptr;
            at = take<Width::packed64>(at, global_ids[i]);
            if (at == nullptr) return nullptr;
        }
        return at;
    }

    const u8* take_clock_offset(const Body& body) {
        u64* const values = batch_.add(static_cast<u8>(DefinitionType::ClockOffset), 0, 3);
        const u8* const at =
            take_fields<Width::plain64, Width::packed_signed64, Width::plain64>(body.begin, values);
        if (has_clock_offset_ && values[0] <= last_time_) return nullptr;  // as libotf2
        has_clock_offset_ = true;
        last_time_ = values[0];
        return at;
    }

    RecordBatch& batch_;
    std::bitset<OTF2_MAPPING_MAX> tables_;  ///< types seen
    u64 last_time_ = 0;
    bool has_clock_offset_ = false;
};

}  // namespace

bool decode_local_definitions(const u8* bytes, std::size_t size, std::size_t most,
                              RecordBatch& batch) {
    const auto header = parse_chunk_header({bytes, size});
    if (!header || !is_native(*header)) return false;
    const u8* const end = bytes + size;
    LocalDefinitions definitions(batch);
    for (const u8* at = bytes + ChunkHeader::kSize; at < end;) {
        if (*at == kEndOfFile) return true;
        if (batch.size() == most) return false;
        const Body body = body_at(at + 1, end);
        const u8* const after = definitions.take_record(*at, body);
        if (after == nullptr || after > body.end) return false;
        at = body.end;
    }
    return false;
}

}  // namespace tracefold::otf2
