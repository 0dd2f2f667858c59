// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/otf2/libotf2_writer.hpp"

#include "base/error.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "otf2/detail/error_capture.hpp"
#include "otf2/detail/raw_fields.hpp"

#include <memory>
#include <new>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <otf2/otf2.h>

// Deprecated records still occur in archives.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tracefold::testing {
namespace {

using namespace otf2;

using ArchiveHandle = std::unique_ptr<OTF2_Archive, Deleter<OTF2_Archive_Close>>;
using AttributeListHandle = std::unique_ptr<OTF2_AttributeList, Deleter<OTF2_AttributeList_Delete>>;
using IdMapHandle = std::unique_ptr<OTF2_IdMap, Deleter<OTF2_IdMap_Free>>;

/// The inverse of to_u64. Precondition: fits<T>(bits).
template <class T>
T from_u64(u64 bits) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(bits);
    } else {
        return std::bit_cast<T>(bits);
    }
}

template <class T>
bool fits(u64 bits) {
    return to_u64(from_u64<T>(bits)) == bits;
}

/// The inverse of attribute_bits(): places a narrow value where libotf2 reads it in any byte order.
/// Bits beyond the type are kept where they do not matter.
inline OTF2_AttributeValue attribute_value(OTF2_Type type, u64 bits) {
    OTF2_AttributeValue value;
    value.uint64 = bits;
    switch (attribute_width(type)) {
        case 8:
            value.uint8 = static_cast<u8>(bits);
            break;
        case 16:
            value.uint16 = static_cast<u16>(bits);
            break;
        case 32:
            value.uint32 = static_cast<u32>(bits);
            break;
        default:
            break;
    }
    return value;
}

/// Converts the values of one record to arguments of libotf2's functions. Throws Error `corrupt` if
/// they do not match the shape of `info`.
class ValueCursor {
  public:
    ValueCursor(const RecordInfo& info, const RecordBatch& batch, const RecordBatch::Head& head)
        : info_(info), batch_(batch), head_(head), values_(batch.values(head)) {}

    u64 next(const Field& field) {
        const std::span<const u64> value = take(1);
        if (field.kind == FieldKind::count) count_ = value.front();
        if (field.kind == FieldKind::type) types_ = value;
        return value.front();
    }
    std::span<const u64> next_array(const Field& field) {
        const std::span<const u64> values = take(count_);
        if (field.kind == FieldKind::type) types_ = values;
        return values;
    }
    std::string next_text() {
        std::string text(batch_.text(head_, take(1).front()));
        if (text.find('\0') != std::string::npos) fail("a text with a zero byte");
        return text;
    }

    /// `index` is the position of the value in its array.
    template <class T>
    T convert(u64 value, const Field& field, std::size_t index = 0) const {
        if constexpr (std::is_same_v<T, OTF2_AttributeValue>) {
            if (index >= types_.size()) fail("a value without a type");
            return attribute_value(static_cast<OTF2_Type>(types_[index]), value);
        }
        if (!fits<T>(value)) {
            fail("the value " + std::to_string(value) + ", too large for its field " +
                 std::string(field.name));
        }
        return from_u64<T>(value);
    }

    void expect_end() const {
        if (!values_.empty()) fail("too many values");
    }

  private:
    std::span<const u64> take(u64 count) {
        if (count > values_.size()) fail("too few values");
        const std::span<const u64> taken = values_.first(count);
        values_ = values_.subspan(count);
        return taken;
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ErrorKind::corrupt,
                    "cannot write a record of type " + std::string(info_.name) + " with " + what);
    }

    const RecordInfo& info_;
    const RecordBatch& batch_;
    const RecordBatch::Head& head_;
    std::span<const u64> values_;
    std::span<const u64> types_;  ///< of the following values
    u64 count_ = 0;
};

// Owns an argument during the call: a scalar, an array, or a text.
template <class T>
struct Argument {
    T value;
    Argument(ValueCursor& cursor, const Field& field)
        : value(cursor.convert<T>(cursor.next(field), field)) {}
    T get() const { return value; }
};

template <class T>
struct Argument<const T*> {
    std::vector<T> items;
    Argument(ValueCursor& cursor, const Field& field) {
        const std::span<const u64> values = cursor.next_array(field);
        items.reserve(values.size() + 1);  // libotf2 needs a valid pointer even to an empty array
        for (std::size_t i = 0; i < values.size(); ++i) {
            items.push_back(cursor.convert<T>(values[i], field, i));
        }
    }
    const T* get() const { return items.data(); }
};

template <>
struct Argument<const char*> {
    std::string text;
    Argument(ValueCursor& cursor, const Field&) : text(cursor.next_text()) {}
    const char* get() const { return text.c_str(); }
};

/// Calls `write(arguments...)` with the values of the record as `Arguments`.
template <class... Arguments, class Write>
OTF2_ErrorCode call_with_fields(const RecordInfo& info, const RecordBatch& batch,
                                const RecordBatch::Head& head, Write write) {
    ValueCursor cursor(info, batch, head);
    return [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        // A braced list is evaluated from left to right.
        const std::tuple<Argument<Arguments>...> held{
            Argument<Arguments>(cursor, info.fields[kIndex])...};
        cursor.expect_end();
        return write(std::get<kIndex>(held).get()...);
    }
    (std::index_sequence_for<Arguments...>{});
}

