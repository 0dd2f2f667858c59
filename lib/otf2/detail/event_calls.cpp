// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/event_table.hpp"
#include "otf2/detail/arguments.hpp"
#include "otf2/detail/calls.hpp"
#include "otf2/detail/newer_events.hpp"

// OpenMP's own records are deprecated, but archives hold them.
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
