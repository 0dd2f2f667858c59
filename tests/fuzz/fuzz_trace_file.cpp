// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// A whole file, made of plain sections (section_list.hpp) with sizes and checksums that are right:
// opened, and the first records of each stream unwound.
#include "fuzz/plain_trace.hpp"
#include "fuzz/target.hpp"

namespace {

using namespace tracefold;

constexpr u32 kLocations = 8;
constexpr int kBatches = 2;

void unwind_some(RecordSource& source) {
    RecordBatch batch;
    for (int i = 0; i < kBatches && source.next(batch); ++i) {
    }
}

void unwind_file(TraceFile& file) {
    for (u32 location = 0; location < std::min(file.location_count(), kLocations); ++location) {
        const LocationFacts facts = file.index().facts(location);
        if (facts.local_definitions > PlainTrace::kDefinitions) continue;
        unwind_some(*file.local_definitions(location));
        unwind_some(*file.events(location));
    }
    file.read_files([](const CarriedFile&) {});
}

void decode(std::string_view bytes) { unwind_file(*PlainTrace(bytes)); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return expect_survival(data, size, decode);
}
