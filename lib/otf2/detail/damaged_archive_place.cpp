// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/damaged_archive_place.hpp"

#include "core/error.hpp"
#include "io/file_descriptor.hpp"

#include <filesystem>
#include <vector>

namespace tracefold::inline otf2::detail {

namespace {

namespace fs = std::filesystem;

bool holds_events(const fs::path& folder) { return !files_in(folder.string(), ".evt").empty(); }

/// Names of archives, without ending, that have global definitions, or else that have events.
std::vector<std::string> archives_without_anchor(const fs::path& folder) {
    std::vector<std::string> names;
    for (const std::string& file : files_in(folder.string(), ".def")) {
        names.push_back(fs::path(file).stem().string());
    }
    if (!names.empty()) return names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.is_directory() && holds_events(entry.path())) {
            names.push_back(entry.path().filename().string());
        }
    }
    return names;
}

ArchiveFiles only_archive(const fs::path& folder) {
    if (holds_events(folder)) {  // the folder that belongs to an anchor beside it
        const fs::path whole = (fs::absolute(folder) / ".").lexically_normal().parent_path();
        return {whole.parent_path().string(), whole.filename().string()};
    }
    const std::vector<std::string> names = archives_without_anchor(folder);
    if (names.empty()) {
        throw Error(ErrorKind::io,
                    "there is no archive in the folder {}: it has neither an anchor file nor "
                    "definitions nor events",
                    folder.string());
    }
    if (names.size() == 1) return {folder.string(), names.front()};
    std::string choices;
    for (const std::string& name : names) choices += (choices.empty() ? "" : ", ") + name + ".otf2";
    throw Error(ErrorKind::usage,
                "there are {} archives without an anchor file in the folder {}; name one of {}",
                names.size(), folder.string(), choices);
}

}  // namespace

ArchiveFiles find_damaged_archive(const std::string& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
        const ArchiveFiles files = files_of(path);
        return fs::exists(path, ignored) || !files.existing().empty()
                   ? files
                   : files_of(find_anchor(path));  // says why it cannot be opened
    }
    return list_folder(path, [&] {
        return files_in(path, ".otf2").empty() ? only_archive(path) : files_of(find_anchor(path));
    });
}

}  // namespace tracefold::inline otf2::detail
