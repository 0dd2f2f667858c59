// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bare_pass.hpp"

#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "otf2/library.hpp"

#include <otf2/otf2.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// Where the functions are that an older libotf2 does not declare.
namespace tracefold::otf2 {

namespace {

template <class... Arguments>
OTF2_CallbackCode count_event(OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void* counter,
                              OTF2_AttributeList*, Arguments...) noexcept {
    ++*static_cast<u64*>(counter);
    return OTF2_CALLBACK_SUCCESS;
}

template <class... Arguments>
void count_with(OTF2_EvtReaderCallbacks* callbacks,
                OTF2_ErrorCode (*set)(OTF2_EvtReaderCallbacks*,
                                      OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp,
                                                            uint64_t, void*, OTF2_AttributeList*,
                                                            Arguments...))) {
    set(callbacks, count_event<Arguments...>);
}

OTF2_EvtReaderCallbacks* counting_callbacks() {
    OTF2_EvtReaderCallbacks* const callbacks = OTF2_EvtReaderCallbacks_New();
#define TRACEFOLD_COUNT(name, ...) \
    count_with(callbacks, OTF2_EvtReaderCallbacks_Set##name##Callback);
    TRACEFOLD_EVENTS(TRACEFOLD_COUNT)
#undef TRACEFOLD_COUNT
    return callbacks;
}

}  // namespace

}  // namespace tracefold::otf2

namespace tracefold {

u64 bare_pass(const std::string& anchor, const std::vector<u64>& locations) {
    OTF2_EvtReaderCallbacks* const callbacks = otf2::counting_callbacks();
    OTF2_Reader* const reader = OTF2_Reader_Open(anchor.c_str());
    for (const u64 location : locations) OTF2_Reader_SelectLocation(reader, location);
    OTF2_Reader_OpenEvtFiles(reader);
    u64 counted = 0;
    for (const u64 location : locations) {
        OTF2_EvtReader* const events = OTF2_Reader_GetEvtReader(reader, location);
        if (events == nullptr) continue;
        OTF2_EvtReader_ApplyMappingTables(events, false);
        OTF2_EvtReader_ApplyClockOffsets(events, false);
        OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, &counted);
        u64 read = 0;
        OTF2_Reader_ReadAllLocalEvents(reader, events, &read);
        OTF2_Reader_CloseEvtReader(reader, events);
    }
    OTF2_Reader_Close(reader);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    return counted;
}

std::vector<u64> location_ids(ArchiveReader& reader) {
    std::vector<u64> ids;
    reader.read_global_definitions([&](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            if (head.type != static_cast<u8>(DefinitionType::Location)) continue;
            ids.push_back(batch.values(head).front());
        }
    });
    return ids;
}

}  // namespace tracefold
