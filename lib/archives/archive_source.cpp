// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/archive_source.hpp"

#include "base/file.hpp"
#include "base/file_descriptor.hpp"
#include "model/definition_index.hpp"

#include <filesystem>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

u64 size_of(const fs::path& path) {
    std::error_code error;
    const u64 size = fs::file_size(path, error);
    if (!error) return size;
    if (error == std::errc::no_such_file_or_directory) return 0;
    throw_io_error("cannot read the size of", path.string(), error.value());
}

}  // namespace

/// Sums the sizes of existing files known to OTF2: anchor, definitions, markers, events.
u64 ArchiveSource::archive_bytes() const {
    const ArchiveInfo& info = reader_.info();
    u64 total = 0;
    const fs::path base = fs::path(info.directory) / info.name;
    for (const char* ending : {".otf2", ".def", ".marker"})
        total += size_of(base.string() + ending);
    list_folder(base.string(), [&] {
        if (!fs::exists(base)) return;
        for (const fs::directory_entry& entry : fs::directory_iterator(base)) {
            if (entry.is_regular_file()) total += size_of(entry.path());
        }
    });
    return total;
}

void ArchiveSource::read_files(const std::vector<u64>& locations, bool extra,
                               const std::string& except,
                               const std::function<void(const CarriedFile&)>& sink) {
    std::vector<std::string> paths = reader_.companion_files(locations);
    if (extra) {
        for (std::string& path : reader_.extra_files()) paths.push_back(std::move(path));
    }
    const fs::path directory = reader_.info().directory;
    for (const std::string& path : paths) {
        if (same_file(directory / path, except)) continue;
        sink({path, read_small_file(directory / path, kLargestCarried)});
    }
}

ArchiveOutline outline_archive(const std::string& path, const ArchiveReaderOptions& options) {
    ArchiveReader reader(path, options);
    DefinitionIndex definitions;
    reader.read_global_definitions([&](const RecordBatch& batch) { definitions.add(batch); });
    definitions.finish();
    ArchiveOutline outline;
    outline.ranks = definitions.world_size();
    for (u32 rank = 0; rank < outline.ranks; ++rank) {
        if (definitions.locations_of_rank(rank).size() > 1) outline.has_threads = true;
    }
    return outline;
}

}  // namespace tracefold
