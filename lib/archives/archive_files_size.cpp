// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/archive_files_size.hpp"

#include <filesystem>

namespace tracefold {

u64 archive_bytes(const ArchiveInfo& info) {
    namespace fs = std::filesystem;
    std::error_code error;
    u64 total = 0;
    const fs::path base = fs::path(info.directory) / info.name;
    for (const char* ending : {".otf2", ".def", ".marker"}) {
        const u64 size = fs::file_size(base.string() + ending, error);
        if (!error) total += size;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(base, error)) {
        if (entry.is_regular_file(error)) total += entry.file_size(error);
    }
    return total;
}

}  // namespace tracefold
