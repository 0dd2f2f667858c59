// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/callbacks.hpp"
#include "otf2/detail/collector.hpp"
#include "otf2/detail/newer_events.hpp"

#include <new>

// OpenMP's own records are deprecated, but archives hold them.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tracefold::otf2 {
namespace {

void take_attributes(RecordBatch& batch, OTF2_AttributeList* list, u32 count) {
    for (u32 i = 0; i < count; ++i) {
        OTF2_AttributeRef ref = 0;
        OTF2_Type type = OTF2_TYPE_NONE;
        OTF2_AttributeValue value;
        value.uint64 = 0;
        // Popping is O(1), access by index is not; libotf2 empties the list anyway.
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
