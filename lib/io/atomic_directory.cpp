// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "io/atomic_directory.hpp"

#include "core/error.hpp"
#include "io/placement.hpp"

#include <system_error>
#include <utility>

#include <unistd.h>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

/// A link to a folder stays; what it leads to is replaced.
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
    // The files in a folder speak for it.
    const bool is_folder = fs::is_directory(entry.symlink_status());
    if (is_folder && !fs::is_empty(entry.path())) return true;
    const fs::path file = entry.path().lexically_relative(folder);
    return fs::is_regular_file(entry.symlink_status()) && earlier.has(file.generic_string());
}

/// What in a folder is not of an earlier output: the first such file by name, or "".
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
    std::string foreign;
    try {
        foreign = foreign_in(folder, earlier);
    } catch (const fs::filesystem_error& error) {
        throw Error(ErrorKind::io, "cannot list the folder {}: {}", target, error.code().message());
    }
    if (foreign.empty()) return;
    throw Error(ErrorKind::io,
                "cannot replace {}: {} in it is not of an earlier output; remove it or choose "
                "another place",
                target, foreign);
}

[[noreturn]] void refuse_existing(const std::string& target) {
    throw Error(ErrorKind::io, "{} exists already; use --force to replace an earlier output",
                target);
}

}  // namespace

AtomicDirectory::AtomicDirectory(const std::string& target, bool force, EarlierOutput earlier)
    : name_(target), target_(resolve_target(target)), force_(force), earlier_(std::move(earlier)) {
    std::error_code error;
    const bool present = fs::exists(target_, error) && !fs::is_empty(target_, error);
    if (present && !force_) refuse_existing(name_);
    if (present) refuse_foreign(target_, name_, earlier_);
    temporary_ = target_;
    temporary_ += ".part-" + std::to_string(::getpid());
    fs::create_directories(target_.parent_path(), error);
    if (!fs::create_directory(temporary_, error) || error) {
        throw Error(ErrorKind::io, "cannot create {}: {}", temporary_.string(),
                    error ? error.message() : "it exists already");
    }
}

/// After commit() this is what was replaced.
AtomicDirectory::~AtomicDirectory() {
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
}

void AtomicDirectory::commit() {
    if (place_new(temporary_, target_)) return;
    if (!force_) refuse_existing(name_);
    refuse_foreign(target_, name_, earlier_);
    exchange(temporary_, target_);
    // Something may have come since.
    try {
        refuse_foreign(temporary_, name_, earlier_);
    } catch (const Error&) {
        exchange(temporary_, target_);
        throw;
    }
}

}  // namespace tracefold
