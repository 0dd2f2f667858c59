// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/event_table.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/archive_reader.hpp"
#include "support/flat_record.hpp"
#include "support/otf2_copy.hpp"
#include "support/otf2_scan.hpp"
#include "support/test_directory.hpp"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;

/// Anchors of all archives below `folder`.
std::vector<std::string> archives_below(const std::string& folder) {
    std::vector<std::string> anchors;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".otf2") anchors.push_back(entry.path().string());
    }
    std::sort(anchors.begin(), anchors.end());
    return anchors;
}

std::vector<std::string> archives_to_test() {
    const std::string folder = TRACEFOLD_ARCHIVES;
    return fs::is_directory(folder) ? archives_below(folder) : std::vector<std::string>{};
}

/// The scanner must find the same records as libotf2, and the end of the file.
void expect_scanned(ArchiveReader& reader, const ArchiveFiles& files, u64 location) {
    std::vector<u8> types;
    reader.read_events(location, [&](const RecordBatch& batch) {
        for (const auto& head : batch.heads()) types.push_back(head.type + kFirstEventNumber);
    });
    for (const u64 chunk_size : {reader.info().event_chunk_size, u64{0}}) {
        const auto elements = scan(files.events(location), otf2::RawFileKind::events, chunk_size);
        EXPECT_EQ(record_types(elements), types);
        EXPECT_EQ(elements.back().kind, otf2::ElementKind::end_mark);
    }
    if (!reader.has_local_definitions(location)) return;
    const auto elements = scan(files.local_definitions(location), otf2::RawFileKind::definitions,
                               reader.info().definition_chunk_size);
    EXPECT_EQ(record_types(elements).size(),
              reader.read_local_definitions(location, [](const RecordBatch&) {}));
    EXPECT_EQ(elements.back().kind, otf2::ElementKind::end_mark);
}

TEST(RealArchivesTest, AreScannedRecordByRecord) {
    for (const std::string& anchor : archives_to_test()) {
        SCOPED_TRACE(anchor);
        ArchiveReader reader(anchor);
        const ArchiveFiles files(reader.info().directory, reader.info().name);
        for (const u64 location : location_ids(reader)) {
            if (reader.has_events(location)) expect_scanned(reader, files, location);
        }
        const auto elements = scan(files.global_definitions(), otf2::RawFileKind::definitions,
                                   reader.info().definition_chunk_size);
        EXPECT_EQ(record_types(elements).size(), reader.info().global_definition_count);
        EXPECT_EQ(elements.back().kind, otf2::ElementKind::end_mark);
    }
}

/// The decoder must give the same records as libotf2.
TEST(RealArchivesTest, AreDecodedAsByLibotf2) {
    for (const std::string& anchor : archives_to_test()) {
        SCOPED_TRACE(anchor);
        ArchiveReader reader(anchor);
        for (const u64 location : location_ids(reader)) {
            if (!reader.has_events(location)) continue;
            std::vector<FlatRecord> direct;
            std::vector<FlatRecord> by_libotf2;
            reader.read_events(location,
                               [&](const RecordBatch& batch) { flatten(batch, false, direct); });
            reader.read_events_by_libotf2(
                location, [&](const RecordBatch& batch) { flatten(batch, false, by_libotf2); });
            reader.read_local_definitions(
                location, [&](const RecordBatch& batch) { flatten(batch, true, direct); });
            reader.read_local_definitions_by_libotf2(
                location, [&](const RecordBatch& batch) { flatten(batch, true, by_libotf2); });
            EXPECT_EQ(difference(by_libotf2, direct), "") << location;
        }
    }
}

TEST(RealArchivesTest, AreCopiedToTheSameBytes) {
    const std::vector<std::string> anchors = archives_to_test();
    if (anchors.empty()) GTEST_SKIP() << "no archives in " << TRACEFOLD_ARCHIVES;
    const TestDirectory scratch;
    for (const std::string& anchor : anchors) {
        SCOPED_TRACE(anchor);
        ArchiveReader reader(anchor);
        copy_archive(reader, scratch / "copy");
        EXPECT_EQ(differing_files(reader, scratch / "copy"), std::vector<std::string>{});
        fs::remove_all(scratch / "copy");
    }
}

}  // namespace
}  // namespace tracefold::testing
