// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/archive_source.hpp"

#include "archives/archive_files_size.hpp"
#include "io/file.hpp"
#include "io/regular_file.hpp"

#include <filesystem>

namespace tracefold::inline archives {

u64 ArchiveSource::archive_bytes() const { return tracefold::archive_bytes(reader_.info()); }

void ArchiveSource::read_files(const std::vector<u64>& locations, bool extra,
                               const std::string& except,
                               const std::function<void(const CarriedFile&)>& sink) {
    std::vector<std::string> paths = reader_.companion_files(locations);
    if (extra) {
        for (std::string& path : reader_.extra_files()) paths.push_back(std::move(path));
    }
    const std::filesystem::path directory = reader_.info().directory;
    for (const std::string& path : paths) {
        if (same_file(directory / path, except)) continue;
        sink({path, read_small_file(directory / path, kLargestCarried)});
    }
}

}  // namespace tracefold::inline archives
