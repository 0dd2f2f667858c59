// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/archive_source.hpp"

#include "base/file.hpp"
#include "base/file_descriptor.hpp"
#include "base/hash.hpp"
#include "model/definition_index.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <sys/stat.h>

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

/// Adds what changes if the file is replaced or written to.
void add_state(const std::string& path, std::vector<u64>& to) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return to.push_back(static_cast<u64>(errno));
    for (const auto number : {static_cast<i64>(status.st_ino), i64{status.st_size},
                              i64{status.st_mtim.tv_sec}, i64{status.st_mtim.tv_nsec}}) {
        to.push_back(static_cast<u64>(number));
    }
}

void add_content(const std::string& path, std::vector<u64>& to) {
    constexpr u64 kPiece = u64{1} << 20U;
    const InputFile file(path);
    for (u64 at = 0; at < file.size(); at += kPiece) {
        to.push_back(checksum(file.read_at(at, std::min(kPiece, file.size() - at))));
    }
}

}  // namespace

u64 ArchiveSource::content() const {
    const ArchiveFiles& files = reader_.files();
    std::vector<u64> parts;
    add_content(files.anchor(), parts);
    add_content(files.global_definitions(), parts);
    const LocationFiles locations = files.of_locations();
    for (const std::vector<u64>& some : {locations.local_definitions, locations.events}) {
        parts.push_back(some.size());
        parts.insert(parts.end(), some.begin(), some.end());
    }
    return content_hash(parts).low;
}

u64 ArchiveSource::state(int part, int parts) const {
    const ArchiveFiles& files = reader_.files();
    std::vector<u64> states;
    add_state(files.anchor(), states);
    add_state(files.global_definitions(), states);
    const LocationFiles locations = files.of_locations();
    for (const auto& [ids, path] :
         {std::pair(&locations.local_definitions, &ArchiveFiles::local_definitions),
          std::pair(&locations.events, &ArchiveFiles::events)}) {
        for (auto i = static_cast<std::size_t>(part); i < ids->size();
             i += static_cast<std::size_t>(parts)) {
            add_state((files.*path)((*ids)[i]), states);
        }
    }
    return content_hash(states).low;
}

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
