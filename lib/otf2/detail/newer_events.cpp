// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/newer_events.hpp"

#include "core/error.hpp"
#include "model/event_table.hpp"

// libotf2's own functions, which are null where the library at run time does not have them. Headers
// of OTF2 3.2 declare them as well, with the same types.
extern "C" {
#define TRACEFOLD_WEAK __attribute__((weak))
TRACEFOLD_WEAK OTF2_ErrorCode OTF2_EvtWriter_MpiProbe(OTF2_EvtWriter*, OTF2_AttributeList*,
                                                      OTF2_TimeStamp, uint32_t, OTF2_CommRef,
                                                      uint32_t, uint64_t);
TRACEFOLD_WEAK OTF2_ErrorCode OTF2_EvtWriter_MpiMrecv(OTF2_EvtWriter*, OTF2_AttributeList*,
                                                      OTF2_TimeStamp, uint64_t, uint64_t);
TRACEFOLD_WEAK OTF2_ErrorCode OTF2_EvtWriter_MpiImrecvRequest(OTF2_EvtWriter*, OTF2_AttributeList*,
                                                              OTF2_TimeStamp, uint64_t, uint64_t);
TRACEFOLD_WEAK OTF2_ErrorCode OTF2_EvtWriter_MpiImrecv(OTF2_EvtWriter*, OTF2_AttributeList*,
                                                       OTF2_TimeStamp, uint64_t, uint64_t);
TRACEFOLD_WEAK OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiProbeCallback(
    OTF2_EvtReaderCallbacks*,
    OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void*, OTF2_AttributeList*,
                          uint32_t, OTF2_CommRef, uint32_t, uint64_t));
using TracefoldMessageCallback = OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                                                       void*, OTF2_AttributeList*, uint64_t,
                                                       uint64_t);
TRACEFOLD_WEAK OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiMrecvCallback(OTF2_EvtReaderCallbacks*,
                                                                          TracefoldMessageCallback);
TRACEFOLD_WEAK OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiImrecvRequestCallback(
    OTF2_EvtReaderCallbacks*, TracefoldMessageCallback);
TRACEFOLD_WEAK OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiImrecvCallback(OTF2_EvtReaderCallbacks*, TracefoldMessageCallback);
#undef TRACEFOLD_WEAK
}

namespace tracefold::otf2_detail {
namespace {

template <class Function, class... Arguments>
OTF2_ErrorCode write(EventType type, Function function, Arguments... arguments) {
    if (function != nullptr) return function(arguments...);
    throw Error(ErrorKind::unsupported,
                "cannot write a record of type " + std::string(event_info(type).name) +
                    " (OTF2 3.2) with the libotf2 installed here; install " +
                    "libotf2 3.2 or later");
}

template <class Function, class Callback>
OTF2_ErrorCode set(Function function, OTF2_EvtReaderCallbacks* callbacks, Callback callback) {
    return function == nullptr ? OTF2_SUCCESS : function(callbacks, callback);
}

}  // namespace

bool has_events_of_32() { return &::OTF2_EvtWriter_MpiProbe != nullptr; }

OTF2_ErrorCode OTF2_EvtWriter_MpiProbe(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes,
                                       OTF2_TimeStamp time, u32 sender, OTF2_CommRef communicator,
                                       u32 tag, u64 message_id) {
    return write(EventType::MpiProbe, &::OTF2_EvtWriter_MpiProbe, writer, attributes, time, sender,
                 communicator, tag, message_id);
}

OTF2_ErrorCode OTF2_EvtWriter_MpiMrecv(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes,
                                       OTF2_TimeStamp time, u64 message_id, u64 length) {
    return write(EventType::MpiMrecv, &::OTF2_EvtWriter_MpiMrecv, writer, attributes, time,
                 message_id, length);
}

OTF2_ErrorCode OTF2_EvtWriter_MpiImrecvRequest(OTF2_EvtWriter* writer,
                                               OTF2_AttributeList* attributes, OTF2_TimeStamp time,
                                               u64 message_id, u64 request_id) {
    return write(EventType::MpiImrecvRequest, &::OTF2_EvtWriter_MpiImrecvRequest, writer,
                 attributes, time, message_id, request_id);
}

OTF2_ErrorCode OTF2_EvtWriter_MpiImrecv(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes,
                                        OTF2_TimeStamp time, u64 request_id, u64 length) {
    return write(EventType::MpiImrecv, &::OTF2_EvtWriter_MpiImrecv, writer, attributes, time,
                 request_id, length);
}

OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiProbeCallback(OTF2_EvtReaderCallbacks* callbacks,
                                                           MpiProbeCallback callback) {
    return set(&::OTF2_EvtReaderCallbacks_SetMpiProbeCallback, callbacks, callback);
}

OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiMrecvCallback(OTF2_EvtReaderCallbacks* callbacks,
                                                           MessageCallback callback) {
    return set(&::OTF2_EvtReaderCallbacks_SetMpiMrecvCallback, callbacks, callback);
}

OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiImrecvRequestCallback(
    OTF2_EvtReaderCallbacks* callbacks, MessageCallback callback) {
    return set(&::OTF2_EvtReaderCallbacks_SetMpiImrecvRequestCallback, callbacks, callback);
}

OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiImrecvCallback(OTF2_EvtReaderCallbacks* callbacks,
                                                            MessageCallback callback) {
    return set(&::OTF2_EvtReaderCallbacks_SetMpiImrecvCallback, callbacks, callback);
}

}  // namespace tracefold::otf2_detail
