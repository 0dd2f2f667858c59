// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/batch_reader.hpp"

#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "otf2/detail/record_scanner.hpp"
#include "otf2/library.hpp"

#include <cstddef>
#include <map>
#include <new>
#include <vector>

#include <fmt/core.h>

namespace tracefold::otf2 {
namespace {

bool is_known(Stream stream, u8 number) {
    if (stream == Stream::events) {
        return number >= kFirstEventNumber && number - kFirstEventNumber < known_event_types();
    }
    for (u8 type = 0; type < kDefinitionTypes; ++type) {
        if (definition_number(stream, type) == number) return number != 0;
    }
    return false;
}

/// " (MpiProbe)", or "" for unknown records.
std::string name_of(Stream stream, u8 number) {
    const bool listed = stream == Stream::events && number >= kFirstEventNumber &&
                        number < kFirstEventNumber + kEventTypes;
    if (!listed) return "";
    return " (" + std::string(event_info(static_cast<u8>(number - kFirstEventNumber)).name) + ")";
}

std::map<u8, u64> count_unknown(const std::string& path, Stream stream, u64 chunk_size,
                                const std::string& what) {
    RecordScanner scanner(path, file_kind(stream), chunk_size, what);
    std::map<u8, u64> counts;
    for (RawElement element; scanner.next(element);) {
        if (element.kind == ElementKind::record && !is_known(stream, element.type)) {
            ++counts[element.type];
        }
    }
    return counts;
}

}  // namespace

std::string describe_unknown_records(const std::string& path, Stream stream, u64 chunk_size,
                                     const std::string& what) {
    std::string text;
    bool all_listed = true;
    for (const auto& [number, count] : count_unknown(path, stream, chunk_size, what)) {
        const std::string name = name_of(stream, number);
        all_listed = all_listed && !name.empty();
        text += fmt::format("{}{}{}{}{}", text.empty() ? "" : ", ", count,
                            count == 1 ? " record of type " : " records of type ", number, name);
    }
    const std::string remedy =
        all_listed ? "install libotf2 3.2 or later" : "install a newer libotf2 and tracefold";
    return text + ", which libotf2 here does not know; " + remedy;
}

}  // namespace tracefold::otf2

// Deprecated call-site records still occur in archives.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tracefold::otf2 {
namespace {

template <DefinitionType kType, class... Arguments>
OTF2_CallbackCode on_definition(void* user_data, Arguments... arguments) noexcept {
    auto& collector = *static_cast<Collector*>(user_data);
    const OTF2_CallbackCode code =
        collector.guarded([&] { add_record<kType>(collector.batch, 0, arguments...); });
    if (code != OTF2_CALLBACK_SUCCESS || collector.full()) return OTF2_CALLBACK_INTERRUPT;
    return OTF2_CALLBACK_SUCCESS;
}

struct IdPairs {
    std::vector<u64> local_ids;
    std::vector<u64> global_ids;
    std::exception_ptr failure;
};

void on_id_pair(uint64_t local_id, uint64_t global_id, void* user_data) noexcept {
    auto& pairs = *static_cast<IdPairs*>(user_data);
    try {
        pairs.local_ids.push_back(local_id);
        pairs.global_ids.push_back(global_id);
    } catch (...) {
        pairs.failure = std::current_exception();
    }
}

void push_mapping_table(RecordBatch& batch, OTF2_MappingType mapping_type,
                        const OTF2_IdMap* id_map) {
    OTF2_IdMapMode mode = OTF2_ID_MAP_DENSE;
    OTF2_IdMap_GetMode(id_map, &mode);
    IdPairs pairs;
    OTF2_IdMap_Traverse(id_map, on_id_pair, &pairs);
    if (pairs.failure) std::rethrow_exception(pairs.failure);

    batch.begin(static_cast<u8>(DefinitionType::MappingTable));
    batch.push(mapping_type);
    batch.push(mode);
    batch.push(pairs.local_ids.size());
    for (const u64 id : pairs.local_ids) batch.push(id);
    for (const u64 id : pairs.global_ids) batch.push(id);
}

OTF2_CallbackCode on_mapping_table(void* user_data, OTF2_MappingType mapping_type,
                                   const OTF2_IdMap* id_map) noexcept {
    auto& collector = *static_cast<Collector*>(user_data);
    // Does not interrupt on a full batch: at a duplicate table, libotf2 reports the duplicate
    // instead. A location has few tables.
    return collector.guarded([&] { push_mapping_table(collector.batch, mapping_type, id_map); });
}

OTF2_CallbackCode on_unknown(void* user_data) noexcept {
    ++static_cast<Collector*>(user_data)->unknown;
    return OTF2_CALLBACK_SUCCESS;
}

/// Deduces the arguments of a record from libotf2's function that registers its callback.
template <DefinitionType kType, class Callbacks, class... Arguments>
void bind(Callbacks* callbacks,
          OTF2_ErrorCode (*set)(Callbacks*, OTF2_CallbackCode (*)(void*, Arguments...))) {
    set(callbacks, on_definition<kType, Arguments...>);
}

// Placeholders for the functions of records that are invalid in local definition files.
constexpr std::nullptr_t OTF2_DefReaderCallbacks_SetClockPropertiesCallback = nullptr;
constexpr std::nullptr_t OTF2_DefReaderCallbacks_SetParadigmCallback = nullptr;
constexpr std::nullptr_t OTF2_DefReaderCallbacks_SetParadigmPropertyCallback = nullptr;
constexpr std::nullptr_t OTF2_DefReaderCallbacks_SetIoParadigmCallback = nullptr;

template <DefinitionType>
void bind(OTF2_DefReaderCallbacks*, std::nullptr_t) {}

}  // namespace

