// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string>

#include <otf2/otf2.h>

namespace tracefold {

/// The number of event types, from the first of the table on, that the libotf2 of this process
/// supports; the others are from a newer OTF2. May differ from the headers at build time.
u8 known_event_types();

/// "3.2 or later", or "older than 3.2": libotf2 does not report its version.
std::string otf2_library_version();

}  // namespace tracefold

// The events of OTF2 3.2: wrappers with the names of libotf2's functions, used by the table of
// events. They need these functions neither in the headers at build time nor in the libotf2 at run
// time.
namespace tracefold::otf2 {

/// True if the libotf2 of this process supports these events.
bool has_events_of_32();

template <class... Arguments>
using EventCallback = OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, u64, void*,
                                            OTF2_AttributeList*, Arguments...);
using MpiProbeCallback = EventCallback<u32, OTF2_CommRef, u32, u64>;
using MessageCallback = EventCallback<u64, u64>;

// Each registers a callback; no effect if libotf2 does not know the record.
OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiProbeCallback(OTF2_EvtReaderCallbacks* callbacks,
                                                           MpiProbeCallback callback);
OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiMrecvCallback(OTF2_EvtReaderCallbacks* callbacks,
                                                           MessageCallback callback);
OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiImrecvRequestCallback(
    OTF2_EvtReaderCallbacks* callbacks, MessageCallback callback);
OTF2_ErrorCode OTF2_EvtReaderCallbacks_SetMpiImrecvCallback(OTF2_EvtReaderCallbacks* callbacks,
                                                            MessageCallback callback);

}  // namespace tracefold::otf2
