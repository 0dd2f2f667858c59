// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "io/regular_file.hpp"

#include "core/error.hpp"
#include "io/file.hpp"

#include <system_error>

namespace tracefold::inline io {

namespace fs = std::filesystem;

void expect_regular_file(const fs::path& path, const std::string& what) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (!fs::exists(status) || fs::is_regular_file(status)) return;
    throw Error(ErrorKind::io, "cannot read {}: it is {}", what,
                fs::is_directory(status) ? "a directory" : "not a regular file");
}

std::string read_small_file(const fs::path& path, u64 most) {
    const InputFile file(path);
    if (file.size() > most) {
        throw Error(ErrorKind::io, "cannot read {}: it has {} bytes, and at most {} are taken",
                    file.name(), file.size(), most);
    }
    return file.read_at(0, file.size());
}

}  // namespace tracefold::inline io