GlobalDefinitionCallbacks global_definition_callbacks() {
    GlobalDefinitionCallbacks callbacks(OTF2_GlobalDefReaderCallbacks_New());
    if (!callbacks) throw std::bad_alloc();
#define TRACEFOLD_BIND(name, ...) \
    bind<DefinitionType::name>(callbacks.get(), OTF2_GlobalDefReaderCallbacks_Set##name##Callback);
    TRACEFOLD_DEFINITIONS(TRACEFOLD_BIND)
#undef TRACEFOLD_BIND
    OTF2_GlobalDefReaderCallbacks_SetUnknownCallback(callbacks.get(), on_unknown);
    return callbacks;
}

LocalDefinitionCallbacks local_definition_callbacks() {
    LocalDefinitionCallbacks callbacks(OTF2_DefReaderCallbacks_New());
    if (!callbacks) throw std::bad_alloc();
#define TRACEFOLD_BIND(name, ...) \
    bind<DefinitionType::name>(callbacks.get(), OTF2_DefReaderCallbacks_Set##name##Callback);
    TRACEFOLD_DEFINITIONS(TRACEFOLD_BIND)
#undef TRACEFOLD_BIND
    bind<DefinitionType::ClockOffset>(callbacks.get(),
                                      OTF2_DefReaderCallbacks_SetClockOffsetCallback);
    OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks.get(), on_mapping_table);
    OTF2_DefReaderCallbacks_SetUnknownCallback(callbacks.get(), on_unknown);
    return callbacks;
}

}  // namespace tracefold::otf2

// Deprecated OpenMP records still occur in archives.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tracefold::otf2 {
namespace {

void take_attributes(RecordBatch& batch, OTF2_AttributeList* list, u32 count) {
    for (u32 i = 0; i < count; ++i) {
        OTF2_AttributeRef ref = 0;
        OTF2_Type type = OTF2_TYPE_NONE;
        OTF2_AttributeValue value;
        value.uint64 = 0;
        // Popping is O(1), access by index is not; libotf2 clears the list afterwards anyway.
        OTF2_AttributeList_PopAttribute(list, &ref, &type, &value);
        batch.push_attribute({ref, type, attribute_bits(type, value)});
    }
}

template <EventType kType, class... Arguments>
OTF2_CallbackCode on_event(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user_data,
                           OTF2_AttributeList* attributes, Arguments... arguments) noexcept {
    auto& collector = *static_cast<Collector*>(user_data);
    return collector.guarded([&] {
        add_record<kType>(collector.batch, time, arguments...);
        const u32 count = OTF2_AttributeList_GetNumberOfElements(attributes);
        if (count != 0) take_attributes(collector.batch, attributes, count);
    });
}

OTF2_CallbackCode on_unknown(OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void* user_data,
                             OTF2_AttributeList*) noexcept {
    ++static_cast<Collector*>(user_data)->unknown;
    return OTF2_CALLBACK_SUCCESS;
}

/// Deduces the arguments of a record from libotf2's function that registers its callback.
template <EventType kType, class... Arguments>
void bind(OTF2_EvtReaderCallbacks* callbacks,
          OTF2_ErrorCode (*set)(OTF2_EvtReaderCallbacks*,
                                OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                                                      void*, OTF2_AttributeList*, Arguments...))) {
    set(callbacks, on_event<kType, Arguments...>);
}

}  // namespace

EventCallbacks event_callbacks() {
    EventCallbacks callbacks(OTF2_EvtReaderCallbacks_New());
    if (!callbacks) throw std::bad_alloc();
#define TRACEFOLD_BIND(name, ...) \
    bind<EventType::name>(callbacks.get(), OTF2_EvtReaderCallbacks_Set##name##Callback);
    TRACEFOLD_EVENTS(TRACEFOLD_BIND)
#undef TRACEFOLD_BIND
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks.get(), on_unknown);
    return callbacks;
}

}  // namespace tracefold::otf2
