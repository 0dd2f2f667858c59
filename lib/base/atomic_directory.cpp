// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/atomic_directory.hpp"

#include "base/error.hpp"
#include "base/file_descriptor.hpp"

#include <system_error>
#include <utility>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

/// Follows links: the folder that a link refers to is replaced, the link kept.
fs::path resolve_target(const std::string& target) {
    fs::path path = fs::absolute(target).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) return path;
    if (!fs::is_directory(status)) {
        throw Error(ErrorKind::io, "{} is a file, and the output is a folder; choose another place",
                    target);
    }
    return fs::canonical(path);
}

bool is_of(const EarlierOutput& earlier, const fs::directory_entry& entry, const fs::path& folder) {
    // Folders are judged by the files in them.
    const bool is_folder = fs::is_directory(entry.symlink_status());
    if (is_folder && !fs::is_empty(entry.path())) return true;
    const fs::path file = entry.path().lexically_relative(folder);
    return fs::is_regular_file(entry.symlink_status()) && earlier.has(file.generic_string());
}

/// The first file by name that does not belong to an earlier output, or "".
std::string foreign_in(const fs::path& folder, const EarlierOutput& earlier) {
    const bool known = earlier.has && fs::is_regular_file(folder / earlier.anchor);
    std::string first;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (known && is_of(earlier, entry, folder)) continue;
        const std::string name = entry.path().lexically_relative(folder).generic_string();
        if (first.empty() || name < first) first = name;
    }
    return first;
}

void refuse_foreign(const fs::path& folder, const std::string& target,
                    const EarlierOutput& earlier) {
    const std::string foreign = list_folder(target, [&] { return foreign_in(folder, earlier); });
    if (foreign.empty()) return;
    throw Error(ErrorKind::io,
                "cannot replace {}: {} in it does not belong to an earlier output; remove it or "
                "choose another place",
                target, foreign);
}

[[noreturn]] void refuse_existing(const std::string& target) {
    throw Error(ErrorKind::io, "{} already exists; use --force to replace an earlier output",
                target);
}

bool has_something(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder, ignored) && !fs::is_empty(folder, ignored);
}

void check_replaced(const fs::path& found, const std::string& target, bool force,
                    const EarlierOutput& earlier) {
    if (!force) refuse_existing(target);
    refuse_foreign(found, target, earlier);
}

fs::perms mode_of(const fs::path& path, fs::perms otherwise) {
    std::error_code error;
    const fs::perms mode = fs::status(path, error).permissions();
    return error || mode == fs::perms::unknown ? otherwise : mode & fs::perms::all;
}

/// A replacement keeps the mode of the original.
void keep_modes(const fs::path& made, const fs::path& place) {
    std::error_code ignored;
    if (!fs::exists(place, ignored)) return;
    for (const auto& entry : fs::recursive_directory_iterator(made)) {
        const fs::path replaced = place / entry.path().lexically_relative(made);
        const fs::perms mode = mode_of(replaced, fs::perms::unknown);
        if (mode != fs::perms::unknown) fs::permissions(entry.path(), mode, ignored);
    }
    fs::permissions(made, mode_of(place, fs::perms::all), ignored);
}

}  // namespace

AtomicDirectory::AtomicDirectory(const std::string& target, bool force, EarlierOutput earlier)
    : name_(target),
      claim_(target),
      target_(resolve_target(target)),
      force_(force),
      earlier_(std::move(earlier)) {
    std::error_code ignored;
    if (has_something(target_)) check_replaced(target_, name_, force_, earlier_);
    fs::create_directories(target_.parent_path(), ignored);
    // The user needs permission to write into it.
    const fs::perms mode = mode_of(target_, fs::perms::all) | fs::perms::owner_all;
    temporary_.emplace(Temporary::folder(target_, static_cast<mode_t>(mode)));
}

void AtomicDirectory::commit() {
    const auto check = [name = name_, force = force_, earlier = earlier_](const fs::path& found) {
        check_replaced(found, name, force, earlier);
    };
    if (has_something(target_)) check(target_);
    list_folder(name_, [&] { keep_modes(temporary_->path(), target_); });
    CompleteOutput output{claim_, std::move(*temporary_), target_, check};
    temporary_.reset();
    place_output(std::move(output));
}

}  // namespace tracefold
