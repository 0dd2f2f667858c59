// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/callbacks.hpp"
#include "otf2/detail/collector.hpp"

#include <cstddef>
#include <new>
#include <vector>

// Call sites are deprecated, but archives hold them.
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
    // Never asks for an interruption when full: of a second table of one type, libotf2 reports that
    // in its place. The tables of a location are few.
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

// Stand-ins for the functions of records that local definition files cannot hold.
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
