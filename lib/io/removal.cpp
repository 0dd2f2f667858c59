// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "io/removal.hpp"

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

/// Does not follow a link that has taken the place of a folder.
std::error_code list_names(const fs::path& folder, std::vector<std::string>& names) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) return last_error();
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(descriptor), &::closedir);
    if (!entries) {
        const std::error_code error = last_error();
        ::close(descriptor);
        return error;
    }
    while (true) {
        errno = 0;
        const dirent* entry = ::readdir(entries.get());
        if (entry == nullptr) return last_error();  // 0 at the end
        const std::string name = entry->d_name;
        if (name != "." && name != "..") names.push_back(name);
    }
}

std::error_code remove_folder(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code first = list_names(folder, names);
    for (const std::string& name : names) {
        const std::error_code error = remove_tree(folder / name);
        if (!first) first = error;
    }
    if (::rmdir(folder.c_str()) != 0 && !first) first = last_error();
    return first;
}

}  // namespace

std::error_code remove_tree(const fs::path& path) {
    if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
    const std::error_code error = last_error();
    std::error_code ignored;
    const bool is_folder = fs::is_directory(fs::symlink_status(path, ignored));
    return is_folder ? remove_folder(path) : error;
}

}  // namespace tracefold
