// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/library.hpp"

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

template <class Callback>
using SetFunction = OTF2_ErrorCode (*)(OTF2_EvtReaderCallbacks*, Callback);

template <class Callback>
OTF2_ErrorCode set(const char* name, OTF2_EvtReaderCallbacks* callbacks, Callback callback) {
    const auto function = find<SetFunction<Callback>>(name);
    return function == nullptr ? OTF2_SUCCESS : function(callbacks, callback);
}

}  // namespace

bool has_events_of_32() {
    static const bool found =
        find<void (*)()>("OTF2_EvtReaderCallbacks_SetMpiProbeCallback") != nullptr;
    return found;
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
