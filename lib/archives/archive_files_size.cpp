// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/archive_files_size.hpp"

#include "io/file_descriptor.hpp"
#include "io/listing.hpp"

#include <filesystem>

namespace tracefold::inline archives {

namespace {

namespace fs = std::filesystem;

u64 size_of(const fs::path& path) {
    std::error_code error;
    const u64 size = fs::file_size(path, error);
    if (!error) return size;
    if (error == std::errc::no_such_file_or_directory) return 0;
    throw_io_error("cannot read the size of", path.string(), error.value());
}

}  // namespace

u64 archive_bytes(const ArchiveInfo& info) {
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

}  // namespace tracefold::inline archives