template <class Writer>
using DefinitionCall = OTF2_ErrorCode (*)(Writer*, const RecordBatch&, const RecordBatch::Head&);

/// Deduces the arguments of a record from libotf2's function that writes it.
template <class Function>
struct DefinitionFunction;

template <class Writer, class... Arguments>
struct DefinitionFunction<OTF2_ErrorCode (*)(Writer*, Arguments...)> {
    template <auto kWrite, DefinitionType kType>
    static OTF2_ErrorCode call(Writer* writer, const RecordBatch& batch,
                               const RecordBatch::Head& head) {
        static_assert(sizeof...(Arguments) == definition_info(kType).field_count);
        return call_with_fields<Arguments...>(
            definition_info(kType), batch, head,
            [&](Arguments... arguments) { return kWrite(writer, arguments...); });
    }
};

/// For records that are invalid in this kind of definition file.
template <>
struct DefinitionFunction<const std::nullptr_t*> {
    template <std::nullptr_t, DefinitionType>
    static OTF2_ErrorCode call(OTF2_DefWriter*, const RecordBatch&, const RecordBatch::Head&) {
        return OTF2_ERROR_INVALID_RECORD;
    }
};

constexpr std::nullptr_t OTF2_DefWriter_WriteClockProperties = nullptr;
constexpr std::nullptr_t OTF2_DefWriter_WriteParadigm = nullptr;
constexpr std::nullptr_t OTF2_DefWriter_WriteParadigmProperty = nullptr;
constexpr std::nullptr_t OTF2_DefWriter_WriteIoParadigm = nullptr;

OTF2_ErrorCode write_mapping_table(OTF2_DefWriter* writer, const RecordBatch& batch,
                                   const RecordBatch::Head& head) {
    const RecordInfo& info = definition_info(DefinitionType::MappingTable);
    ValueCursor cursor(info, batch, head);
    const auto mapping_type =
        cursor.convert<OTF2_MappingType>(cursor.next(info.fields[0]), info.fields[0]);
    const auto mode = cursor.convert<OTF2_IdMapMode>(cursor.next(info.fields[1]), info.fields[1]);
    const u64 size = cursor.next(info.fields[2]);
    const std::span<const u64> local_ids = cursor.next_array(info.fields[3]);
    const std::span<const u64> global_ids = cursor.next_array(info.fields[4]);
    cursor.expect_end();

    // A sparse table grows by pairs: with an odd capacity libotf2 would write out of bounds.
    const IdMapHandle id_map(OTF2_IdMap_Create(mode, 2 * (size + 1)));
    if (!id_map) throw std::bad_alloc();
    for (u64 i = 0; i < size; ++i) {
        const OTF2_ErrorCode code = OTF2_IdMap_AddIdPair(id_map.get(), local_ids[i], global_ids[i]);
        if (code != OTF2_SUCCESS) return code;
    }
    return OTF2_DefWriter_WriteMappingTable(writer, mapping_type, id_map.get());
}

