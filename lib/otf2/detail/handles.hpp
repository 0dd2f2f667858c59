// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <otf2/otf2.h>

namespace tracefold::otf2 {

template <auto kDelete>
struct Deleter {
    template <class T>
    void operator()(T* handle) const {
        kDelete(handle);
    }
};

using ReaderHandle = std::unique_ptr<OTF2_Reader, Deleter<OTF2_Reader_Close>>;
using ArchiveHandle = std::unique_ptr<OTF2_Archive, Deleter<OTF2_Archive_Close>>;
using AttributeListHandle = std::unique_ptr<OTF2_AttributeList, Deleter<OTF2_AttributeList_Delete>>;
using IdMapHandle = std::unique_ptr<OTF2_IdMap, Deleter<OTF2_IdMap_Free>>;
using EventCallbacks =
    std::unique_ptr<OTF2_EvtReaderCallbacks, Deleter<OTF2_EvtReaderCallbacks_Delete>>;
using GlobalDefinitionCallbacks =
    std::unique_ptr<OTF2_GlobalDefReaderCallbacks, Deleter<OTF2_GlobalDefReaderCallbacks_Delete>>;
using LocalDefinitionCallbacks =
    std::unique_ptr<OTF2_DefReaderCallbacks, Deleter<OTF2_DefReaderCallbacks_Delete>>;

}  // namespace tracefold::otf2
