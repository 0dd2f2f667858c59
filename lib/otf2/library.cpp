// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/library.hpp"

#include "base/error.hpp"
#include "model/event_table.hpp"

#include <dlfcn.h>

namespace tracefold {

u8 known_event_types() { return otf2::has_events_of_32() ? kEventTypes : kFirstEventOf32; }

std::string otf2_library_version() {
    return otf2::has_events_of_32() ? "3.2 or later" : "older than 3.2";
}

}  // namespace tracefold

namespace tracefold::otf2 {
namespace {

/// Looks up a function of the libotf2 at run time, null if it has none of this name. Weak
/// references do not work: a linker that sees an older libotf2 resolves them to null.
template <class Function>
Function find(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

template <class... Fields>
using WriteFunction = OTF2_ErrorCode (*)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp,
                                         Fields...);
template <class Callback>
using SetFunction = OTF2_ErrorCode (*)(OTF2_EvtReaderCallbacks*, Callback);

template <class... Fields>
OTF2_ErrorCode write(EventType type, WriteFunction<Fields...> function, OTF2_EvtWriter* writer,
                     OTF2_AttributeList* attributes, OTF2_TimeStamp time, Fields... fields) {
    if (function != nullptr) return function(writer, attributes, time, fields...);
    throw Error(ErrorKind::unsupported,
                "cannot write a record of type {} (OTF2 3.2) with the libotf2 installed here; "
                "install libotf2 3.2 or later",
                event_info(type).name);
}

template <class Callback>
OTF2_ErrorCode set(const char* name, OTF2_EvtReaderCallbacks* callbacks, Callback callback) {
    const auto function = find<SetFunction<Callback>>(name);
    return function == nullptr ? OTF2_SUCCESS : function(callbacks, callback);
}

WriteFunction<u32, OTF2_CommRef, u32, u64> write_probe() {
    static const auto function =
        find<WriteFunction<u32, OTF2_CommRef, u32, u64>>("OTF2_EvtWriter_MpiProbe");
    return function;
}

}  // namespace

bool has_events_of_32() { return write_probe() != nullptr; }

OTF2_ErrorCode OTF2_EvtWriter_MpiProbe(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes,
                                       OTF2_TimeStamp time, u32 sender, OTF2_CommRef communicator,
                                       u32 tag, u64 message_id) {
    return write(EventType::MpiProbe, write_probe(), writer, attributes, time, sender, communicator,
                 tag, message_id);
}

OTF2_ErrorCode OTF2_EvtWriter_MpiMrecv(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes,
                                       OTF2_TimeStamp time, u64 message_id, u64 length) {
    static const auto function = find<WriteFunction<u64, u64>>("OTF2_EvtWriter_MpiMrecv");
    return write(EventType::MpiMrecv, function, writer, attributes, time, message_id, length);
}

OTF2_ErrorCode OTF2_EvtWriter_MpiImrecvRequest(OTF2_EvtWriter* writer,
                                               OTF2_AttributeList* attributes, OTF2_TimeStamp time,
                                               u64 message_id, u64 request_id) {
    static const auto function = find<WriteFunction<u64, u64>>("OTF2_EvtWriter_MpiImrecvRequest");
    return write(EventType::MpiImrecvRequest, function, writer, attributes, time, message_id,
                 request_id);
}

OTF2_ErrorCode OTF2_EvtWriter_MpiImrecv(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes,
                                        OTF2_TimeStamp time, u64 request_id, u64 length) {
    static const auto function = find<WriteFunction<u64, u64>>("OTF2_EvtWriter_MpiImrecv");
    return write(EventType::MpiImrecv, function, writer, attributes, time, request_id, length);
}

OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiProbeCallback(OTF2_EvtReaderCallbacks* callbacks,
                                                           MpiProbeCallback callback) {
    return set("OTF2_EvtReaderCallbacks_SetMpiProbeCallback", callbacks, callback);
}

OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiMrecvCallback(OTF2_EvtReaderCallbacks* callbacks,
                                                           MessageCallback callback) {
    return set("OTF2_EvtReaderCallbacks_SetMpiMrecvCallback", callbacks, callback);
}

OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiImrecvRequestCallback(
    OTF2_EvtReaderCallbacks* callbacks, MessageCallback callback) {
    return set("OTF2_EvtReaderCallbacks_SetMpiImrecvRequestCallback", callbacks, callback);
}

OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiImrecvCallback(OTF2_EvtReaderCallbacks* callbacks,
                                                            MessageCallback callback) {
    return set("OTF2_EvtReaderCallbacks_SetMpiImrecvCallback", callbacks, callback);
}

}  // namespace tracefold::otf2