constexpr DefinitionCall<OTF2_GlobalDefWriter> kGlobalCalls[] = {
#define TRACEFOLD_CALL(name, ...)                                          \
    DefinitionFunction<decltype(&OTF2_GlobalDefWriter_Write##name)>::call< \
        OTF2_GlobalDefWriter_Write##name, DefinitionType::name>,
    TRACEFOLD_DEFINITIONS(TRACEFOLD_CALL)
#undef TRACEFOLD_CALL
};

constexpr DefinitionCall<OTF2_DefWriter> kLocalCalls[] = {
#define TRACEFOLD_CALL(name, ...)                                                               \
    DefinitionFunction<decltype(&OTF2_DefWriter_Write##name)>::call<OTF2_DefWriter_Write##name, \
                                                                    DefinitionType::name>,
    TRACEFOLD_DEFINITIONS(TRACEFOLD_CALL)
#undef TRACEFOLD_CALL
        write_mapping_table,
    DefinitionFunction<decltype(&OTF2_DefWriter_WriteClockOffset)>::call<
        OTF2_DefWriter_WriteClockOffset, DefinitionType::ClockOffset>,
};
static_assert(std::size(kLocalCalls) == kDefinitionTypes);
static_assert(static_cast<u8>(DefinitionType::ClockOffset) == kDefinitionTypes - 1);

OTF2_ErrorCode write_definition(OTF2_GlobalDefWriter* writer, const RecordBatch& batch,
                                const RecordBatch::Head& head) {
    if (head.type >= std::size(kGlobalCalls)) return OTF2_ERROR_UNKNOWN_TYPE;
    return kGlobalCalls[head.type](writer, batch, head);
}

OTF2_ErrorCode write_definition(OTF2_DefWriter* writer, const RecordBatch& batch,
                                const RecordBatch::Head& head) {
    if (head.type >= std::size(kLocalCalls)) return OTF2_ERROR_UNKNOWN_TYPE;
    return kLocalCalls[head.type](writer, batch, head);
}

using EventCall = OTF2_ErrorCode (*)(OTF2_EvtWriter*, OTF2_AttributeList*, const RecordBatch&,
                                     const RecordBatch::Head&);

/// Deduces the arguments of a record from libotf2's function that writes it.
template <class Function>
struct EventFunction;

template <class... Arguments>
struct EventFunction<OTF2_ErrorCode (*)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp,
                                        Arguments...)> {
    template <auto kWrite, EventType kType>
    static OTF2_ErrorCode call(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes,
                               const RecordBatch& batch, const RecordBatch::Head& head) {
        static_assert(sizeof...(Arguments) == event_info(kType).field_count);
        return call_with_fields<Arguments...>(
            event_info(kType), batch, head, [&](Arguments... arguments) {
                return kWrite(writer, attributes, head.time, arguments...);
            });
    }
};

/// For the records of OTF2 3.2, which libotf2 may not know.
template <>
struct EventFunction<const std::nullptr_t*> {
    template <std::nullptr_t, EventType>
    static OTF2_ErrorCode call(OTF2_EvtWriter*, OTF2_AttributeList*, const RecordBatch&,
                               const RecordBatch::Head&) {
        return OTF2_ERROR_UNKNOWN_TYPE;
    }
};

constexpr std::nullptr_t OTF2_EvtWriter_MpiProbe = nullptr;
constexpr std::nullptr_t OTF2_EvtWriter_MpiMrecv = nullptr;
constexpr std::nullptr_t OTF2_EvtWriter_MpiImrecvRequest = nullptr;
constexpr std::nullptr_t OTF2_EvtWriter_MpiImrecv = nullptr;

constexpr EventCall kCalls[] = {
#define TRACEFOLD_CALL(name, ...) \
    EventFunction<decltype(&OTF2_EvtWriter_##name)>::call<OTF2_EvtWriter_##name, EventType::name>,
    TRACEFOLD_EVENTS(TRACEFOLD_CALL)
#undef TRACEFOLD_CALL
};

OTF2_ErrorCode write_event(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes,
                           const RecordBatch& batch, const RecordBatch::Head& head) {
    if (head.type >= kEventTypes) return OTF2_ERROR_UNKNOWN_TYPE;
    for (const Attribute& attribute : batch.attributes(head)) {
        const OTF2_ErrorCode code =
            OTF2_AttributeList_AddAttribute(attributes, attribute.ref, attribute.type,
                                            attribute_value(attribute.type, attribute.value));
        if (code != OTF2_SUCCESS) return code;
    }
    return kCalls[head.type](writer, attributes, batch, head);
}

OTF2_FlushType on_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) noexcept {
    return OTF2_FLUSH;
}

// With a second callback libotf2 would add BufferFlush events.
constexpr OTF2_FlushCallbacks kFlushCallbacks{on_flush, nullptr};

template <class Write>
void write_all(const RecordBatch& batch, const Write& write) {
    const ErrorCapture capture;
    for (const RecordBatch::Head& head : batch.heads()) capture.check(write(head), "libotf2");
}

}  // namespace

void write_by_libotf2(const AllRecords& records, const std::string& directory) {
    const ErrorCapture capture;
    const ArchiveInfo& info = records.info;
    const AttributeListHandle attributes(OTF2_AttributeList_New());
    ArchiveHandle archive(OTF2_Archive_Open(
        directory.c_str(), info.name.c_str(), OTF2_FILEMODE_WRITE, info.event_chunk_size,
        info.definition_chunk_size, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
    OTF2_Archive* const a = archive.get();
    OTF2_Archive_SetFlushCallbacks(a, &kFlushCallbacks, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(a);
    OTF2_Archive_OpenDefFiles(a);
    OTF2_Archive_OpenEvtFiles(a);
    OTF2_GlobalDefWriter* const global = OTF2_Archive_GetGlobalDefWriter(a);
    write_all(records.global_definitions, [&](const RecordBatch::Head& head) {
        return write_definition(global, records.global_definitions, head);
    });
    for (const auto& one : records.local_definitions) {
        OTF2_DefWriter* const writer = OTF2_Archive_GetDefWriter(a, one.first);
        write_all(one.second, [&](const RecordBatch::Head& head) {
            return write_definition(writer, one.second, head);
        });
        OTF2_Archive_CloseDefWriter(a, writer);
    }
    for (const auto& one : records.events) {
        OTF2_EvtWriter* const writer = OTF2_Archive_GetEvtWriter(a, one.first);
        write_all(one.second, [&](const RecordBatch::Head& head) {
            return write_event(writer, attributes.get(), one.second, head);
        });
        OTF2_Archive_CloseEvtWriter(a, writer);
    }
    OTF2_Archive_CloseGlobalDefWriter(a, global);
    OTF2_Archive_CloseDefFiles(a);
    OTF2_Archive_CloseEvtFiles(a);
    capture.check(OTF2_Archive_Close(archive.release()), "libotf2");
}

}  // namespace tracefold::testing
