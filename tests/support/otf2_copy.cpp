// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/otf2_copy.hpp"

#include "model/definition_table.hpp"
#include "otf2/archive_writer.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;

std::set<std::string> files_below(const std::string& directory) {
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
        if (!entry.is_regular_file()) continue;
        files.insert(entry.path().lexically_relative(directory).generic_string());
    }
    return files;
}

void copy_location(ArchiveReader& reader, ArchiveWriter& writer, u64 location) {
    // The empty batches create the files that the source has, even if they hold no records.
    if (reader.has_local_definitions(location)) {
        writer.write_local_definitions(location, {});
        reader.read_local_definitions(location, [&](const RecordBatch& batch) {
            writer.write_local_definitions(location, batch);
        });
    }
    if (reader.has_events(location)) {
        writer.write_events(location, {});
        reader.read_events(location,
                           [&](const RecordBatch& batch) { writer.write_events(location, batch); });
    }
    writer.close_location(location);
}

}  // namespace

void copy_archive(ArchiveReader& reader, const std::string& directory) {
    ArchiveWriter writer(directory, reader.info());
    reader.read_global_definitions(
        [&](const RecordBatch& batch) { writer.write_global_definitions(batch); });
    const std::vector<u64> locations = location_ids(reader);
    for (const u64 location : locations) copy_location(reader, writer, location);
    writer.finish();
    for (const std::string& file : reader.companion_files(locations)) {
        fs::copy_file(reader.info().directory + "/" + file, directory + "/" + file);
    }
}

std::vector<std::string> differing_files(const ArchiveReader& reader, const std::string& copy) {
    const std::string& source = reader.info().directory;
    std::set<std::string> expected = files_below(source);
    for (const std::string& file : reader.extra_files()) expected.erase(file);
    const std::set<std::string> found = files_below(copy);

    std::vector<std::string> different;
    std::set_symmetric_difference(expected.begin(), expected.end(), found.begin(), found.end(),
                                  std::back_inserter(different));
    for (const std::string& file : expected) {
        if (found.count(file) == 0) continue;
        if (file_bytes(source + "/" + file) != file_bytes(copy + "/" + file)) {
            different.push_back(file);
        }
    }
    return different;
}

std::string file_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
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

}  // namespace tracefold::testing
