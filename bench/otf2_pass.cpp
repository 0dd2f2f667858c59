// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// How much the raw reader costs on top of libotf2: bench_otf2_pass ARCHIVE [repetitions] reads all
// events with callbacks that only count, and with ArchiveReader and an empty sink, in turn, and
// prints the records per second of the fastest pass of each.
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "otf2/archive_reader.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <otf2/otf2.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

using namespace tracefold;

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

u64 bare_pass(const std::string& anchor, const std::vector<u64>& locations) {
    OTF2_EvtReaderCallbacks* const callbacks = OTF2_EvtReaderCallbacks_New();
#define TRACEFOLD_COUNT(name, ...) \
    count_with(callbacks, OTF2_EvtReaderCallbacks_Set##name##Callback);
    TRACEFOLD_EVENTS(TRACEFOLD_COUNT)
#undef TRACEFOLD_COUNT
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

u64 reader_pass(ArchiveReader& reader, const std::vector<u64>& locations) {
    u64 records = 0;
    for (const u64 location : locations) {
        records += reader.read_events(location, [](const RecordBatch&) {});
    }
    return records;
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

/// Seconds of one call, and what it counted.
double timed(const std::function<u64()>& pass, u64& counted) {
    const auto start = std::chrono::steady_clock::now();
    counted = pass();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void compare(const std::string& path, int repetitions) {
    ArchiveReader reader(path);
    const std::vector<u64> locations = location_ids(reader);
    double bare = 1e30;
    double ours = 1e30;
    u64 bare_count = 0;
    u64 our_count = 0;
    for (int i = 0; i < repetitions; ++i) {
        bare = std::min(bare, timed([&] { return bare_pass(reader.info().anchor_path, locations); },
                                    bare_count));
        ours = std::min(ours, timed([&] { return reader_pass(reader, locations); }, our_count));
    }
    std::printf("%s: %llu records on %zu locations\n", path.c_str(),
                static_cast<unsigned long long>(our_count), locations.size());
    std::printf("bare libotf2   %8.2f M records/s\n", static_cast<double>(bare_count) / bare / 1e6);
    std::printf("ArchiveReader  %8.2f M records/s\n", static_cast<double>(our_count) / ours / 1e6);
    std::printf("time ratio     %8.2f\n", ours / bare);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_otf2_pass ARCHIVE [repetitions]\n");
        return 2;
    }
    try {
        compare(argv[1], argc > 2 ? std::atoi(argv[2]) : 7);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_otf2_pass: %s\n", error.what());
        return 1;
    }
    return 0;
}
