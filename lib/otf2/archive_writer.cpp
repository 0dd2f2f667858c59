// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/archive_writer.hpp"

#include "base/error.hpp"
#include "base/temporary.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "model/record_batch.hpp"
#include "model/record_fields.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/detail/error_capture.hpp"
#include "otf2/detail/raw_fields.hpp"
#include "otf2/detail/record_scanner.hpp"
#include "otf2/library.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include <otf2/otf2.h>

namespace tracefold::otf2 {

// Write record `head` of `batch` with the libotf2 function of its type. Return its result; throw
// Error `corrupt` if the values do not match the shape of the type.
OTF2_ErrorCode write_event(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes,
                           const RecordBatch& batch, const RecordBatch::Head& head);
OTF2_ErrorCode write_definition(OTF2_GlobalDefWriter* writer, const RecordBatch& batch,
                                const RecordBatch::Head& head);
OTF2_ErrorCode write_definition(OTF2_DefWriter* writer, const RecordBatch& batch,
                                const RecordBatch::Head& head);

}  // namespace tracefold::otf2

namespace tracefold {

using otf2::ArchiveHandle;
using otf2::AttributeListHandle;
using otf2::ErrorCapture;

namespace {

OTF2_FlushType on_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) noexcept {
    return OTF2_FLUSH;
}

// With a second callback libotf2 would add BufferFlush events.
constexpr OTF2_FlushCallbacks kFlushCallbacks{on_flush, nullptr};

/// Larger writes are not faster.
constexpr std::size_t kMostChunks = 2;

/// The chunks of one open file, reused after each flush.
struct Chunks {
    std::vector<std::unique_ptr<u8[]>> all;
    std::size_t used = 0;
};

void* allocate(void*, OTF2_FileType, OTF2_LocationRef, void** buffer, u64 size) noexcept {
    try {
        if (*buffer == nullptr) *buffer = std::make_unique<Chunks>().release();
        auto& chunks = *static_cast<Chunks*>(*buffer);
        if (chunks.used == kMostChunks) return nullptr;
        if (chunks.used == chunks.all.size()) {
            chunks.all.push_back(std::make_unique_for_overwrite<u8[]>(size));
        }
        return chunks.all[chunks.used++].get();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void free_all(void*, OTF2_FileType, OTF2_LocationRef, void** buffer, bool last) noexcept {
    auto* const chunks = static_cast<Chunks*>(*buffer);
    if (chunks == nullptr) return;
    chunks->used = 0;
    if (!last) return;
    delete chunks;  // NOLINT(cppcoreguidelines-owning-memory): libotf2 keeps the pointer
    *buffer = nullptr;
}

/// Memory for libotf2's writers: a few chunks per open file, after which they flush to disk. By
/// default libotf2 buffers up to 128 MiB of a file. The bytes of files do not change.
constexpr OTF2_MemoryCallbacks kChunkMemory{allocate, free_all};

void create_directory(const std::string& directory) {
    std::error_code code;
    std::filesystem::create_directories(directory, code);
    if (code) {
        throw Error(ErrorKind::io, "cannot create the folder {}: {}", directory, code.message());
    }
}

void refuse_existing(const ArchiveFiles& files) {
    const std::string existing = files.existing();
    if (existing.empty()) return;
    throw Error(ErrorKind::io,
                "cannot write the archive {}: {} exists; remove it or choose another folder",
                files.anchor(), existing);
}

std::string describe(const char* records, u64 location) {
    return fmt::format("cannot write {} of location {}", records, location);
}

void refuse_closed(const std::unordered_set<u64>& closed, u64 location, const std::string& place) {
    if (closed.count(location) == 0) return;
    throw Error(ErrorKind::internal, place + ": its file was completed before");
}

/// libotf2 does not report a failed write of a file's last bytes.
otf2::RawFile inspect_written(const std::string& path, u64 chunk_size, const std::string& place) {
    const otf2::RawFile raw = otf2::inspect_file(path, chunk_size, path);
    if (raw.ended) return raw;
    throw Error(ErrorKind::io, "{}: {} is incomplete; make room on the disk", place, path);
}

/// The open file of one kind, for one location at a time.
template <class Writer>
struct OpenFile {
    u64 location = 0;
    Writer* writer = nullptr;
    u64 records = 0;
    std::unordered_set<u64> closed;  // reopening one of these would truncate its file
};

}  // namespace

struct ArchiveWriter::Impl {
    Impl(const std::string& target, const ArchiveInfo& source, const ArchiveWriterOptions& choices)
        : options(choices), info(source), directory(target), files(target, source.name) {}
    ~Impl();

    void check(const ErrorCapture& capture, OTF2_ErrorCode code, const std::string& place);
    void create();
    void set_up();
    template <class Write>
    void write_batch(const RecordBatch& batch, const std::string& place, Write write);
    void open_definitions(u64 location);
    void open_events(u64 location);
    void close_definitions();
    void close_events();
    void close_archive();
    [[nodiscard]] bool anchor_fits() const;
    void restore_anchor() const;

    ArchiveWriterOptions options;
    ArchiveInfo info;
    std::string directory;
    ArchiveFiles files;
    std::string what = "cannot write the archive " + files.anchor();  // for errors
    ArchiveHandle archive;
    AttributeListHandle attributes;
    OTF2_GlobalDefWriter* global_writer = nullptr;
    OpenFile<OTF2_DefWriter> definitions;
    OpenFile<OTF2_EvtWriter> events;
    u64 global_definition_count = 0;
    bool unwritten = false;  ///< libotf2 failed to write a file
};

ArchiveWriter::Impl::~Impl() {
    if (!archive) return;
    const ErrorCapture capture;
    // libotf2 would free unwritten data twice: leak this small object instead.
    if (unwritten) (void)archive.release();
    archive.reset();  // writes an anchor, which must not mark an unfinished archive as complete
    std::error_code ignored;
    std::filesystem::remove(files.anchor(), ignored);
}

void ArchiveWriter::Impl::check(const ErrorCapture& capture, OTF2_ErrorCode code,
                                const std::string& place) {
    if (code == OTF2_SUCCESS) return;
    unwritten = capture.kind(code) == ErrorKind::io;
    capture.check(code, place);
}

void ArchiveWriter::Impl::create() {
    refuse_existing(files);
    // libotf2 creates missing folders too.
    const auto lock = hold_temporaries();
    create_directory(directory);
    attributes.reset(OTF2_AttributeList_New());
    if (!attributes) throw std::bad_alloc();
    const ErrorCapture capture;
    archive.reset(OTF2_Archive_Open(directory.c_str(), info.name.c_str(), OTF2_FILEMODE_WRITE,
                                    info.event_chunk_size, info.definition_chunk_size,
                                    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
    if (!archive) check(capture, OTF2_ERROR_FILE_INTERACTION, what);
    set_up();
}

void ArchiveWriter::Impl::set_up() {
    const ErrorCapture capture;
    OTF2_Archive* const a = archive.get();
    check(capture, OTF2_Archive_SetFlushCallbacks(a, &kFlushCallbacks, nullptr), what);
    check(capture, OTF2_Archive_SetMemoryCallbacks(a, &kChunkMemory, nullptr), what);
    check(capture, OTF2_Archive_SetSerialCollectiveCallbacks(a), what);
    check(capture, OTF2_Archive_SetCreator(a, info.creator.c_str()), what);
    check(capture, OTF2_Archive_SetMachineName(a, info.machine_name.c_str()), what);
    check(capture, OTF2_Archive_SetDescription(a, info.description.c_str()), what);
    for (const auto& [name, value] : info.properties) {
        if (value.empty()) continue;  // libotf2 would drop it; only the source's anchor has it
        check(capture, OTF2_Archive_SetProperty(a, name.c_str(), value.c_str(), true), what);
    }
    if (info.snapshot_count != 0) {
        check(capture, OTF2_Archive_SetNumberOfSnapshots(a, info.snapshot_count), what);
    }
    check(capture, OTF2_Archive_OpenDefFiles(a), what);
    check(capture, OTF2_Archive_OpenEvtFiles(a), what);
    global_writer = OTF2_Archive_GetGlobalDefWriter(a);
    if (global_writer == nullptr) check(capture, OTF2_ERROR_FILE_INTERACTION, what);
}

template <class Write>
void ArchiveWriter::Impl::write_batch(const RecordBatch& batch, const std::string& place,
                                      Write write) {
    const ErrorCapture capture;
    for (const RecordBatch::Head& head : batch.heads()) {
        const OTF2_ErrorCode code = write(head);
        if (code != OTF2_SUCCESS) check(capture, code, place);
    }
}

void ArchiveWriter::Impl::open_definitions(u64 location) {
    if (definitions.writer != nullptr && definitions.location == location) return;
    close_definitions();
    const std::string place = describe("local definitions", location);
    refuse_closed(definitions.closed, location, place);
    const ErrorCapture capture;
    definitions.location = location;
    definitions.writer = OTF2_Archive_GetDefWriter(archive.get(), location);
    if (definitions.writer == nullptr) check(capture, OTF2_ERROR_FILE_INTERACTION, place);
}

void ArchiveWriter::Impl::open_events(u64 location) {
    if (events.writer != nullptr && events.location == location) return;
    close_events();
    const std::string place = describe("events", location);
    refuse_closed(events.closed, location, place);
    const ErrorCapture capture;
    events.location = location;
    events.writer = OTF2_Archive_GetEvtWriter(archive.get(), location);
    if (events.writer == nullptr) check(capture, OTF2_ERROR_FILE_INTERACTION, place);
}

void ArchiveWriter::Impl::close_definitions() {
    if (definitions.writer == nullptr) return;
    const ErrorCapture capture;
    OTF2_DefWriter* const writer = std::exchange(definitions.writer, nullptr);
    definitions.closed.insert(definitions.location);
    const std::string place = describe("local definitions", definitions.location);
    check(capture, OTF2_Archive_CloseDefWriter(archive.get(), writer), place);
    inspect_written(files.local_definitions(definitions.location), info.definition_chunk_size,
                    place);
}

void ArchiveWriter::Impl::close_events() {
    if (events.writer == nullptr) return;
    const ErrorCapture capture;
    OTF2_EvtWriter* const writer = std::exchange(events.writer, nullptr);
    events.closed.insert(events.location);
    const std::string place = describe("events", events.location);
    check(capture, OTF2_Archive_CloseEvtWriter(archive.get(), writer), place);
    const std::string path = files.events(events.location);
    const u64 counted = std::exchange(events.records, 0);
    if (inspect_written(path, info.event_chunk_size, place).last_event != counted) {
        throw Error(ErrorKind::io, "{}: {} has a gap; make room on the disk", place, path);
    }
}

void ArchiveWriter::Impl::close_archive() {
    close_definitions();
    close_events();
    const ErrorCapture capture;
    check(capture, OTF2_Archive_CloseGlobalDefWriter(archive.get(), global_writer), what);
    inspect_written(files.global_definitions(), info.definition_chunk_size, what);
    check(capture, OTF2_Archive_CloseDefFiles(archive.get()), what);
    check(capture, OTF2_Archive_CloseEvtFiles(archive.get()), what);
    capture.check(OTF2_Archive_Close(archive.release()), what);
}

bool ArchiveWriter::Impl::anchor_fits() const {
    return info.global_definition_count == global_definition_count && !info.anchor_bytes.empty();
}

void ArchiveWriter::Impl::restore_anchor() const {
    std::ofstream file(files.anchor(), std::ios::binary | std::ios::trunc);
    file << info.anchor_bytes << std::flush;
    if (!file) throw Error(ErrorKind::io, "{}: {}", what, std::strerror(errno));
}

ArchiveWriter::ArchiveWriter(const std::string& directory, const ArchiveInfo& info,
                             const ArchiveWriterOptions& options)
    : impl_(std::make_unique<Impl>(directory, info, options)) {
    impl_->create();
}

ArchiveWriter::~ArchiveWriter() = default;
ArchiveWriter::ArchiveWriter(ArchiveWriter&&) noexcept = default;
ArchiveWriter& ArchiveWriter::operator=(ArchiveWriter&&) noexcept = default;

void ArchiveWriter::write_global_definitions(const RecordBatch& batch) {
    const std::string place = "cannot write global definitions of " + impl_->files.anchor();
    impl_->write_batch(batch, place, [&](const RecordBatch::Head& head) {
        ++impl_->global_definition_count;
        return otf2::write_definition(impl_->global_writer, batch, head);
    });
}

void ArchiveWriter::write_local_definitions(u64 location, const RecordBatch& batch) {
    impl_->open_definitions(location);
    impl_->write_batch(batch, describe("local definitions", location),
                       [&](const RecordBatch::Head& head) {
                           return otf2::write_definition(impl_->definitions.writer, batch, head);
                       });
}

void ArchiveWriter::write_events(u64 location, const RecordBatch& batch) {
    impl_->open_events(location);
    impl_->events.records += batch.size();
    impl_->write_batch(batch, describe("events", location), [&](const RecordBatch::Head& head) {
        return otf2::write_event(impl_->events.writer, impl_->attributes.get(), batch, head);
    });
}

void ArchiveWriter::close_location(u64 location) {
    if (impl_->definitions.location == location) impl_->close_definitions();
    if (impl_->events.location == location) impl_->close_events();
}

void ArchiveWriter::finish() {
    impl_->close_archive();
    if (impl_->options.restore_anchor && impl_->anchor_fits()) impl_->restore_anchor();
}

}  // namespace tracefold

namespace tracefold::otf2 {

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

}  // namespace tracefold::otf2

// Deprecated call-site records still occur in archives.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tracefold::otf2 {
namespace {

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

}  // namespace

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

}  // namespace tracefold::otf2

// Deprecated OpenMP records still occur in archives.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tracefold::otf2 {
namespace {

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

constexpr EventCall kCalls[] = {
#define TRACEFOLD_CALL(name, ...) \
    EventFunction<decltype(&OTF2_EvtWriter_##name)>::call<OTF2_EvtWriter_##name, EventType::name>,
    TRACEFOLD_EVENTS(TRACEFOLD_CALL)
#undef TRACEFOLD_CALL
};

}  // namespace

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

}  // namespace tracefold::otf2
