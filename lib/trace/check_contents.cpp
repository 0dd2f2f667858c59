// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/check_contents.hpp"

#include "core/error.hpp"

namespace tracefold {

namespace {

void check_sections(const TraceFile& file) {
    for (const Section& section : file.container().sections()) {
        if (section.kind == SectionKind::ticks && section.index >= file.location_count()) {
            throw Error(ErrorKind::corrupt, "there are times of a location that does not exist")
                .in(file.container().path());
        }
        (void)file.container().stored(section);
    }
    file.read_files([](const CarriedFile&) {});
    (void)file.kept_bytes();
}

void read_all(RecordSource& source) {
    drain(source, [](const RecordBatch&) {});
}

}  // namespace

void check_contents(TraceFile& file) {
    check_sections(file);
    if (file.summary().timing == TimingLevel::histogram) (void)file.durations();
    for (u32 location = 0; location < file.location_count(); ++location) {
        try {
            read_all(*file.local_definitions(location));
            read_all(*file.events(location));
        } catch (const Error& error) {
            throw error.in("location " + std::to_string(location));
        }
    }
}

}  // namespace tracefold
